"""Both sides of a search by meaning: the query adapter and the passage adapter, learning together.

`query.py` moved questions while passages stood still, and `passage.py` passages while questions did. Here both go on from there, on
what a site runs: the trunk in four bits (`in_site.py`), and passages' tokens coded as a site keeps them. A question's wrong passages, the
teachers and the loss are those of `passage.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors import safe_open
from torch import Tensor, nn

from training.export import read_adapter, write_adapter
from training.find import FOUND
from training.heads import Model
from training.in_site import trunk_in
from training.mean import go_part_way
from training.on_trunk import halve_frozen
from training.passage import Passage, Site
from training.query import QUESTION_TOKENS
from training.settings import adapter_path
from training.tokens import alone

SITE = "natural-train"
"""Whose trunk both learn on; every site has the same."""


class Sides(nn.Module):
    def __init__(self, query: Model, passage: Model) -> None:
        super().__init__()
        self.query = query
        self.passage = passage


class Pair(Passage):
    # The network

    def model(self) -> Sides:
        torch.manual_seed(self.settings.seed)
        sides = started(self.settings.adapter.dropout)
        halve_frozen(sides)
        return sides

    def passage_side(self, model: Sides) -> Model:
        return model.passage

    def asked(self, model: Sides, site: Site, questions: Sequence[int]) -> tuple[Tensor, list[Tensor]]:
        texts = [site.collection.questions[question][0] for question in questions]
        windows = [alone(self.pieces.pieces(text), QUESTION_TOKENS) for text in texts]
        return self._embedded(model.query.trunk, windows)

    # Writing

    def export(self, model: Sides, path: Path) -> dict[str, str]:
        """Writes both adapters, `query` and `passage`, into the folder of `path`."""
        model.eval().float()
        go_part_way(model, started(), self.settings.adapter.way)
        for task, side in (("query", model.query), ("passage", model.passage)):
            with safe_open(adapter_path(f"{task}-start"), "pt") as file:
                metadata = file.metadata()
            own = {"seed": str(self.settings.seed), "licence": self.settings.licence}
            write_adapter(path.with_name(f"{task}.safetensors"), side, metadata | own)
        return {}

    def read(self, path: Path) -> tuple[Sides, dict[str, str]]:
        return on_a_site("query", "passage"), {}

    def test(self, model: Sides, metadata: dict[str, str]) -> dict[str, object]:
        """Handbooks for the test, the other half of doc2dial's pages, natural questions."""
        return dict(self.found_for_test(model))


def started(dropout: float = 0.0) -> Sides:
    """What both sides go on from."""
    return on_a_site("query-start", "passage-start", dropout)


def on_a_site(query: str, passage: str, dropout: float = 0.0) -> Sides:
    """Two adapters of `adapters` on the trunk of a site."""
    return Sides(*(read_adapter(adapter_path(name), trunk_in(FOUND / SITE, dropout))[0] for name in (query, passage)))
