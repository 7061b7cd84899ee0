"""What the training loop knows of a task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from torch import Tensor

from training.heads import Model
from training.settings import Settings, Stage


class Task(Protocol):
    """A task's rows are its own business; the loop knows their lengths only."""

    settings: Settings
    pooling: str

    def rows(self, stage: Stage, epoch: int) -> Sequence[Any]:
        """The rows of one epoch of a stage."""
        ...

    def length(self, row: Any) -> int:
        """Tokens of a row."""
        ...

    def loss(self, model: Model, rows: list[Any]) -> Tensor:
        """The mean loss over `rows`."""
        ...

    def validate(self, model: Model, quick: bool) -> dict[str, float]:
        """Figures on the rows kept for choosing, never on those for the test; on a part if `quick`."""
        ...

    def metadata(self, model: Model) -> dict[str, str]:
        """What the adapter's file says of this task, thresholds included."""
        ...

    def test(self, model: Model, metadata: dict[str, str]) -> dict[str, Any]:
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
    raise SystemExit(f"no task is called {settings.task!r}")
