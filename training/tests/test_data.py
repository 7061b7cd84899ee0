"""Nothing that is tested was trained on."""

import pytest

from training.data.nli import answered, nli
from training.data.prompted import prompted
from training.data.qamr import qamr
from training.data.reading import shingles, without_texts_of
from training.data.squad import squad
from training.reader import tokens_of


@pytest.fixture(scope="module")
def held_out(data):
    return squad(data, "test") + squad(data, "validation")


def test_squad_is_split_by_article(data, held_out):
    train = squad(data, "train")
    assert len(train) + len(held_out) > 16_000
    assert {row.article for row in train}.isdisjoint(row.article for row in held_out)
    tested = {row.article for row in squad(data, "test")}
    assert len(tested) == 7
    assert tested.isdisjoint(row.article for row in squad(data, "validation"))


def test_no_training_passage_shares_eight_words_with_one_held_out(data, held_out):
    kept_back = set().union(*(shingles(passage) for passage in {row.passage for row in held_out}))
    for source in (squad(data, "train"), qamr(data, 4, 3, 1), prompted(data)):
        for row in without_texts_of(source, held_out):
            assert kept_back.isdisjoint(shingles(row.passage))


def test_spans_are_the_answers(data, pieces):
    for source in (squad(data, "validation"), qamr(data, 1, 3, 1), prompted(data)):
        for row in source:
            for start, end in row.spans:
                assert row.passage[start:end] in row.answers
                first, last = tokens_of((start, end), pieces.pieces(row.passage))
                assert first <= last


@pytest.mark.parametrize("name", ["mnli", "snli", "scitail"])
def test_premises_are_in_one_split(data, name):
    parts = {split: nli(data, name, split) for split in ("train", "validation", "test")}
    premises = {split: {claim.evidence for claim in claims} for split, claims in parts.items()}
    assert premises["train"].isdisjoint(premises["test"] | premises["validation"])
    assert all(len(claims) > 50 for claims in parts.values())


def test_claims_from_questions_keep_to_their_articles(data):
    train = {claim.evidence for claim in answered(data, "train")}
    assert train.isdisjoint(claim.evidence for claim in answered(data, "test"))
