"""The language model's words: one or two sentences that say what a passage says in answer to a question.

Low-rank changes (Hu et al. 2021) to SmolLM2-135M-Instruct in the quantised form in which a page has it (as QLoRA, Dettmers et al.
2023), learned from what a student desk would say to each question.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import safe_open
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from training.data.worded import TEMPLATE, Prompt, asked, prompts
from training.decoder import (
    MATRICES,
    Decoder,
    adapt_decoder,
    changes_of,
    gguf_rows,
    load_decoder,
    published_rows,
    tokenizer_of,
)
from training.export import write_file
from training.lora import LowRank
from training.rounding import Blocks, Inputs, blocks_of, changes_in, codes_of, rounded
from training.settings import Settings, Stage, model_folder
from training.trunk import file_sha256

QUICK_ROWS = 60
WRITTEN = 40
"""Questions for which the model writes whole replies, to see how it does."""
LONGEST = 60
"""Tokens of a reply."""
ROUNDED_BY = 120
"""Questions whose texts tell what matrices get, for their rounding."""


@dataclass(frozen=True)
class Row:
    """The tokens of a conversation, and from which on they are the reply's, which is learned."""

    ids: tuple[int, ...]
    reply_at: int


def decoder_file(name: str = "smollm2-135m-instruct") -> Path:
    """The GGUF file of a language model."""
    folder = model_folder(name)
    files = sorted(folder.glob("*.gguf"))
    if not files:
        raise SystemExit(f"no GGUF file in {folder}: run `campanile model fetch {name}`")
    return files[0]


class Prose:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.tokenizer: Tokenizer = tokenizer_of(decoder_file())
        self.end = self.tokenizer.token_to_id("<|im_end|>")
        self.validation = asked("validation")

    def model(self) -> Decoder:
        decoder = load_decoder(decoder_file())
        torch.manual_seed(self.settings.seed)
        adapt_decoder(decoder, self.settings.adapter.rank, self.settings.adapter.scale)
        return decoder

    # Rows

    def rows(self, stage: Stage, epoch: int) -> list[Row]:
        if unknown := set(stage.sources) - {"desk"}:
            raise SystemExit(f"prose has no source called {unknown.pop()!r}")
        made = prompts(asked("train"), f"{self.settings.seed} {epoch}")
        rows = [self.row(one) for one in made]
        return [row for row in rows if len(row.ids) <= self.settings.input.max_length]

    def prompt_ids(self, prompt: Prompt) -> list[int]:
        """ChatML, as the model's own template has it."""
        text = (
            f"<|im_start|>system\n{prompt.system}<|im_end|>\n<|im_start|>user\n{prompt.user}<|im_end|>\n<|im_start|>assistant\n"
        )
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def row(self, prompt: Prompt) -> Row:
        before = self.prompt_ids(prompt)
        reply = self.tokenizer.encode(prompt.reply, add_special_tokens=False).ids
        return Row((*before, *reply, self.end), len(before))

    def length(self, row: Row) -> int:
        return len(row.ids)

    # Learning

    def losses(self, model: Decoder, rows: Sequence[Row]) -> list[Tensor]:
        """Of each row, the cross entropy of each token of its reply."""
        longest = max(len(row.ids) for row in rows)
        ids = torch.full((len(rows), longest), self.end)
        for number, row in enumerate(rows):
            ids[number, : len(row.ids)] = torch.tensor(row.ids)
        vectors = model(ids)
        made = []
        for number, row in enumerate(rows):
            logits = model.logits(vectors[number, row.reply_at - 1 : len(row.ids) - 1])
            wanted = torch.tensor(row.ids[row.reply_at :])
            made.append(functional.cross_entropy(logits, wanted, reduction="none"))
        return made

    def loss(self, model: Decoder, rows: list[Row]) -> Tensor:
        return torch.cat(self.losses(model, rows)).mean()

    # Measuring

    @torch.no_grad()
    def validate(self, model: Decoder, quick: bool) -> dict[str, float]:
        """The loss of replies, a token."""
        questions = self.validation
        if quick:
            questions = random.Random(0).sample(questions, QUICK_ROWS)
        made = prompts(questions, "validation")
        losses = [loss for prompt in made for loss in self.losses(model, [self.row(prompt)])]
        return {"loss_of_replies": float(torch.cat(losses).mean())}

    @torch.no_grad()
    def written(self, model: Decoder, prompt: Prompt) -> str:
        """A reply, the likeliest token each time."""
        ids = self.prompt_ids(prompt)
        start = len(ids)
        while len(ids) - start < LONGEST:
            likeliest = int(model.logits(model(torch.tensor([ids]))[0, -1:]).argmax())
            if likeliest == self.end:
                break
            ids.append(likeliest)
        return self.tokenizer.decode(ids[start:])

    def test(self, model: Decoder, metadata: dict[str, str]) -> dict[str, object]:
        """On the institutions for choosing; those for the test have no replies, and what the model writes there is judged by
        people."""
        made = list(prompts(random.Random(1).sample(self.validation, WRITTEN), "written"))
        texts = [{"user": one.user, "wanted": one.reply, "written": self.written(model, one)} for one in made]
        return {**self.validate(model, quick=False), "texts": texts}

    # Files

    def export(self, model: Decoder, path: Path) -> dict[str, str]:
        """Rounds what was learned to steps of the published blocks."""
        settings = self.settings
        metadata = {
            "task": settings.task,
            "trunk": file_sha256(decoder_file()),
            "rank": str(settings.adapter.rank),
            "seed": str(settings.seed),
            "data": ",".join(sorted(settings.sources)),
            "licence": settings.licence,
            "template": TEMPLATE.read_text(encoding="utf-8").strip(),
        }
        inputs = self.inputs(model)
        tensors = {}
        for (name, change, heads), blocks in with_blocks(model):
            with torch.no_grad():
                wanted = change.frozen.weight + change.scale * (change.up @ change.down)
                changed = rounded(wanted, blocks, inputs[name].products) - blocks.steps
            tensors[f"{name}.steps"] = codes_of(published_rows(changed, heads))
        write_file(path, tensors, metadata)
        return metadata

    @torch.no_grad()
    def inputs(self, model: Decoder) -> dict[str, Inputs]:
        """What each matrix gets while it reads questions that it has learned from."""
        taken = {name: Inputs(change, change.frozen.in_features) for name, change, _ in changes_of(model)}
        questions = random.Random(self.settings.seed).sample(asked("train"), ROUNDED_BY)
        for prompt in prompts(questions, "rounding"):
            row = self.row(prompt)
            if len(row.ids) <= self.settings.input.max_length:
                model(torch.tensor([row.ids]))
        for one in taken.values():
            one.handle.remove()
        return taken

    def read(self, path: Path) -> tuple[Decoder, dict[str, str]]:
        model = load_decoder(decoder_file())
        adapt_decoder(model, 1, 0.0)
        with safe_open(path, "pt") as file, torch.no_grad():
            metadata = file.metadata()
            for (name, change, heads), blocks in with_blocks(model):
                codes = file.get_tensor(f"{name}.steps")
                changed = gguf_rows(changes_in(codes, blocks.steps.shape), heads)
                change.frozen.weight.copy_(blocks.weights(blocks.steps + changed))
        return model.eval(), metadata


def with_blocks(model: Decoder) -> Iterator[tuple[tuple[str, LowRank, int], Blocks]]:
    """The changes of `changes_of`, each with the blocks of its matrix."""
    known = blocks_of(decoder_file())
    names = [f"blk.{number}.{name}" for number in range(model.shape.layers) for name in MATRICES]
    for one, name in zip(changes_of(model), names, strict=True):
        yield one, known[name]
