"""Fixed wording of generated pages in each language: the text around every site's own text."""

from typing import Final, NamedTuple


class Phrases(NamedTuple):
    """Phrases of one language; `welcome` and `boilerplate` take the brand of a host."""

    home: str
    search: str
    links: str
    more: str
    welcome: str
    section: str
    vague: tuple[str, ...]
    boilerplate: tuple[str, ...]
    greeting: tuple[str, ...]


WORDING: Final = {
    "en": Phrases(
        home="Home",
        search="Search",
        links="See also",
        more="Overview",
        welcome="Welcome to {}",
        section="Part",
        vague=("more", "here", "read on", "this page", "next", "details", "click here", "go on", "link", "full text"),
        boilerplate=(
            "All pages of {} may be read by anyone and copied by no one.",
            "We keep a small cookie so that your choices are still there when you come back.",
            "Please write to the editors of {} if something on this page is wrong.",
            "This page was last looked over by hand and may since have changed.",
            "You are reading {} in its plain version without pictures.",
        ),
        greeting=(
            "We are glad that you have found your way to us.",
            "Please choose one of the parts below to go on.",
            "There is something new here every week.",
            "Take your time and have a look around.",
            "Our readers come from all over and so do our writers.",
        ),
    ),
    "de": Phrases(
        home="Startseite",
        search="Suche",
        links="Siehe auch",
        more="Übersicht",
        welcome="Willkommen bei {}",
        section="Teil",
        vague=("mehr", "hier", "weiterlesen", "diese Seite", "weiter", "Einzelheiten", "hier klicken", "zum Text"),
        boilerplate=(
            "Alle Seiten von {} dürfen gelesen, aber nicht kopiert werden.",
            "Wir merken uns Ihre Einstellungen in einem kleinen Cookie.",
            "Bitte schreiben Sie der Redaktion von {}, wenn etwas nicht stimmt.",
            "Diese Seite wurde von Hand durchgesehen und kann sich geändert haben.",
        ),
        greeting=(
            "Schön, dass Sie den Weg zu uns gefunden haben.",
            "Bitte wählen Sie unten einen Teil aus.",
            "Hier gibt es jede Woche etwas Neues.",
        ),
    ),
    "fr": Phrases(
        home="Accueil",
        search="Recherche",
        links="Voir aussi",
        more="Sommaire",
        welcome="Bienvenue chez {}",
        section="Partie",
        vague=("plus", "ici", "lire la suite", "cette page", "suite", "détails", "cliquez ici", "texte entier"),
        boilerplate=(
            "Toutes les pages de {} peuvent être lues mais pas copiées.",
            "Nous gardons un petit cookie pour retenir vos choix.",
            "Écrivez à la rédaction de {} si quelque chose ne va pas.",
            "Cette page a été relue à la main et peut avoir changé depuis.",
        ),
        greeting=(
            "Nous sommes heureux de vous voir ici.",
            "Choisissez une des parties pour continuer.",
            "Il y a du nouveau chaque semaine.",
        ),
    ),
}
