"""What a training run is told: one TOML file per adapter, see `settings/`."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOM = Path(__file__).parent
DATA = ROOM.parent.parent / "shared" / "data"


TRUNK = "all-MiniLM-L6-v2"


def model_folder(name: str) -> Path:
    """Where a model's files lie: `$CAMPANILE_MODELS/NAME`, or in the cache that `campanile` itself fills."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "campanile"
    return Path(os.environ.get("CAMPANILE_MODELS", cache / "models")) / name


def trunk_folder(name: str = TRUNK) -> Path:
    folder = model_folder(name)
    if not (folder / "model.safetensors").exists():
        raise SystemExit(
            f"no model.safetensors in {folder}: run `campanile model fetch`, "
            f"or set CAMPANILE_MODELS to the folder that holds {name}"
        )
    return folder


def adapter_path(name: str) -> Path:
    return ROOM / "adapters" / f"{name}.safetensors"


@dataclass(frozen=True)
class Adapter:
    rank: int
    scale: float
    dropout: float
    full: bool
    start: str | None = None
    """Another adapter, of `training/adapters`, whose changes this one starts from."""
    trunk: str = TRUNK
    way: float = 1.0
    """How far from `start` to the end of the run the adapter lies that is written: between the two, what was learned before is
    kept better (Wortsman et al., "Robust fine-tuning of zero-shot models", 2022)."""


@dataclass(frozen=True)
class Input:
    max_length: int
    stride: int
    max_question: int


@dataclass(frozen=True)
class Optimisation:
    learning_rate: float
    head_learning_rate: float
    warmup: float
    weight_decay: float
    clip: float
    batch_tokens: int
    batch_rows: int


@dataclass(frozen=True)
class Stage:
    """Some epochs over a mixture: source name to what the source is told."""

    epochs: int
    sources: dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Settings:
    name: str
    task: str
    seed: int
    members: int
    """So many runs, of as many seeds from `seed` on, become one adapter: `mean.py`."""
    adapter: Adapter
    input: Input
    optimisation: Optimisation
    stages: tuple[Stage, ...]
    head: dict[str, Any]
    licence: str

    @property
    def sources(self) -> set[str]:
        return {name for stage in self.stages for name in stage.sources}


def read_settings(path: Path) -> Settings:
    with path.open("rb") as file:
        told = tomllib.load(file)
    return Settings(
        name=path.stem,
        task=told["task"],
        seed=told["seed"],
        members=told.get("members", 1),
        adapter=Adapter(**told["adapter"]),
        input=Input(**told["input"]),
        optimisation=Optimisation(**told["optimisation"]),
        stages=tuple(Stage(stage["epochs"], stage["sources"]) for stage in told["stage"]),
        head=told.get("head", {}),
        licence=told["licence"],
    )
