"""Real sentences of many languages, each with two forms of one word: told, stemmed and counted in its own language."""

import pytest

from thresher.analysers import AnalysisRecipe, reader_of
from thresher.classify.acceptance import TopicWishes
from thresher.documents.analyse import Reader
from thresher.text.stems import stem
from thresher.text.stop_words import stop_words
from thresher.types import Failed, Fetched, ParsedPage

FORMS = {
    "en": (
        "The boat left the harbour this morning, and the other boats will follow it before night.",
        "boat",
        "boats",
    ),
    "de": (
        "Das Boot liegt noch im Hafen, aber die anderen Boote sind schon auf das Meer hinaus gefahren.",
        "Boot",
        "Boote",
    ),
    "fr": (
        "Le bateau quitte le port de bonne heure et les autres bateaux le suivent avant la nuit.",
        "bateau",
        "bateaux",
    ),
    "es": (
        "El barco sale del puerto por la mañana y los otros barcos lo siguen antes de la noche.",
        "barco",
        "barcos",
    ),
    "it": (
        "La barca lascia il porto questa mattina e le altre barche la seguono prima della notte.",
        "barca",
        "barche",
    ),
    "pt": (
        "O barco sai do porto de manhã cedo e os outros barcos seguem antes que a noite chegue.",
        "barco",
        "barcos",
    ),
    "sv": (
        "Båten lämnar hamnen tidigt på morgonen, och de andra båtarna följer efter innan natten.",
        "Båten",
        "båtarna",
    ),
    "da": (
        "Båden forlader havnen tidligt om morgenen, og de andre både følger efter inden natten.",
        "Båden",
        "både",
    ),
    "no": (
        "Båten forlater havnen tidlig om morgenen, og de andre båtene følger etter før natten.",
        "Båten",
        "båtene",
    ),
    "fi": (
        "Laiva lähtee satamasta aikaisin aamulla, ja toiset laivat seuraavat sitä ennen yötä.",
        "Laiva",
        "laivat",
    ),
    "ru": (
        "Лодка покидает гавань рано утром, и другие лодки следуют за ней до наступления ночи.",
        "Лодка",
        "лодки",
    ),
    "hu": (
        "A hajó korán reggel elhagyja a kikötőt, és a többi hajók még az éjszaka előtt követik.",
        "hajó",
        "hajók",
    ),
    "el": (
        "Το πλοίο φεύγει από το λιμάνι νωρίς το πρωί και τα άλλα πλοία το ακολουθούν πριν τη νύχτα.",
        "πλοίο",
        "πλοία",
    ),
    "ca": (
        "El vaixell surt del port de bon matí i els altres vaixells el segueixen abans de la nit.",
        "vaixell",
        "vaixells",
    ),
    "lt": (
        "Laivas anksti ryte palieka uostą, o kiti laivai jį seka dar prieš naktį.",
        "Laivas",
        "laivai",
    ),
    "cs": (
        "Loďka opouští přístav brzy ráno a ostatní loďky ji následují ještě před nocí.",
        "Loďka",
        "loďky",
    ),
    "hi": (
        "नाव सुबह जल्दी बंदरगाह से निकलती है और दूसरी नावें रात से पहले उसके पीछे जाती हैं।",
        "नाव",
        "नावें",
    ),
    "id": (
        "Kapal itu meninggalkan pelabuhan pada pagi hari, dan kapalnya yang lain mengikuti sebelum malam.",
        "Kapal",
        "kapalnya",
    ),
    "eu": (
        "Itsasontzia goizean goiz irteten da portutik, eta beste itsasontziak gaua baino lehen joaten dira.",
        "Itsasontzia",
        "itsasontziak",
    ),
    "ta": (
        "படகு காலையில் துறைமுகத்தை விட்டு வெளியேறுகிறது, மற்ற படகுகள் இரவுக்கு முன் அதைப் பின்தொடர்கின்றன.",
        "படகு",
        "படகுகள்",
    ),
}
"""Language → a sentence, and two forms of a word in it."""


def answer(text: str) -> Fetched:
    body = text.encode()
    return Fetched(url="http://a.test/", status=200, headers=[], body=body, raw=body, mime="text/plain", at=0.0)


def read(reader: Reader, text: str) -> ParsedPage:
    page = reader.read(answer(text))
    assert isinstance(page, ParsedPage), page
    return page


@pytest.mark.parametrize("language", sorted(FORMS))
def test_forms_of_a_word_are_one_stem_in_its_language(language: str) -> None:
    sentence, one, other = FORMS[language]
    page = read(Reader(), sentence)
    assert page.language == language
    # The first line of a text is its title and counts too.
    assert page.terms[stem(one.lower(), language)] == 4
    assert stem(one.lower(), language) == stem(other.lower(), language)
    meaning = [word for word in page.words if word.lower() not in stop_words(language)]
    assert len(meaning) < len(page.words) or not stop_words(language), "there are stop words in it"
    assert sum(page.terms.values()) == 2 * len(meaning)


def test_one_reader_reads_pages_of_all_languages_in_turn() -> None:
    reader = Reader()
    assert [read(reader, FORMS[code][0]).language for code in sorted(FORMS)] == sorted(FORMS)


def recipe(*languages: str) -> AnalysisRecipe:
    return AnalysisRecipe("breadth-first", {}, "auto", 1000, 100, languages=languages, d_stop=2)


def test_languages_that_a_topic_names_pass_the_gate() -> None:
    strict = reader_of(recipe("en"))
    assert isinstance(strict.read(answer(FORMS["de"][0])), Failed)
    open_to_german = reader_of(recipe("en"), {"Boote": TopicWishes(languages=("de",)), "Boats": TopicWishes()})
    assert read(open_to_german, FORMS["de"][0]).language == "de"
    assert read(open_to_german, FORMS["en"][0]).language == "en"
    refused = open_to_german.read(answer(FORMS["fr"][0]))
    assert isinstance(refused, Failed)
    assert refused.detail == "fr", "the reason says which language it was"


def test_without_a_gate_the_languages_of_topics_close_none() -> None:
    reader = reader_of(recipe(), {"Boote": TopicWishes(languages=("de",))})
    assert read(reader, FORMS["fr"][0]).language == "fr"
