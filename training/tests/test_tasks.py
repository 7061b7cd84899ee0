"""Each task learns a few made-up rows by heart, and says what it has learned."""

from dataclasses import replace

import numpy
import pytest
import torch

from training.checker import Checker
from training.checker import Row as CheckerRow
from training.data.nli import Claim
from training.data.ranking import Collection, scifact, squad_passages
from training.data.reading import Question
from training.reader import Reader, first_loss, masked, shares
from training.reranker import Reranker
from training.reranker import Row as RerankerRow
from training.settings import ROOM, read_settings
from training.train import optimiser

PASSAGE = "The library on the hill opens at nine o'clock and closes at eight. A card costs five euros."


def learn(task, rows, steps=25):
    adapter = replace(task.settings.adapter, rank=4, dropout=0.0, start=None)
    task.settings = replace(task.settings, adapter=adapter)
    model = task.model()
    steps_of = optimiser(model, task.settings)
    losses = []
    for _ in range(steps):
        loss = task.loss(model, rows)
        loss.backward()
        steps_of.step()
        steps_of.zero_grad()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 3, losses
    return model.eval()


def settings_of(name):
    return read_settings(ROOM / "settings" / f"{name}.toml")


def question(asked, answer):
    start = PASSAGE.find(answer) if answer else 0
    spans = ((start, start + len(answer)),) if answer else ()
    return Question(asked, "made up", asked, PASSAGE, (answer,) if answer else (), spans)


def test_the_reader_finds_spans_and_their_absence(data):
    reader = Reader(settings_of("reader"))
    asked = [
        question("When does the library open?", "nine o'clock"),
        question("What does a card cost?", "five euros"),
        question("Who founded the library?", ""),
    ]
    model = learn(reader, [(row,) for one in asked for row in reader._windows(one)], steps=60)
    readings = reader.readings(model, asked)
    assert reader.best_text(asked[0], readings[0]) == "nine o'clock"
    assert reader.best_text(asked[1], readings[1]) == "five euros"
    assert [reading.margin_cls > 0 for reading in readings] == [True, True, False]


def test_a_question_and_padding_are_no_answer(data):
    reader = Reader(settings_of("reader"))
    (row,) = reader._windows(question("When does the library open?", "nine o'clock"))
    logits = masked(torch.zeros(1, len(row.window) + 5, 2), [row.window])[0, :, 0]
    allowed = (logits == 0).nonzero().flatten().tolist()
    assert allowed == [0, *range(row.window.passage_at, len(row.window) - 1)]


def test_passages_that_answer_are_held_against_their_questions_others_alone(data):
    reader = Reader(settings_of("reader-start"))
    asked = [question("When does the library open?", "nine o'clock"), question("Who founded the library?", "")]
    right, wrong = ((row,) for one in asked for row in reader._windows(one))
    groups = [right + wrong, wrong + right, right, wrong, wrong + wrong]
    better = torch.tensor([4.0, 0.0, 0.0, 4.0, -9.0, 9.0, 3.0, 3.0])
    assert first_loss(better, groups).item() == pytest.approx(numpy.log1p(numpy.exp(-4.0)), abs=1e-6)
    assert first_loss(torch.tensor([1.0, 2.0]), [right, wrong]).item() == 0


def test_annotators_share_the_target():
    assert shares([3, 3, 5]) == ((3, 1 / 3), (3, 1 / 3), (5, 1 / 3))
    assert shares([]) == ((0, 1.0),)


def test_the_checker_learns_labels_of_which_two_may_be_true(data):
    checker = Checker(settings_of("checker"))
    claims = [
        Claim("made up", "The library opens at nine.", PASSAGE, ("entailed",)),
        Claim("made up", "The library is in the valley.", PASSAGE, ("contradicted", "neutral")),
        Claim("made up", "The library was built in 1910.", PASSAGE, ("neutral",)),
    ]
    rows = [
        CheckerRow(
            checker._windows(claim)[0],
            tuple(("entailed", "contradicted", "neutral").index(label) for label in claim.labels),
        )
        for claim in claims
    ]
    logits = checker.logits(learn(checker, rows, steps=60), claims)
    assert logits.argmax(1)[0] == 0 and logits.argmax(1)[1] != 0 and logits.argmax(1)[2] == 2


def test_the_reranker_puts_the_right_passage_first(data):
    reranker = Reranker(settings_of("reranker"))
    query = "When does the library open?"
    texts = [PASSAGE, "The refectory serves soup.", "The thesis is due in May."]
    row = RerankerRow(tuple(reranker._windows(query, text)[0] for text in texts))
    model = learn(reranker, [row])
    assert int(numpy.argmax(reranker.scores(model, [(query, text) for text in texts]))) == 0
    collection = Collection("made up", dict(zip("abc", texts, strict=True)), {"q": query}, {"q": {"a"}})
    figures = reranker.ranking(model, collection, ["q"])
    assert figures["ndcg_reranked"] == figures["mrr_reranked"] == 1


@pytest.mark.parametrize("source", [squad_passages, scifact])
def test_nothing_asked_for_in_one_part_is_in_another_and_passages_exist(data, source):
    parts = {split: source(data, split) for split in ("train", "validation", "test")}
    asked = {split: set(part.queries.values()) for split, part in parts.items()}
    assert asked["train"].isdisjoint(asked["test"] | asked["validation"])
    right = {split: set().union(*part.relevant.values()) for split, part in parts.items()}
    if source is scifact:
        assert right["train"].isdisjoint(right["test"] | right["validation"])
    for part in parts.values():
        assert part.queries.keys() == part.relevant.keys()
        assert all(found and found <= part.passages.keys() for found in part.relevant.values())
