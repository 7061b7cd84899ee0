"""What needs no network weights: windows, spans, batches, measures."""

import itertools
import math

import numpy
import pytest
import torch

from training.batches import batches
from training.data.reading import place_of, shingles
from training.metrics import (
    auroc,
    balanced_accuracy,
    balanced_threshold,
    exact_match,
    f1,
    ndcg,
    reciprocal_rank,
)
from training.numbered import pieces, rows
from training.query import STOP_WORDS, max_sims, missed, stop_words
from training.settings import Input
from training.spans import Sureness, WindowLogits, read, read_window
from training.tokens import Pieces, Window, windows


def made_up(tokens: int) -> Pieces:
    return Pieces(tuple(range(1000, 1000 + tokens)), tuple((n, n + 1) for n in range(tokens)))


@pytest.mark.parametrize("tokens", [0, 1, 40, 41, 42, 80, 200])
def test_windows_cover_the_passage_and_overlap_by_the_stride(tokens):
    cut = windows(made_up(7), made_up(tokens), Input(max_length=50, stride=10, max_question=7))
    assert cut[0].start == 0 and cut[-1].end == tokens
    for before, after in itertools.pairwise(cut):
        assert before.end - after.start == 10
        assert after.end > before.end
    assert all(len(window) <= 50 for window in cut)
    for window in cut:
        passage = window.ids[window.passage_at : -1].tolist()
        assert passage == list(range(1000 + window.start, 1000 + window.end))


def test_a_long_question_is_cut():
    (window,) = windows(made_up(30), made_up(3), Input(max_length=50, stride=10, max_question=7))
    assert len(window.ids) == 7 + 3 + 3 and window.passage_at == 9


def logits_of(start, end, null=0.0, at=0, answerable=0.0) -> WindowLogits:
    window = Window(numpy.zeros(len(start) + 3, numpy.int32), 2, at, at + len(start))
    return WindowLogits(window, numpy.array(start, float), numpy.array(end, float), null, answerable)


def test_the_best_span_ends_after_it_starts_and_is_no_longer_than_allowed():
    reading = read([logits_of([0, 5, 0, 0], [9, 0, 3, 4])], max_answer=2)
    assert (reading.spans[0].first, reading.spans[0].last) == (0, 0)
    reading = read([logits_of([0, 9, 0, 0], [4, 0, 3, 4])], max_answer=2)
    assert (reading.spans[0].first, reading.spans[0].last) == (1, 2)


def test_probabilities_of_all_spans_sum_to_that_of_an_answer():
    draw = numpy.random.default_rng(1)
    logits = logits_of(draw.normal(size=6), draw.normal(size=6))
    spans = read([logits], max_answer=6, count=100).spans
    _, top = read_window(logits, max_answer=6, count=1)
    assert len(spans) == 21
    whole = sum(numpy.exp(span.log_probability) for span in spans)
    assert whole == pytest.approx(numpy.exp(Sureness().log_probability(top, 0)))


def test_windows_are_merged_by_place_and_the_margin_is_the_greatest():
    first = logits_of([0, 4, 0], [0, 4, 0], null=9)
    second = logits_of([6, 0, 0], [6, 0, 0], null=2, at=1)
    reading = read([first, second], max_answer=3)
    assert (reading.spans[0].first, reading.spans[0].last) == (1, 1)
    assert reading.margin_cls == 10


def test_batches_hold_each_row_once_within_limits_and_repeat():
    lengths = [int(n) for n in numpy.random.default_rng(2).integers(5, 200, 3000)]
    made = batches(lengths, 1000, 16, seed=3)
    assert sorted(row for batch in made for row in batch) == list(range(3000))
    assert all(len(batch) <= 16 for batch in made)
    assert all(max(lengths[row] for row in batch) * len(batch) <= 1000 for batch in made)
    assert made == batches(lengths, 1000, 16, seed=3)
    assert made != batches(lengths, 1000, 16, seed=4)


@pytest.mark.parametrize(
    ("answer", "golds", "exact", "overlap"),
    [
        ("the Rhine", ["Rhine"], 1, 1),
        ("Rhine.", ["rhine", "Main"], 1, 1),
        ("the upper Rhine", ["Rhine"], 0, 2 / 3),
        ("", [], 1, 1),
        ("Rhine", [], 0, 0),
        ("", ["Rhine"], 0, 0),
    ],
)
def test_squad_measures(answer, golds, exact, overlap):
    assert f1(answer, golds) == pytest.approx(overlap)
    if golds:
        assert exact_match(answer, golds) == exact


def test_auroc_counts_ties_as_half():
    assert auroc([3, 2, 2, 1], [True, True, False, False]) == pytest.approx(0.875)
    assert auroc([1, 1], [True, False]) == 0.5


def test_balanced_threshold_makes_both_errors_alike():
    scores, truth = [1, 2, 3, 4, 5, 6], [False, True, False, True, False, True]
    threshold = balanced_threshold(scores, truth)
    above = numpy.mean([score > threshold for score, t in zip(scores, truth) if t])
    below = numpy.mean([score <= threshold for score, t in zip(scores, truth) if not t])
    assert above == below
    assert balanced_accuracy([1, 2, 3, 4], [False, False, True, True], 3) == 1


def test_ranking_measures():
    assert reciprocal_rank(["a", "b"], {"b"}) == 0.5
    assert ndcg(["a", "b"], {"b"}) == pytest.approx(1 / numpy.log2(3))
    assert ndcg(["b", "a"], {"a", "b"}) == 1


def test_an_answer_is_placed_where_the_question_points():
    passage = "In 1990 it was founded. " + "x" * 80 + " The library moved in 1990 to the hill."
    start, end = place_of("1990", passage, "When was the library moved?")
    assert passage[start:end] == "1990" and start > 80
    assert place_of("2001", passage, "When?") is None


def test_shingles_are_eight_words():
    assert len(shingles("one two three four five six seven eight nine")) == 2
    assert not shingles("too short")


DOCUMENT = """---
title: Fees
---
# Fees

Enrolment costs EUR 40. It is due on 1 May!

## Deposits

| Thing | Deposit |
| --- | --- |
| Key | EUR 20 |

* Bring the card. Deposits are paid back.
"""


def test_pieces_are_sentences_items_and_rows_under_their_heading():
    assert [(piece.heading, piece.text) for piece in pieces(DOCUMENT)] == [
        ("Fees", "Enrolment costs EUR 40."),
        ("Fees", "It is due on 1 May!"),
        ("Deposits", "| Thing | Deposit |"),
        ("Deposits", "| Key | EUR 20 |"),
        ("Deposits", "* Bring the card."),
        ("Deposits", "Deposits are paid back."),
    ]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("1 | words | EUR 40 | whats the damage for signing up", None),
        ("4 | words | EUR 20 | what do they keep for a key", None),
        ("5, 6 | sentences | | how do I get my money back", None),
        ("1 | nothing | | can I pay with my phone", None),
        ("1 | words | EUR 50 | what does it cost", "stands in none of"),
        ("7 | yes | | is it due in May", "are no numbers of"),
        ("0 | yes | | is it due in May", "are no numbers of"),
        ("1 | maybe | | is it due in May", "no kind is called"),
        ("1 | yes | is it due in May", "not of the form"),
        ("1 | yes | | Due?", "no question"),
    ],
)
def test_a_line_of_notes_is_a_row_or_says_why_not(line, wrong, tmp_path):
    (tmp_path / "fees.md").write_text(DOCUMENT)
    made = list(rows(f"= fees.md\n{line}\n", tmp_path, "made-up"))
    if wrong is None:
        assert made[0]["id"] == "made-up-001" and made[0]["document"] == "fees.md"
        assert made[0]["evidence"] or made[0]["kind"] == "nothing"
    else:
        assert wrong in made[0] and "line 2" in made[0]


def test_notes_on_a_document_that_is_not_there_are_told_once(tmp_path):
    assert list(rows("= fees.md\n1 | yes | | is it due\n2 | yes | | is it due\n", tmp_path, "x")) == [
        f"line 1: no document 'fees.md' in {tmp_path}"
    ]


def test_max_sim_is_the_mean_of_the_nearest():
    question = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    passages = torch.tensor([[[1.0, 0.0], [0.0, 0.0]], [[0.6, 0.8], [0.0, 1.0]]])
    assert max_sims(question, passages.half()).tolist() == pytest.approx([0.5, 0.8], abs=1e-3)


def test_what_is_missed_counts_all_that_answers():
    scores = torch.log(torch.tensor([1.0, 2.0, 5.0]))
    assert float(missed(scores, torch.tensor([True, True, False]))) == pytest.approx(-math.log(3 / 8))
    assert float(missed(scores, torch.tensor([2]))) == pytest.approx(-math.log(5 / 8))


def test_stop_words_are_those_of_the_search():
    words = stop_words(STOP_WORDS)
    assert {"the", "a", "which"} <= words and "not" not in words and "der" not in words
    assert 100 < len(words) < 300
