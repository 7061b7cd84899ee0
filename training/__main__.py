"""`python -m training SETTINGS`: trains, exports and measures one adapter."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import replace
from pathlib import Path

import torch

from training.mean import take_mean
from training.settings import ROOM, Settings, adapter_path, read_settings
from training.tasks import task_of
from training.train import Run


def arguments() -> argparse.Namespace:
    names = sorted(path.stem for path in (ROOM / "settings").glob("*.toml"))
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("name", choices=names, help="which of settings/*.toml")
    parser.add_argument("--runs", type=Path, default=ROOM / "runs", help="where runs keep their state")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--steps", type=int, help="stop after so many steps; a rerun goes on")
    parser.add_argument("--again", action="store_true", help="forget an earlier run's state")
    parser.add_argument(
        "--only-test", action="store_true", help="measure adapters/NAME.safetensors and stop"
    )
    return parser.parse_args()


def main() -> None:
    told = arguments()
    settings = read_settings(ROOM / "settings" / f"{told.name}.toml")
    adapter = adapter_path(settings.name)
    torch.set_num_threads(told.threads)
    if told.only_test:
        task = task_of(settings)
        print(json.dumps(task.test(*task.read(adapter)), indent=1))
        return
    members = [trained(member, folder, told) for member, folder in members_of(settings, told.runs)]
    if told.steps is not None:
        return
    run, others = members[0], members[1:]
    if others:
        take_mean(run.model, [other.model for other in others])
    if settings.adapter.full:
        metadata = run.task.export(run.model, told.runs / f"{settings.name}.safetensors")
        figures = run.task.test(run.model, metadata)
    else:
        run.task.export(run.model, adapter)
        figures = run.task.test(*run.task.read(adapter))
    run.log(event="test", **figures)


def members_of(settings: Settings, runs: Path) -> list[tuple[Settings, Path]]:
    """The runs that make an adapter, each with its folder."""
    folder = runs / settings.name
    if settings.members == 1:
        return [(settings, folder)]
    seeds = range(settings.seed, settings.seed + settings.members)
    return [(replace(settings, seed=seed), folder / f"seed-{seed}") for seed in seeds]


def trained(settings: Settings, folder: Path, told: argparse.Namespace) -> Run:
    if told.again:
        for name in ("checkpoint.pt", "log.jsonl"):
            (folder / name).unlink(missing_ok=True)
    run = Run(settings, folder, told.threads)
    run.train(told.steps)
    return run


if __name__ == "__main__":
    main()
