"""The claim checker: whether evidence entails a claim, contradicts it or leaves it open."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
import torch
from torch import Tensor
from torch.nn import functional

from training.data.nli import LABELS, Claim, amended, answered, begin, halueval, nli
from training.data.squad import Split
from training.encode import encode
from training.heads import Model
from training.metrics import auroc, balanced_accuracy, balanced_threshold
from training.on_trunk import OnTrunk
from training.settings import DATA, Settings, Stage, trunk_folder
from training.tokens import Window, WordPieces, batch_of, windows
from training.trunk import Trunk, load_trunk

NLI = ("mnli", "snli", "scitail")
MADE = {"squad": answered, "amended": amended}
QUICK_ROWS = 400
VALIDATION_ROWS = 1500
# A claim is supported by evidence at least so similar: as published, for another encoder.
SIMILARITY = 0.78


@dataclass(frozen=True)
class Row:
    window: Window
    labels: tuple[int, ...]


class Checker(OnTrunk):
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pooling = str(settings.head["pooling"])
        self.test_rows = int(settings.head["test_rows"])
        self.pieces = WordPieces(trunk_folder())
        kept = [claim for name in (*NLI, *MADE) for claim in claims_of(name, "validation")]
        random.Random(0).shuffle(kept)
        self.validation = kept[:VALIDATION_ROWS]

    def rows(self, stage: Stage, epoch: int) -> list[Row]:
        draw = random.Random(f"{self.settings.seed} {epoch}")
        rows = []
        for name, told in stage.sources.items():
            claims = claims_of(name, "train")
            most = told.get("rows", len(claims))
            for claim in draw.sample(claims, min(most, len(claims))):
                # What doesn't fit into one window is left out: which of them entails isn't known.
                cut = self._windows(claim)
                if len(cut) == 1:
                    rows.append(Row(cut[0], tuple(LABELS.index(label) for label in claim.labels)))
        return rows

    def _windows(self, claim: Claim) -> list[Window]:
        a, b = self.pieces.pieces(claim.claim), self.pieces.pieces(claim.evidence)
        return windows(a, b, self.settings.input)

    def length(self, row: Row) -> int:
        return len(row.window)

    def loss(self, model: Model, rows: list[Row]) -> Tensor:
        """The log of the summed probability of the labels that may be true."""
        logits = model(batch_of([row.window for row in rows]))["label"]
        possible = torch.full_like(logits, -1e4)
        for number, row in enumerate(rows):
            possible[number, list(row.labels)] = 0.0
        logs = functional.log_softmax(logits, dim=1)
        return -torch.logsumexp(logs + possible, dim=1).mean()

    @torch.no_grad()
    def logits(self, model: Model, claims: Sequence[Claim]) -> numpy.ndarray:
        """Three logits a claim, of the window in which `entailed` is most probable."""
        cut = [
            (number, window) for number, claim in enumerate(claims) for window in self._windows(claim)
        ]
        cut.sort(key=lambda pair: len(pair[1]))
        best = numpy.zeros((len(claims), len(LABELS)))
        sure = numpy.full(len(claims), -numpy.inf)
        for at in range(0, len(cut), 16):
            chosen = cut[at : at + 16]
            says = model(batch_of([window for _, window in chosen]))["label"].double()
            logs = torch.log_softmax(says, dim=1)[:, 0].numpy()
            for (number, _), logits, log in zip(chosen, says.numpy(), logs, strict=True):
                if log > sure[number]:
                    sure[number], best[number] = log, logits
        return best

    def validate(self, model: Model, quick: bool) -> dict[str, float]:
        claims = self.validation[:QUICK_ROWS] if quick else self.validation
        logits = self.logits(model, claims)
        entailed = log_softmax(logits)[:, 0]
        truth = [claim.entailed for claim in claims]
        return {"auroc": auroc(entailed, truth), "accuracy": accuracy(logits, claims)}

    def metadata(self, model: Model) -> dict[str, str]:
        logits = self.logits(model, self.validation)
        truth = [claim.entailed for claim in self.validation]
        temperature = fitted_temperature(logits, self.validation)
        entailed = numpy.exp(log_softmax(logits / temperature)[:, 0])
        return {
            "labels": ",".join(LABELS),
            "temperature": f"{temperature:.3f}",
            "threshold": f"{balanced_threshold(entailed, truth):.4f}",
        }

    def test(self, model: Model, metadata: dict[str, str]) -> dict[str, object]:
        temperature, threshold = float(metadata["temperature"]), float(metadata["threshold"])
        sources = {name: claims_of(name, "test") for name in (*NLI, *MADE)}
        sources |= {"halueval": halueval(DATA), "begin": begin(DATA)}
        trunk = load_trunk(trunk_folder()).eval()
        figures: dict[str, object] = {}
        for name, claims in sources.items():
            draw = random.Random(0)
            if len(claims) > self.test_rows:
                claims = draw.sample(claims, self.test_rows)
            logits = self.logits(model, claims)
            truth = [claim.entailed for claim in claims]
            entailed = numpy.exp(log_softmax(logits / temperature)[:, 0])
            figures[name] = {
                "claims": len(claims),
                "entailed": sum(truth),
                "balanced_accuracy": balanced_accuracy(entailed, truth, threshold),
                "auroc": auroc(entailed, truth),
                "accuracy": accuracy(logits, claims),
                "auroc_of_cosine": auroc(self._cosines(trunk, claims), truth),
                # What a set gives away without its evidence being read.
                "auroc_of_brevity": auroc([-len(claim.claim) for claim in claims], truth),
                **self._by_similarity(trunk, claims, truth),
            }
        return figures

    def _by_similarity(
        self, trunk: Trunk, claims: Sequence[Claim], truth: list[bool]
    ) -> dict[str, float]:
        """The rule of a published system: a claim's parts are supported where the evidence is at least
        so similar and has their numbers; the score is the share of them. Half of them are enough for
        "entailed" here, since the report names no threshold."""
        parts = [claim_parts(claim.claim) for claim in claims]
        of_parts = encode(trunk, self.pieces, [part for group in parts for part in group])
        of_evidence = encode(trunk, self.pieces, [claim.evidence for claim in claims])
        scores, at = [], 0
        for claim, group, evidence in zip(claims, parts, of_evidence, strict=True):
            numbers = set(re.findall(r"[0-9]+", claim.evidence))
            supported = 0
            for part in group:
                similar = float((of_parts[at] * evidence).sum()) >= SIMILARITY
                supported += similar and set(re.findall(r"[0-9]+", part)) <= numbers
                at += 1
            scores.append(supported / len(group) if group else 0.0)
        return {
            "auroc_of_similarity_rule": auroc(scores, truth),
            "balanced_accuracy_of_similarity_rule": balanced_accuracy(scores, truth, 0.5),
        }

    def _cosines(self, trunk: Trunk, claims: Sequence[Claim]) -> list[float]:
        """What the trunk says without an adapter: how near claim and evidence are."""
        of_claims = encode(trunk, self.pieces, [claim.claim for claim in claims])
        of_evidence = encode(trunk, self.pieces, [claim.evidence for claim in claims])
        return (of_claims * of_evidence).sum(1).tolist()


def claim_parts(claim: str) -> list[str]:
    """Cut at full stops, semicolons, "and", "but" and "however"; at least eight characters each."""
    pieces = re.split(r"[.;]|\b(?:and|but|however)\b", claim, flags=re.IGNORECASE)
    return [piece.strip() for piece in pieces if len(piece.strip()) >= 8]


def claims_of(name: str, split: Split) -> list[Claim]:
    made = MADE.get(name)
    return made(DATA, split) if made else nli(DATA, name, split)


def log_softmax(logits: numpy.ndarray) -> numpy.ndarray:
    return logits - numpy.logaddexp.reduce(logits, axis=1, keepdims=True)


def accuracy(logits: numpy.ndarray, claims: Sequence[Claim]) -> float:
    """Whether the likeliest label may be true."""
    return float(
        numpy.mean(
            [
                LABELS[int(row.argmax())] in claim.labels
                for row, claim in zip(logits, claims, strict=True)
            ]
        )
    )


def fitted_temperature(logits: numpy.ndarray, claims: Sequence[Claim]) -> float:
    """The temperature of the least log loss of `entailed`, among 1/5 to 5 in steps of 2 %."""
    truth = numpy.array([claim.entailed for claim in claims])

    def loss(temperature: float) -> float:
        logs = log_softmax(logits / temperature)
        others = numpy.logaddexp(logs[:, 1], logs[:, 2])
        return float(-numpy.where(truth, logs[:, 0], others).mean())

    candidates = 0.2 * 1.02 ** numpy.arange(163)
    return float(candidates[int(numpy.argmin([loss(float(t)) for t in candidates]))])
