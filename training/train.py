"""The training loop: seeded, resumable, with a log of JSON lines and a curve."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from training.batches import batches
from training.curve import write_curve
from training.settings import Settings
from training.tasks import Task, task_of

REPORT_EVERY_SECS = 20.0
SAVE_EVERY_SECS = 120.0


@dataclass
class Epoch:
    stage: int
    epoch: int
    rows: list[Any]
    steps: list[list[int]]


def plan(task: Task) -> list[Epoch]:
    """Every epoch's rows and steps."""
    settings, epochs, made = task.settings, [], 0
    for number, stage in enumerate(settings.stages):
        for epoch in range(stage.epochs):
            rows = list(task.rows(stage, epoch))
            lengths = [task.length(row) for row in rows]
            how = settings.optimisation
            seed = settings.seed * 1000 + made
            steps = batches(lengths, how.batch_tokens, how.batch_rows, seed)
            epochs.append(Epoch(number, epoch, rows, steps))
            made += 1
    return epochs


def optimiser(model: nn.Module, settings: Settings) -> torch.optim.Optimizer:
    """Heads have a rate of their own."""
    how = settings.optimisation
    learned = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    heads = [p for name, p in learned if "head" in name.split(".")]
    trunk = [p for name, p in learned if "head" not in name.split(".")]
    matrices = [p for p in trunk if p.dim() > 1]
    vectors = [p for p in trunk if p.dim() == 1]
    return torch.optim.AdamW(
        [
            {"params": matrices, "lr": how.learning_rate, "weight_decay": how.weight_decay},
            {"params": vectors, "lr": how.learning_rate, "weight_decay": 0.0},
            {
                "params": heads,
                "lr": how.head_learning_rate,
                "weight_decay": 0.0,
            },
        ],
        betas=(0.9, 0.98),
    )


def rate(step: int, steps: int, warmup: float) -> float:
    """Up in a line, then down along a cosine to a fiftieth."""
    rising = max(1, int(steps * warmup))
    if step < rising:
        return (step + 1) / rising
    done = (step - rising) / max(1, steps - rising)
    return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done))


class Run:
    """One training run, in a folder of its own: `log.jsonl`, `curve.svg`, `checkpoint.pt`."""

    def __init__(self, settings: Settings, folder: Path, threads: int) -> None:
        torch.set_num_threads(threads)
        self.settings = settings
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.task = task_of(settings)
        self.model = self.task.model()
        self.optimiser = optimiser(self.model, settings)
        self.done = 0
        self.seconds = 0.0

    def log(self, **entry: Any) -> None:
        line = json.dumps(entry)
        print(line, flush=True)
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def save(self) -> None:
        """Written beside and renamed, so that an interruption leaves the one before."""
        learned = {n: p for n, p in self.model.named_parameters() if p.requires_grad}
        state = {
            "learned": {name: parameter.detach().clone() for name, parameter in learned.items()},
            "optimiser": self.optimiser.state_dict(),
            "random": torch.get_rng_state(),
            "done": self.done,
            "seconds": self.seconds,
        }
        beside = self.folder / "checkpoint.new"
        torch.save(state, beside)
        beside.replace(self.folder / "checkpoint.pt")

    def resume(self) -> None:
        path = self.folder / "checkpoint.pt"
        if not path.exists():
            return
        state = torch.load(path, weights_only=True)
        self.model.load_state_dict(state["learned"], strict=False)
        self.optimiser.load_state_dict(state["optimiser"])
        torch.set_rng_state(state["random"])
        self.done, self.seconds = state["done"], state["seconds"]
        self.log(event="resumed", step=self.done)

    def step(self, rows: list[Any], steps: int) -> float:
        factor = rate(self.done, steps, self.settings.optimisation.warmup)
        rates = self.settings.optimisation
        for group, base in zip(
            self.optimiser.param_groups,
            (rates.learning_rate, rates.learning_rate, rates.head_learning_rate),
            strict=True,
        ):
            group["lr"] = base * factor
        with torch.autocast("cpu", torch.bfloat16, enabled=self.settings.adapter.full):
            loss = self.task.loss(self.model, rows)
        loss.backward()
        learned = [p for p in self.model.parameters() if p.requires_grad]
        torch.nn.utils.clip_grad_norm_(learned, rates.clip)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.done += 1
        return float(loss.detach())

    def validate(self, quick: bool) -> dict[str, float]:
        self.model.eval()
        with torch.autocast("cpu", torch.bfloat16, enabled=self.settings.adapter.full):
            figures = self.task.validate(self.model, quick)
        self.model.train()
        return {name: round(value, 4) for name, value in figures.items()}

    def train(self, stop_after: int | None = None) -> None:
        epochs = plan(self.task)
        steps = sum(len(epoch.steps) for epoch in epochs)
        every = max(1, steps // 10)
        self.resume()
        if self.done == 0:
            self.log(
                event="started",
                name=self.settings.name,
                steps=steps,
                rows=[len(epoch.rows) for epoch in epochs],
                learned=sum(p.numel() for p in self.model.parameters() if p.requires_grad),
            )
        self.model.train()
        before, said, saved = time.monotonic(), time.monotonic(), time.monotonic()
        losses: list[float] = []
        rows_since = 0
        at = 0
        for epoch in epochs:
            for batch in epoch.steps:
                at += 1
                if at <= self.done:
                    continue
                losses.append(self.step([epoch.rows[row] for row in batch], steps))
                rows_since += len(batch)
                now = time.monotonic()
                if now - said > REPORT_EVERY_SECS or at == steps:
                    speed = rows_since / (now - said)
                    self.seconds += now - before
                    left = self.seconds / at * (steps - at)
                    self.log(
                        event="step",
                        step=at,
                        of=steps,
                        stage=epoch.stage,
                        loss=round(sum(losses) / len(losses), 4),
                        rows_per_sec=round(speed, 1),
                        minutes=round(self.seconds / 60, 1),
                        minutes_left=round(left / 60, 1),
                    )
                    losses, rows_since, before, said = [], 0, now, now
                if at % every == 0 or at == steps:
                    figures = self.validate(quick=at != steps)
                    self.log(event="validation", step=at, **figures)
                    write_curve(self.folder / "log.jsonl", self.folder / "curve.svg")
                    said = time.monotonic()
                    rows_since = 0
                if time.monotonic() - saved > SAVE_EVERY_SECS or at == steps:
                    self.save()
                    saved = time.monotonic()
                if stop_after is not None and at >= stop_after:
                    self.save()
                    return
