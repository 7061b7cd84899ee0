"""The query adapter: questions, embedded where their answers are.

Karpukhin et al., "Dense Passage Retrieval" (2020), train an encoder for questions and one for passages. Here the passages'
stays the trunk, so that an index is the same with the adapter and without, and only the question's side learns: each
passage is embedded once, before the first step, and a step costs a question's twenty tokens, not a passage's two hundred. All
passages of a site stand against the right one. It learns for both comparisons that a search makes by meaning: the cosine of
the two means, and late interaction of token by token (Khattab and Zaharia 2020).
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy
import torch
from torch import Tensor
from torch.nn import functional

from training.data.asked import Collection, collections
from training.find import FOUND
from training.heads import Model
from training.on_trunk import OnTrunk
from training.settings import ROOM, Settings, Stage, trunk_folder
from training.teacher import carrying
from training.tokens import Window, WordPieces, alone, batch_of
from training.trunk import HIDDEN, Trunk, load_trunk, mean_vector

STOP_WORDS = ROOM.parent / "crates" / "language" / "languages" / "en" / "stop-words.txt"
PASSAGE_TOKENS = 256
QUESTION_TOKENS = 48
LATE_WEIGHT = 1.25
"""What late interaction counts beside the cosine: `late_weight` of `[search]`."""
QUICK_QUESTIONS = 120


@dataclass
class Site:
    """A collection with its passages embedded by the trunk."""

    collection: Collection
    vectors: Tensor
    """`[passages, hidden]`, each of length 1."""
    tokens: Tensor
    """`[passages, tokens, hidden]` in f16, each of length 1, zero where there is none."""


@dataclass(frozen=True)
class Row:
    site: Site
    window: Window
    gold: Tensor
    """The passages that answer, by number."""


class Query(OnTrunk):
    pooling = "mean"

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pieces = WordPieces(trunk_folder())
        self.sharpness = float(settings.head["sharpness"])
        self.cosine_sharpness = float(settings.head["cosine_sharpness"])
        self.share = float(settings.head["share"])

    @cached_property
    def sites(self) -> dict[str, list[Site]]:
        """By split."""
        trunk = load_trunk(trunk_folder()).eval()
        found: dict[str, list[Site]] = {"train": [], "validation": [], "test": []}
        for collection in collections():
            if collection.questions:
                found[collection.split].append(self._embedded(collection, trunk))
        return found

    def _embedded(self, collection: Collection, trunk: Trunk) -> Site:
        """Kept beside the collection, under the hash of its texts."""
        digest = hashlib.sha256("\0".join(collection.passages).encode()).hexdigest()
        kept = FOUND / f"{collection.name}-vectors.pt"
        if kept.exists():
            state = torch.load(kept, weights_only=True)
            if state["digest"] == digest:
                return Site(collection, state["vectors"], state["tokens"])
        print(f"embedding {collection.name}: {len(collection.passages)} passages", flush=True)
        site = Site(collection, *self._vectors(collection.passages, trunk))
        torch.save({"digest": digest, "vectors": site.vectors, "tokens": site.tokens}, kept)
        return site

    @torch.no_grad()
    def _vectors(self, texts: Sequence[str], trunk: Trunk) -> tuple[Tensor, Tensor]:
        inputs = [alone(self.pieces.pieces(text), PASSAGE_TOKENS) for text in texts]
        kept = [self.carries[window.ids] for window in inputs]
        vectors = torch.zeros(len(inputs), HIDDEN)
        tokens = torch.zeros(len(inputs), max(1, *(int(keep.sum()) for keep in kept)), HIDDEN, dtype=torch.float16)
        order = sorted(range(len(inputs)), key=lambda number: len(inputs[number]))
        for at in range(0, len(order), 16):
            chosen = order[at : at + 16]
            batch = batch_of([inputs[number] for number in chosen])
            states = trunk(batch)
            vectors[chosen] = functional.normalize(mean_vector(states, batch.mask))
            for place, number in enumerate(chosen):
                own = states[place, : len(inputs[number])][torch.from_numpy(kept[number])]
                tokens[number, : len(own)] = functional.normalize(own, dim=-1).half()
        return vectors, tokens

    @cached_property
    def carries(self) -> numpy.ndarray:
        """By token id, whether it is compared one by one."""
        return carrying(self.pieces.tokenizer.get_vocab(), stop_words(STOP_WORDS))

    # Learning

    def rows(self, stage: Stage, epoch: int) -> list[Row]:
        """Of each source so many questions as it has, or as it is told."""
        draw = random.Random(f"{self.settings.seed} {epoch}")
        rows = []
        for site in self.sites["train"]:
            told = stage.sources["asked"]
            asked = self._rows_of(site)
            rows += draw.sample(asked, min(len(asked), told.get("of_a_site", len(asked))))
        return rows

    def _rows_of(self, site: Site) -> list[Row]:
        return [
            Row(site, alone(self.pieces.pieces(question), QUESTION_TOKENS), torch.tensor(gold))
            for question, gold in site.collection.questions
        ]

    def length(self, row: Row) -> int:
        return len(row.window)

    def loss(self, model: Model, rows: list[Row]) -> Tensor:
        """Cross entropy of the passages that answer among all of the site by cosine, and among the nearest by
        late interaction and by the sum of both."""
        vectors, tokens = self._asked(model, rows)
        losses = []
        for row, vector, own in zip(rows, vectors, tokens, strict=True):
            cosines = row.site.vectors @ vector
            near = torch.zeros(len(cosines)).scatter(0, row.gold, 9.0) + cosines.detach()
            pool = near.topk(min(self.settings.head["pool"], len(near))).indices
            gold = torch.isin(pool, row.gold)
            late = standard(max_sims(own, row.site.tokens[pool]))
            both = standard(cosines[pool]) + LATE_WEIGHT * late
            losses.append(
                missed(self.sharpness * both, gold)
                + 0.5 * missed(self.cosine_sharpness * cosines, row.gold)
                + 0.5 * missed(1.5 * self.sharpness * late, gold)
            )
        return torch.stack(losses).mean()

    def _asked(self, model: Model, rows: Sequence[Row]) -> tuple[Tensor, list[Tensor]]:
        """Each question's vector, and those of its tokens that are compared."""
        batch = batch_of([row.window for row in rows])
        states = model.trunk(batch).float()
        vectors = functional.normalize(mean_vector(states, batch.mask), dim=-1)
        tokens = []
        for place, row in enumerate(rows):
            keep = torch.from_numpy(self.carries[row.window.ids])
            own = states[place, : len(row.window)]
            tokens.append(functional.normalize(own[keep] if keep.any() else own, dim=-1))
        return vectors, tokens

    # Measuring

    def validate(self, model: Model, quick: bool) -> dict[str, float]:
        return self._found(model, self.sites["validation"], quick)

    @torch.no_grad()
    def _found(self, model: Model, sites: Sequence[Site], quick: bool = False) -> dict[str, float]:
        """How often a passage that answers comes first and among five, by cosine and by both comparisons."""
        rows = [row for site in sites for row in self._rows_of(site)]
        if quick:
            rows = random.Random(0).sample(rows, min(QUICK_QUESTIONS, len(rows)))
        ranks: dict[str, list[int]] = {"cosine": [], "late": [], "both": []}
        for at in range(0, len(rows), 32):
            part = rows[at : at + 32]
            for row, vector, own in zip(part, *self._asked(model, part), strict=True):
                cosines = row.site.vectors @ vector
                pool = cosines.topk(min(self.settings.head["pool"], len(cosines))).indices
                late = max_sims(own, row.site.tokens[pool])
                both = standard(cosines[pool]) + LATE_WEIGHT * standard(late)
                gold = torch.isin(pool, row.gold)
                for name, scores in (("cosine", cosines[pool]), ("late", late), ("both", both)):
                    order = gold[scores.argsort(descending=True)].tolist()
                    ranks[name].append(order.index(True) if True in order else len(cosines))
        figures = {"questions": float(len(rows))}
        for name, found in ranks.items():
            figures[f"{name}_first"] = float(numpy.mean([rank == 0 for rank in found]))
            figures[f"{name}_of_five"] = float(numpy.mean([rank < 5 for rank in found]))
        return figures

    def metadata(self, model: Model) -> dict[str, str]:
        """A share of what was learned: half way back to the trunk keeps most of the gain and loses nothing elsewhere
        (Wortsman et al., "Robust fine-tuning of zero-shot models", 2022)."""
        return {"scale": f"{self.settings.adapter.scale * self.share:g}"}

    def test(self, model: Model, metadata: dict[str, str]) -> dict[str, object]:
        """Beside the trunk alone: handbooks for the test, and the other half of doc2dial's pages."""
        alone = Model(load_trunk(trunk_folder()).eval(), self.settings.task, self.pooling)
        figures: dict[str, object] = {}
        for part in ("handbooks", "doc2dial"):
            sites = [
                site
                for site in self.sites["test"]
                if site.collection.name.startswith("doc2dial") == (part == "doc2dial")
            ]
            figures[part] = {"adapter": self._found(model, sites), "trunk": self._found(alone, sites)}
        return figures


def standard(scores: Tensor) -> Tensor:
    """Standard scores."""
    return (scores - scores.mean()) / (scores.std(unbiased=False) + 1e-6)


def max_sims(question: Tensor, passages: Tensor) -> Tensor:
    """The mean over a question's tokens, `[tokens, hidden]`, of the cosine with the nearest token of each passage,
    `[passages, tokens, hidden]`."""
    return torch.einsum("qh,pth->pqt", question, passages.float()).amax(2).mean(1)


def missed(scores: Tensor, gold: Tensor) -> Tensor:
    """The negative logarithm of the probability that one of `gold` is drawn."""
    return torch.logsumexp(scores, 0) - torch.logsumexp(scores[gold], 0)


def stop_words(path: Path) -> frozenset[str]:
    """The words that the search passes over, out of the language's file that has them."""
    lines = path.read_text(encoding="utf-8").splitlines()
    words = frozenset(word for line in lines if not line.startswith(("#", "[")) for word in line.split())
    if not words:
        raise SystemExit(f"no words in {path}")
    return words
