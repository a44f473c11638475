from collections import Counter

import numpy as np
import pytest

from thresher.errors import InputError
from thresher.simweb.coining import SOUNDS, coin, function_words
from thresher.simweb.parameters import WebParameters
from thresher.simweb.topics import TopicTree
from thresher.simweb.vocabulary import BASE_TABLE, THEME_TABLE, Vocabulary


@pytest.fixture(scope="module")
def vocabulary():
    return Vocabulary(WebParameters(seed=3))


@pytest.mark.parametrize("language", SOUNDS)
def test_coined_words_are_new_and_no_function_words(language):
    taken = {"taken"}
    words = coin(np.random.default_rng(0), language, 3000, taken)
    assert len(set(words)) == 3000
    assert not set(words) & set(function_words(language))
    assert taken == {"taken", *words}


def test_every_table_is_full(vocabulary):
    assert all(len(table) == THEME_TABLE for table in vocabulary.tables)
    assert all(len(table) == BASE_TABLE for table in vocabulary.base.values())
    assert len(vocabulary.language) == len(vocabulary.tables)


def test_sub_topics_share_with_their_parent_and_less_with_strangers(vocabulary):
    tree = vocabulary.tree
    words = [set(table) for table in vocabulary.tables]
    for topic in tree.leaves():
        parent = tree.parents[topic]
        stranger = next(top for top in range(3) if top != parent)
        assert len(words[topic] & words[parent]) > 2 * len(words[topic] & words[stranger])


def test_some_words_are_ambiguous_and_some_belong_to_one_topic(vocabulary):
    used = Counter(word for table in vocabulary.tables[: len(vocabulary.tree)] for word in set(table))
    topical = set(used) - set(vocabulary.base["en"])
    assert sum(used[word] >= 3 for word in topical) > 50
    assert sum(used[word] == 1 for word in topical) > 500


def test_the_base_text_of_each_language_has_its_function_words(vocabulary):
    for language, table in vocabulary.base.items():
        share = sum(word in function_words(language) for word in table) / len(table)
        assert 0.4 < share < 0.5


def test_unknown_topics_are_refused_with_a_suggestion():
    tree = TopicTree(["sport", "music", "tennis", "golf", "opera", "jazz"], breadth=2)
    with pytest.raises(InputError) as caught:
        tree.number("sport/tenis")
    assert "sport/tennis" in caught.value.remedy


def test_three_levels():
    tree = TopicTree([f"t{number}" for number in range(14)], breadth=2)
    assert tree.paths[13] == "t1/t5/t13"
    assert tree.children(5) == [12, 13]
    assert tree.within(1) == [1, 4, 5, 10, 11, 12, 13]
    assert tree.leaves() == list(range(6, 14))
