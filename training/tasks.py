"""What the training loop knows of a task."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from torch import Tensor, nn

from training.settings import Settings, Stage


class Task(Protocol):
    """A task's rows are its own business; the loop knows their lengths only."""

    settings: Settings

    def model(self) -> nn.Module:
        """The network, before it learns; what learns needs its gradient."""
        ...

    def rows(self, stage: Stage, epoch: int) -> Sequence[Any]:
        """The rows of one epoch of a stage."""
        ...

    def length(self, row: Any) -> int:
        """Tokens of a row."""
        ...

    def loss(self, model: Any, rows: list[Any]) -> Tensor:
        """The mean loss over `rows`."""
        ...

    def validate(self, model: Any, quick: bool) -> dict[str, float]:
        """Figures on the rows kept for choosing, never on those for the test; on a part if `quick`."""
        ...

    def export(self, model: Any, path: Path) -> dict[str, str]:
        """Chooses thresholds and writes the adapter with its metadata, which it returns."""
        ...

    def read(self, path: Path) -> tuple[Any, dict[str, str]]:
        """The network with an adapter that was written, and its metadata."""
        ...

    def test(self, model: Any, metadata: dict[str, str]) -> dict[str, Any]:
        """Figures on the rows for the test."""
        ...


def task_of(settings: Settings) -> Task:
    if settings.task == "reader":
        from training.reader import Reader

        return Reader(settings)
    if settings.task == "checker":
        from training.checker import Checker

        return Checker(settings)
    if settings.task == "reranker":
        from training.reranker import Reranker

        return Reranker(settings)
    if settings.task == "query":
        from training.query import Query

        return Query(settings)
    if settings.task == "passage":
        from training.passage import Passage

        return Passage(settings)
    if settings.task == "pair":
        from training.pair import Pair

        return Pair(settings)
    if settings.task == "prose":
        from training.prose import Prose

        return Prose(settings)
    raise SystemExit(f"no task is called {settings.task!r}")
