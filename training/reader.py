"""The span reader: where in a passage a question is answered, or that it isn't.

Devlin et al. (2019), section 4.3, for the span of no answer on `[CLS]`; beside it a head that tells
whether there is an answer at all, of which the better one is exported.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy
import torch
from torch import Tensor
from torch.nn import functional

from training.data.altered import altered
from training.data.found import Asked, drawn, found
from training.data.near import near, titled
from training.data.policyqa import policyqa
from training.data.prompted import prompted
from training.data.qamr import qamr
from training.data.reading import KINDS, Place, Question, sentence_around, without_texts_of
from training.data.squad import squad
from training.data.verdicts import boolq, sharc
from training.encode import encode, fast_trunk
from training.find import FOUND
from training.heads import Model
from training.metrics import auroc, balanced_threshold, exact_match, f1
from training.on_trunk import OnTrunk
from training.settings import DATA, Settings, Stage, trunk_folder
from training.spans import Reading, WindowLogits, read
from training.splits import SPLITS, split_of
from training.tokens import Pieces, Window, WordPieces, batch_of, windows

QUICK_ROWS = 400
QUICK_ASKED = 80


@dataclass(frozen=True)
class Row:
    """A window and what it should say: pairs of a place (0 is `[CLS]`: no answer) and its share."""

    window: Window
    starts: tuple[tuple[int, float], ...] | None
    """None where what answers is no span."""
    ends: tuple[tuple[int, float], ...] | None
    answerable: bool
    kind: int | None
    """Of `KINDS`; none where nothing answers, or the source doesn't say."""
    evidence: tuple[tuple[int, int], ...] | None
    """First and last tokens of the sentences that answer, as places in the input; none where the source
    doesn't say which they are."""


Group = tuple[Row, ...]
"""A question's passages, of which those that answer are to stand first; or a row alone."""


class Reader(OnTrunk):
    pooling = "cls"

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.max_answer = int(settings.head["max_answer"])
        self.answerable_weight = float(settings.head["answerable_weight"])
        self.kind_weight = float(settings.head.get("kind_weight", 0.0))
        self.evidence_weight = float(settings.head.get("evidence_weight", 0.0))
        self.first_weight = float(settings.head.get("first_weight", 0.0))
        self.pieces = WordPieces(trunk_folder())
        self.validation = squad(DATA, "validation")
        self.tests = squad(DATA, "test")
        self.asks = "found" in settings.sources
        """Whether it learns from what a search brings, and is measured on that."""

    @cached_property
    def asked(self) -> dict[str, list[Asked]]:
        """The questions of collections by what they are for."""
        found_for: dict[str, list[Asked]] = {split: [] for split in SPLITS}
        for one in found(FOUND / "found.jsonl"):
            found_for[split_of(one.site)].append(one)
        return found_for

    # Rows

    def rows(self, stage: Stage, epoch: int) -> list[Group]:
        groups: list[Group] = []
        for name, told in stage.sources.items():
            if name == "found":
                groups += self._found(told, f"{self.settings.seed} {epoch}")
                continue
            questions = without_texts_of(self._source(name, epoch, told), self._held_out())
            if "rows" in told:
                draw = random.Random(f"{self.settings.seed} {epoch} rows")
                questions = draw.sample(questions, told["rows"])
            swapped = self._swapped(questions, told.get("swapped", 0.0), epoch)
            changed = altered(
                questions, told.get("altered", 0.0), f"{self.settings.seed} {epoch} altered"
            )
            found = near(
                questions,
                told.get("near", 0.0),
                f"{self.settings.seed} {epoch} near",
                lambda texts: encode(fast_trunk(), self.pieces, texts),
            )
            draw = random.Random(f"{self.settings.seed} {epoch} titled")
            for question in (*questions, *swapped, *changed, *found):
                with_title = draw.random() < told.get("titled", 0.0)
                groups += [(row,) for row in self._windows(titled(question) if with_title else question)]
        return groups

    def _found(self, told: dict[str, Any], seed: str) -> list[Group]:
        """Questions each with passages that a search brought."""
        asked = self.asked["train"]
        if "share" in told:
            draw = random.Random(f"{seed} share")
            asked = [one for one in asked if draw.random() < told["share"].get(one.site, 1.0)]
        if "questions" in told:
            asked = random.Random(f"{seed} questions").sample(asked, told["questions"])
        questions = list(drawn(asked, told["negatives"], seed))
        clean = set(without_texts_of([one for group in questions for one in group], self._held_out()))
        groups = [
            tuple(row for question in group if question in clean for row in self._windows(question))
            for group in questions
        ]
        return [group for group in groups if group]

    def _held_out(self) -> list[Question]:
        return self.validation + self.tests

    def _source(self, name: str, epoch: int, told: dict[str, Any]) -> list[Question]:
        if name == "squad":
            return squad(DATA, "train")
        if name == "prompted":
            return prompted(DATA)
        if name == "policyqa":
            return policyqa(DATA)
        if name == "boolq":
            return boolq(DATA, "train")
        if name == "qamr":
            seed = self.settings.seed + epoch
            return qamr(DATA, told["per_sentence"], told["others"], seed)
        raise SystemExit(f"the reader has no source called {name!r}")

    def _swapped(self, questions: list[Question], share: float, epoch: int) -> list[Question]:
        """Questions with a passage of another article, where there is no answer: what retrieval
        brings when it fails, and easier than those that people wrote."""
        draw = random.Random(f"{self.settings.seed} {epoch}")
        chosen = draw.sample(questions, int(len(questions) * share))
        made = []
        for question in chosen:
            other = draw.choice(questions)
            if other.article != question.article:
                made.append(replace(question, passage=other.passage, answers=(), spans=(), kind=None, evidence=None))
        return made

    def _windows(self, question: Question) -> list[Row]:
        passage = self.pieces.pieces(question.passage)
        asked = self.pieces.pieces(question.question)
        spans = [tokens_of(span, passage) for span in question.spans]
        places = evidence_of(question)
        evidence = None if places is None else [tokens_of(place, passage) for place in places]
        if question.answers and not spans:
            return []
        rows = []
        for window in windows(asked, passage, self.settings.input):

            def inside(
                tokens: list[tuple[int, int]], window: Window = window
            ) -> list[tuple[int, int]]:
                moved = window.passage_at - window.start
                return [
                    (first + moved, last + moved)
                    for first, last in tokens
                    if window.start <= first and last < window.end
                ]

            # A window holds the answer with its words, else with its evidence; where neither is known, all do.
            found = inside(spans or evidence or [])
            holds = question.answerable and (bool(found) or not (spans or evidence))
            is_span = bool(question.spans) or not question.answerable or not holds
            rows.append(
                Row(
                    window,
                    shares([first for first, _ in found]) if is_span else None,
                    shares([last for _, last in found]) if is_span else None,
                    holds,
                    KINDS.index(question.kind or "words") if holds else None,
                    None if evidence is None else tuple(inside(evidence)),
                )
            )
        return rows

    def length(self, row: Group) -> int:
        return len(row) * max(len(one.window) for one in row)

    # Learning

    def loss(self, model: Model, groups: list[Group]) -> Tensor:
        rows = [row for group in groups for row in group]
        batch = batch_of([row.window for row in rows])
        outputs = model(batch)
        span = masked(outputs["span"], [row.window for row in rows])
        logs = functional.log_softmax(span, dim=1)
        targets = torch.zeros_like(logs)
        for number, row in enumerate(rows):
            for place, share in row.starts or ():
                targets[number, place, 0] += share
            for place, share in row.ends or ():
                targets[number, place, 1] += share
        places = -(targets * logs.clamp_min(-1e4)).sum((1, 2)) / 2
        truth = torch.tensor([float(row.answerable) for row in rows])
        says = functional.binary_cross_entropy_with_logits(outputs["answerable"][:, 0], truth)
        kinds = torch.tensor([-1 if row.kind is None else row.kind for row in rows])
        kind = functional.cross_entropy(outputs["kind"], kinds, ignore_index=-1, reduction="sum")
        return (
            places.mean()
            + self.answerable_weight * says
            + self.kind_weight * kind / len(rows)
            + self.evidence_weight * evidence_loss(outputs["evidence"][:, :, 0], rows)
            + self.first_weight * first_loss(outputs["answerable"][:, 0], groups)
        )

    # Measuring

    @torch.no_grad()
    def logits(self, model: Model, inputs: Sequence[Window]) -> list[WindowLogits]:
        """In the order of `inputs`."""
        made: dict[int, WindowLogits] = {}
        order = sorted(range(len(inputs)), key=lambda number: len(inputs[number]))
        for at in range(0, len(order), 16):
            chosen = order[at : at + 16]
            outputs = model(batch_of([inputs[number] for number in chosen]))
            span = outputs["span"].double().numpy()
            answerable = outputs["answerable"][:, 0].tolist()
            for place, number in enumerate(chosen):
                window = inputs[number]
                part = slice(window.passage_at, len(window) - 1)
                made[number] = WindowLogits(
                    window,
                    span[place, part, 0],
                    span[place, part, 1],
                    float(span[place, 0].sum()),
                    answerable[place],
                )
        return [made[number] for number in range(len(inputs))]

    def readings(self, model: Model, questions: Sequence[Question]) -> list[Reading]:
        cut = [
            windows(
                self.pieces.pieces(question.question),
                self.pieces.pieces(question.passage),
                self.settings.input,
            )
            for question in questions
        ]
        logits = iter(self.logits(model, [window for group in cut for window in group]))
        return [read([next(logits) for _ in group], self.max_answer) for group in cut]

    def best_text(self, question: Question, reading: Reading) -> str:
        if not reading.spans:
            return ""
        return reading.spans[0].text(question.passage, self.pieces.pieces(question.passage))

    def validate(self, model: Model, quick: bool) -> dict[str, float]:
        questions = self.validation
        if quick:
            questions = random.Random(0).sample(questions, min(QUICK_ROWS, len(questions)))
        readings = self.readings(model, questions)
        figures = self.answering(questions, readings)
        for way in ("cls", "answerable"):
            scores = [getattr(reading, f"margin_{way}") for reading in readings]
            figures[f"auroc_{way}"] = auroc(scores, [row.answerable for row in questions])
        if self.asks:
            asked = self.asked["validation"]
            figures |= self.of_found(model, random.Random(0).sample(asked, QUICK_ASKED) if quick else asked)
            verdicts = boolq(DATA, "test")[: QUICK_ROWS if quick else None]
            figures["boolq"] = self.verdicts_right(model, verdicts)
        return figures

    @torch.no_grad()
    def of_found(self, model: Model, asked: Sequence[Asked]) -> dict[str, float]:
        """How well passages that answer are told from those that don't, whether the first of a question's
        passages in that order answers, and how often the kind and the evidence are right."""
        holds, margins, firsts, kinds, evidence, marked = [], [], [], [], [], []
        for one in asked:
            questions = [*one.gold, *one.others]
            rows = [self._windows(question)[0] for question in questions]
            if not rows:
                continue
            outputs = model(batch_of([row.window for row in rows]))
            says = outputs["answerable"][:, 0].tolist()
            holds += [question.answerable for question in questions]
            margins += says
            if one.gold:
                firsts.append(int(numpy.argmax(says)) < len(one.gold))
            for number, row in enumerate(rows[: len(one.gold)]):
                if row.kind is not None:
                    kinds.append(int(outputs["kind"][number].argmax()) == row.kind)
                inside = slice(row.window.passage_at, len(row.window) - 1)
                truth = numpy.zeros(len(row.window), bool)
                for first, last in row.evidence or ():
                    truth[first : last + 1] = True
                evidence += outputs["evidence"][number, : len(row.window), 0].tolist()[inside]
                marked += truth[inside].tolist()
        return {
            "found_auroc": auroc(margins, holds),
            "found_first": float(numpy.mean(firsts)),
            "found_kind": float(numpy.mean(kinds)),
            "found_evidence_auroc": auroc(evidence, marked),
        }

    @torch.no_grad()
    def verdicts_right(self, model: Model, questions: Sequence[Question]) -> float:
        """The share of yes-or-no questions whose verdict, of the three, is right."""
        right = []
        for question in questions:
            row = self._windows(question)[0]
            says = model(batch_of([row.window]))["kind"][0]
            verdicts = [KINDS.index(kind) for kind in ("yes", "no", "depends")]
            best = max(verdicts, key=lambda kind: float(says[kind]))
            right.append(KINDS[best] == question.kind)
        return float(numpy.mean(right))

    def answering(self, questions: Sequence[Question], readings: list[Reading]) -> dict[str, float]:
        """F1 and exact match on the questions that have an answer, when it must give one."""
        pairs = [pair for pair in zip(questions, readings, strict=True) if pair[0].answerable]
        texts = [(self.best_text(row, reading), row.answers) for row, reading in pairs]
        return {
            "f1_answerable": float(numpy.mean([f1(text, golds) for text, golds in texts])),
            "em_answerable": float(numpy.mean([exact_match(text, golds) for text, golds in texts])),
        }

    def metadata(self, model: Model) -> dict[str, str]:
        """Chooses the margin and its threshold on the articles for choosing."""
        readings = self.readings(model, self.validation)
        truth = [row.answerable for row in self.validation]
        scores = {
            way: [getattr(reading, f"margin_{way}") for reading in readings]
            for way in ("cls", "answerable")
        }
        null = max(scores, key=lambda way: auroc(scores[way], truth))
        threshold = balanced_threshold(scores[null], truth)
        return {
            "null": null,
            "threshold": f"{threshold:.4f}",
            "temperature": f"{fitted_temperature(scores[null], truth, threshold):.3f}",
            "max_answer": str(self.max_answer),
            "kinds": ",".join(KINDS),
        }

    def test(self, model: Model, metadata: dict[str, str]) -> dict[str, object]:
        readings = self.readings(model, self.tests)
        way, threshold = metadata["null"], float(metadata["threshold"])
        margins = [getattr(reading, f"margin_{way}") for reading in readings]
        truth = [row.answerable for row in self.tests]
        said = [
            self.best_text(row, reading) if margin > threshold else ""
            for row, reading, margin in zip(self.tests, readings, margins, strict=True)
        ]
        golds = [row.answers if row.answerable else () for row in self.tests]
        own = balanced_threshold(margins, truth)
        by_article = {}
        for article in sorted({row.article for row in self.tests}):
            picked = [
                pair for pair in zip(self.tests, readings, strict=True) if pair[0].article == article
            ]
            figures = self.answering([row for row, _ in picked], [made for _, made in picked])
            by_article[article] = {"questions": len(picked)} | figures
        return {
            "questions": len(self.tests),
            "answerable": sum(truth),
            **self.answering(self.tests, readings),
            "auroc": auroc(margins, truth),
            "refused_of_unanswerable": 1 - share_above(margins, truth, threshold, False),
            "answered_of_answerable": share_above(margins, truth, threshold, True),
            "refused_where_errors_are_even": 1 - share_above(margins, truth, own, False),
            **(self.of_found(model, self.asked["test"]) if self.asks else {}),
            **({"boolq": self.verdicts_right(model, boolq(DATA, "test"))} if self.asks else {}),
            **({"sharc": self.verdicts_right(model, answered(sharc(DATA)))} if self.asks else {}),
            "f1_all": float(numpy.mean([f1(a, g) for a, g in zip(said, golds, strict=True)])),
            "em_all": float(
                numpy.mean(
                    [exact_match(a, g) if g else float(not a) for a, g in zip(said, golds, strict=True)]
                )
            ),
            "articles": by_article,
        }


def share_above(margins: list[float], truth: list[bool], threshold: float, which: bool) -> float:
    """Of the questions that are answerable, or that aren't, the share that gets an answer."""
    return float(numpy.mean([m > threshold for m, t in zip(margins, truth, strict=True) if t == which]))


def fitted_temperature(margins: list[float], truth: list[bool], threshold: float) -> float:
    """By which `margin - threshold` is divided so that its sigmoid is the probability of an answer:
    the one of the least log loss (Guo et al. 2017), among 1/10 to 10 in steps of 2 %."""
    values = numpy.asarray(margins) - threshold
    signs = numpy.where(numpy.asarray(truth), 1.0, -1.0)
    candidates = 0.1 * 1.02 ** numpy.arange(233)
    losses = [numpy.logaddexp(0, -signs * values / t).mean() for t in candidates]
    return float(candidates[int(numpy.argmin(losses))])


def tokens_of(span: tuple[int, int], pieces: Pieces) -> tuple[int, int]:
    """The first and the last token that touch the characters of `span`."""
    touched = [
        number for number, (start, end) in enumerate(pieces.spans) if start < span[1] and end > span[0]
    ]
    return touched[0], touched[-1]


def shares(places: list[int]) -> tuple[tuple[int, float], ...]:
    """Each annotator's place with an equal share; `[CLS]` if there is none."""
    if not places:
        return ((0, 1.0),)
    return tuple((place, 1 / len(places)) for place in places)


def answered(questions: Sequence[Question]) -> list[Question]:
    return [question for question in questions if question.answerable]


def evidence_of(question: Question) -> tuple[Place, ...] | None:
    """The sentences that answer: those that the source marks, or the ones around its words."""
    if question.evidence is not None or not question.answerable:
        return question.evidence or ()
    if not question.spans:
        return None
    return tuple({sentence_around(question.passage, span) for span in question.spans})


def evidence_loss(logits: Tensor, rows: list[Row]) -> Tensor:
    """Cross entropy of each token's standing in a sentence that answers; logits `[batch, tokens]`."""
    weights = torch.zeros_like(logits)
    truth = torch.zeros_like(logits)
    for number, row in enumerate(rows):
        if row.evidence is None:
            continue
        weights[number, row.window.passage_at : len(row.window) - 1] = 1
        for first, last in row.evidence:
            truth[number, first : last + 1] = 1
    losses = functional.binary_cross_entropy_with_logits(logits, truth, weights, reduction="sum")
    return losses / weights.sum().clamp_min(1)


def first_loss(logits: Tensor, groups: list[Group]) -> Tensor:
    """Cross entropy of the passages that answer among their question's: Gao et al., "Rethink Training of BERT Rerankers" (2021);
    logits `[rows]`. Nothing for a question of which all passages answer, or none."""
    losses = [logits.sum() * 0]
    for group, scores in zip(groups, logits.split([len(group) for group in groups]), strict=True):
        answers = torch.tensor([row.answerable for row in group])
        if answers.any() and not answers.all():
            losses.append(torch.logsumexp(scores, 0) - torch.logsumexp(scores[answers], 0))
    return torch.stack(losses).sum() / max(1, len(losses) - 1)


def masked(span: Tensor, inputs: list[Window]) -> Tensor:
    """Span logits `[batch, tokens, 2]` with only `[CLS]` and the passage's tokens possible."""
    allowed = torch.zeros(span.shape[:2], dtype=torch.bool)
    for number, window in enumerate(inputs):
        allowed[number, 0] = True
        allowed[number, window.passage_at : len(window) - 1] = True
    return span.masked_fill(~allowed[:, :, None], -1e4)
