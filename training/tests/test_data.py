"""Nothing that is tested was trained on."""

import json
import re
import string

import numpy
import pytest

from training.data.altered import OPPOSITES, altered, denied, marks
from training.data.found import labelled, located
from training.data.near import near, titled
from training.data.nli import amended, answered, nli
from training.data.policyqa import policyqa
from training.data.prompted import prompted
from training.data.qamr import qamr
from training.data.reading import Question, shingles, without_texts_of
from training.data.squad import squad
from training.data.verdicts import boolq, sharc
from training.find import HANDBOOKS, doc2dial, public
from training.reader import tokens_of
from training.splits import splits


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
    for source in (squad(data, "train"), qamr(data, 4, 3, 1), prompted(data), policyqa(data)):
        for row in without_texts_of(source, held_out):
            assert kept_back.isdisjoint(shingles(row.passage))


def test_spans_are_the_answers(data, pieces):
    sources = (squad(data, "validation"), qamr(data, 1, 3, 1), prompted(data), policyqa(data)[:500])
    for source in sources:
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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("When did Ada Brandt leave?", [("name1", "Ada Brandt")]),
        ("Who won in 1931?", [("number4", "1931")]),
        (
            "Which of the 3,500 people of New York Harbor left?",
            [("number5", "3,500"), ("name2", "New York Harbor")],
        ),
        ("Is it open?", []),
    ],
)
def test_marks_are_names_and_numbers(text, found):
    assert [(kind, text[start:end]) for kind, start, end in marks(text)] == found


def test_altered_questions_name_something_else_of_their_article(data):
    questions = squad(data, "validation")
    by_id = {row.id: row for row in questions}
    made = altered(questions, 1.0, "seed")
    assert len(made) > 50
    for row in made:
        asked = by_id[row.id]
        assert row.passage == asked.passage and row.question != asked.question
        assert not row.answerable and asked.answerable
    assert made == altered(questions, 1.0, "seed")


def test_opposites_go_both_ways_and_are_no_word_twice():
    for word, others in OPPOSITES.items():
        assert word not in others and len(set(others)) == len(others), word
        assert all(word in OPPOSITES[other] for other in others)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who was the first dean?", "Who wasn't the first dean?"),
        ("Can I resit?", "Can't I resit?"),
        ("Which students may resit?", "Which students may not resit?"),
        ("Name a dean.", None),
    ],
)
def test_a_denied_question_has_its_verb_denied(question, found):
    assert denied(question) == found


def test_claims_of_both_lengths_are_right_and_wrong(data):
    claims = answered(data, "validation")
    for entailed in (True, False):
        lengths = [len(claim.claim.split()) for claim in claims if claim.entailed == entailed]
        assert 0.15 < sum(length > 25 for length in lengths) / len(lengths) < 0.5


def test_amended_sentences_come_in_pairs(data):
    claims = amended(data, "validation")
    assert len(claims) > 50
    for right, wrong in zip(claims[::2], claims[1::2], strict=True):
        assert right.entailed and right.claim in right.evidence
        assert not wrong.entailed and wrong.claim not in wrong.evidence


def rows_about(*passages):
    """A question on each passage, of one word that stands in it, with that word for an answer."""
    rows = []
    for number, passage in enumerate(passages):
        word = passage.split()[-1]
        start = passage.rindex(word)
        spans = ((start, start + len(word)),)
        rows.append(Question(str(number), f"Article_{number}", f"{word}?", passage, (word,), spans))
    return rows


def by_letters(texts):
    """A vector for each text: whether it has each letter."""
    return numpy.array(
        [[float(letter in text.lower()) for letter in string.ascii_lowercase] for text in texts]
    )


def test_near_passages_hold_no_answer():
    rows = rows_about("The hall is red", "A red door", "The red roof is of copper", "Snow")
    found = near(rows, 1.0, "a seed", by_letters)
    assert len(found) == len(rows)
    for made in found:
        asked = next(row for row in rows if row.id == made.id)
        assert made.passage in {row.passage for row in rows} - {asked.passage}
        assert asked.answers[0] not in made.passage
        assert not made.answerable and not made.spans
    # All other passages hold the answer of "red".
    assert not [made for made in near(rows[:3], 1.0, "a seed", by_letters) if made.id == "0"]
    assert near(rows, 0.0, "a seed", by_letters) == []
    assert near([], 1.0, "a seed", by_letters) == []


def test_a_title_moves_the_answer(data):
    for row in squad(data, "validation")[:200]:
        moved = titled(row)
        assert moved.passage.startswith(row.article.replace("_", " ") + ". ")
        for (start, end), (was_start, was_end) in zip(moved.spans, row.spans, strict=True):
            assert moved.passage[start:end] == row.passage[was_start:was_end]


def test_evidence_is_found_as_the_index_writes_it():
    passage = "Fees. Service: Card; Fee: EUR 5\nService: Locker; Fee: EUR 12; Due: 1 May\nPay at the desk, in cash."
    cases = {
        "Pay at the desk in cash.": "Pay at the desk, in cash",
        "| Locker | EUR 12 | 1 May |": "Service: Locker; Fee: EUR 12; Due: 1 May",
        "Locker,EUR 12,1 May": "Service: Locker; Fee: EUR 12; Due: 1 May",
        "| Locker | EUR 5 |": None,
        "Pay by card.": None,
    }
    for evidence, expected in cases.items():
        place = located(evidence, passage)
        assert (place and passage[place[0] : place[1]]) == expected, evidence


def test_passages_that_answer_are_told_from_those_that_do_not():
    def source(document, section, text):
        return {"document": document, "title": "Fees", "section": section, "text": text}

    row = {
        "id": "a-1",
        "site": "a",
        "question": "What do I pay?",
        "document": "fees.md",
        "heading": "Lockers",
        "kind": "words",
        "words": "EUR 12",
        "evidence": ["A locker costs EUR 12."],
        "passages": [
            source("library.md", ["Loans"], "A late book costs EUR 12."),
            source("fees.md", ["Lockers"], "Ask first. A locker costs EUR 12."),
            source("fees.md", ["Lockers"], "Bring the key back."),
        ],
    }
    asked = labelled(row)
    (gold,) = asked.gold
    assert gold.passage == "Fees — Lockers. Ask first. A locker costs EUR 12."
    assert [gold.passage[a:b] for a, b in gold.spans] == ["EUR 12"]
    assert [gold.passage[a:b] for a, b in gold.evidence] == ["A locker costs EUR 12"]
    # What stands under the same heading is neither one nor the other.
    assert [other.id for other in asked.others] == ["a-1:0"]
    nothing = labelled(row | {"kind": "nothing", "evidence": []})
    assert (nothing.gold, len(nothing.others)) == ((), 3)


def test_verdicts_are_halved_by_what_they_are_about(data):
    halves = [{row.article for row in boolq(data, half)} for half in ("train", "test")]
    assert halves[0] and halves[1] and not halves[0] & halves[1]
    assert {row.kind for row in boolq(data, "train")} == {"yes", "no"}
    assert {row.kind for row in sharc(data)} == {"yes", "no", "depends", None}


def test_each_handbook_has_one_purpose():
    folders = {path.parent.name for path in HANDBOOKS.glob("*/questions.jsonl")}
    assert set(splits()) == folders
    listed = (HANDBOOKS / "splits.toml").read_text(encoding="utf-8")
    assert all(listed.count(f'"{name}"') == 1 for name in folders)


def test_questions_on_public_pages_still_fit_them(data, tmp_path):
    asked = {name: rows for name, _, rows in (*public(), *doc2dial(tmp_path))}
    assert len(asked["gsa"]) >= 2_000 and len(asked["carpentries"]) >= 1_900
    assert len(asked["doc2dial-train"]) >= 2_400 and len(asked["doc2dial-test"]) == 277
    for rows in asked.values():
        assert all(row["evidence"] or row["kind"] == "nothing" for row in rows)


def test_prose_says_what_its_evidence_says():
    """A line for each question, short, and no figure that neither the question nor the documents have."""
    written = sorted(HANDBOOKS.glob("*/prose.jsonl"))
    assert len(written) >= 23
    figure = re.compile(r"\d[\d.,:]*\d|\d")
    for path in written:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        asked = [json.loads(line) for line in (path.parent / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
        assert [line["id"] for line in lines] == [row["id"] for row in asked], path
        told = "\n".join(file.read_text(encoding="utf-8") for file in (path.parent / "documents").iterdir())
        for line, row in zip(lines, asked, strict=True):
            prose = line["prose"]
            assert 2 <= len(prose.split()) <= 60, line
            # A comma parts cells of a table as well as thousands.
            known = set(figure.findall(told + row["question"])) | set(figure.findall(told.replace(",", " ")))
            assert set(figure.findall(prose)) <= known, (line, set(figure.findall(prose)) - known)
            if row["kind"] in ("yes", "no"):
                assert prose.lower().startswith(row["kind"]), line
