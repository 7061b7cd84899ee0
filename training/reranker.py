"""The reranker: how well a passage answers a question, both read together.

Nogueira and Cho, "Passage Re-ranking with BERT" (2019), trained listwise: the right passage against
those that the trunk's own vectors take for right.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy
import torch
from torch import Tensor
from torch.nn import functional

from training.data.ranking import Collection, scifact, squad_passages
from training.encode import encode, fast_trunk
from training.heads import Model
from training.metrics import ndcg, reciprocal_rank
from training.on_trunk import OnTrunk
from training.settings import DATA, Settings, Stage, trunk_folder
from training.tokens import Window, WordPieces, batch_of, windows

SOURCES = {"squad": squad_passages, "scifact": scifact}
QUICK_QUERIES = 40


@dataclass(frozen=True)
class Row:
    """A question with passages, the right one first."""

    inputs: tuple[Window, ...]


class Reranker(OnTrunk):
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pooling = str(settings.head["pooling"])
        self.depth = int(settings.head["depth"])
        self.test_queries = int(settings.head["test_queries"])
        self.pieces = WordPieces(trunk_folder())
        self._nearest: dict[str, dict[str, list[tuple[str, float]]]] = {}
        self._vectors: dict[str, numpy.ndarray] = {}

    def nearest(
        self, collection: Collection, queries: list[str], depth: int
    ) -> dict[str, list[tuple[str, float]]]:
        """For each query the `depth` passages nearest by the trunk's vectors, with their cosines."""
        # The texts of a source are the same in every split that has as many of them.
        name = f"{collection.name.split('-')[0]} {len(collection.passages)}"
        if name not in self._vectors:
            self._vectors[name] = encode(fast_trunk(), self.pieces, list(collection.passages.values()))
        asked = encode(fast_trunk(), self.pieces, [collection.queries[key] for key in queries])
        keys = list(collection.passages)
        found = {}
        for key, cosines in zip(queries, asked @ self._vectors[name].T, strict=True):
            best = numpy.argsort(-cosines, kind="stable")[:depth]
            found[key] = [(keys[place], float(cosines[place])) for place in best]
        return found

    def rows(self, stage: Stage, epoch: int) -> list[Row]:
        draw = random.Random(f"{self.settings.seed} {epoch}")
        rows = []
        for name, told in stage.sources.items():
            collection = SOURCES[name](DATA, "train")
            queries = list(collection.queries)
            queries = draw.sample(queries, min(told.get("rows", len(queries)), len(queries)))
            near = self.nearest(collection, queries, told["hard"])
            everything = list(collection.passages)
            for key in queries:
                right = collection.relevant[key]
                wrong = [other for other, _ in near[key] if other not in right]
                chosen = draw.sample(wrong, min(told["negatives"] - 1, len(wrong)))
                chosen.append(
                    draw.choice([other for other in draw.sample(everything, 5) if other not in right])
                )
                for positive in sorted(right):
                    passages = [collection.passages[other] for other in (positive, *chosen)]
                    rows.append(
                        Row(tuple(self._windows(collection.queries[key], text)[0] for text in passages))
                    )
        return rows

    def _windows(self, query: str, passage: str) -> list[Window]:
        return windows(self.pieces.pieces(query), self.pieces.pieces(passage), self.settings.input)

    def length(self, row: Row) -> int:
        return len(row.inputs) * max(len(window) for window in row.inputs)

    def loss(self, model: Model, rows: list[Row]) -> Tensor:
        """Cross-entropy of the right passage among its group's, plus, at a tenth, that of each
        passage for itself, so that scores of different questions are comparable."""
        scores = model(batch_of([window for row in rows for window in row.inputs]))["score"][:, 0]
        groups = torch.split(scores, [len(row.inputs) for row in rows])
        listwise = torch.stack([-functional.log_softmax(group, dim=0)[0] for group in groups])
        truth = torch.cat([torch.eye(1, len(group))[0] for group in groups])
        alone = functional.binary_cross_entropy_with_logits(scores, truth)
        return listwise.mean() + 0.1 * alone

    @torch.no_grad()
    def scores(self, model: Model, pairs: Sequence[tuple[str, str]]) -> numpy.ndarray:
        """A query and a passage's score: its best window's."""
        cut = [(n, window) for n, pair in enumerate(pairs) for window in self._windows(*pair)]
        cut.sort(key=lambda item: len(item[1]))
        best = numpy.full(len(pairs), -numpy.inf)
        for at in range(0, len(cut), 16):
            chosen = cut[at : at + 16]
            says = model(batch_of([window for _, window in chosen]))["score"][:, 0].tolist()
            for (number, _), score in zip(chosen, says, strict=True):
                best[number] = max(best[number], score)
        return best

    def ranking(self, model: Model, collection: Collection, queries: list[str]) -> dict[str, float]:
        """nDCG@10 and MRR@10 of the trunk's order, of the reranker's of the first `depth` passages,
        and of the sum of both by standard scores."""
        near = self.nearest(collection, queries, self.depth)
        pairs = [
            (collection.queries[key], collection.passages[passage])
            for key in queries
            for passage, _ in near[key]
        ]
        scores = self.scores(model, pairs).reshape(len(queries), -1)
        sums: dict[str, list[float]] = {}
        for key, own in zip(queries, scores, strict=True):
            passages = [passage for passage, _ in near[key]]
            cosines = numpy.array([cosine for _, cosine in near[key]])
            orders = {"trunk": cosines, "reranked": own, "both": standard(cosines) + standard(own)}
            for name, values in orders.items():
                ranked = [passages[place] for place in numpy.argsort(-values, kind="stable")]
                right = collection.relevant[key]
                sums.setdefault(f"ndcg_{name}", []).append(ndcg(ranked, right))
                sums.setdefault(f"mrr_{name}", []).append(reciprocal_rank(ranked, right))
        return {name: float(numpy.mean(values)) for name, values in sums.items()}

    def validate(self, model: Model, quick: bool) -> dict[str, float]:
        figures = {}
        trained = {name for stage in self.settings.stages for name in stage.sources}
        for name in sorted(trained):
            collection = SOURCES[name](DATA, "validation")
            queries = sorted(collection.queries)
            draw = random.Random(0)
            queries = draw.sample(queries, min(QUICK_QUERIES, len(queries)))
            told = self.ranking(model, collection, queries)
            figures[f"ndcg_{name}"] = told["ndcg_reranked"]
        return figures

    def metadata(self, model: Model) -> dict[str, str]:
        return {"threshold": "0", "temperature": "1"}

    def test(self, model: Model, metadata: dict[str, str]) -> dict[str, object]:
        figures: dict[str, object] = {}
        for name, source in SOURCES.items():
            collection = source(DATA, "test")
            queries = sorted(collection.queries)
            queries = random.Random(0).sample(queries, min(self.test_queries, len(queries)))
            figures[name] = {"queries": len(queries), **self.ranking(model, collection, queries)}
        return figures


def standard(values: numpy.ndarray) -> numpy.ndarray:
    return (values - values.mean()) / (values.std() or 1.0)
