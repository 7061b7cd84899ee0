"""Makes adapter.json, query.json, passage.json and four adapters for the tests of crates/model: small ones with random
numbers, and what PyTorch computes with them in f32 on the real trunk.

    python -m training.fixture

The texts are our own.
"""

from __future__ import annotations

import json

import torch
from torch.nn import functional

from training.data.reading import KINDS
from training.export import read_adapter, write_adapter
from training.heads import Model
from training.lora import adapt, changes
from training.passage import along, directions_of
from training.settings import ROOM, Input, adapter_path, trunk_folder
from training.tokens import Window, WordPieces, alone, batch_of, windows
from training.trunk import file_sha256, load_trunk, mean_vector

CASES = {
    "reader": ("cls", (0, 1, 2, 3, 4, 5)),
    "reranker": ("mean", (5,)),
    "checker": ("cls", (2, 5)),
}
FOLDER = ROOM.parent / "crates" / "model" / "tests" / "fixtures"
RANK = 2
SCALE = 2.0
TRUNK_TOKENS = 256
LIMITS = Input(max_length=64, stride=16, max_question=24)
PAIRS = [
    ("When does the library open?", "The library opens at nine o'clock and closes at eight."),
    (
        "Who signs the form for a second extension of the thesis?",
        "A first extension is granted by the supervisor. A second one, of four weeks at most, needs "
        "the signature of the chair of the examination board; the form lies in room B 2.14. Forms "
        "that arrive after the deadline aren't read. Whoever was ill hands in a certificate within "
        "three days, and the time of the illness isn't counted.",
    ),
    ("Größe & Länge?", "12,5 cm – naïve café, 東京."),
]


def random_model(task: str, pooling: str, layers: tuple[int, ...]) -> Model:
    torch.manual_seed(20261122)
    trunk = load_trunk(trunk_folder())
    adapt(trunk, RANK, SCALE, layers)
    model = Model(trunk, task, pooling)
    for _, change in changes(trunk):
        change.down.normal_(std=0.05)
        change.up.normal_(std=0.05)
    for _, head in model.heads():
        head.weight.normal_(std=0.1)
        head.bias.normal_(std=0.1)
    return model


def window_outputs(model: Model, window: Window) -> dict[str, object]:
    batch = batch_of([window])
    outputs = model(batch)
    told: dict[str, object] = {
        "ids": window.ids.tolist(),
        "types": batch.types[0].tolist(),
        "passage_tokens": [window.start, window.end],
    }
    if "span" in outputs:
        span = outputs.pop("span")[0]
        told |= {"start": span[:, 0].tolist(), "end": span[:, 1].tolist()}
        told["evidence"] = outputs.pop("evidence")[0, :, 0].tolist()
    return told | {name: values[0].tolist() for name, values in outputs.items()}


def expected(model: Model) -> list[dict[str, object]]:
    pieces = WordPieces(trunk_folder())
    return [
        {
            "a": a,
            "b": b,
            "windows": [
                window_outputs(model, window)
                for window in windows(pieces.pieces(a), pieces.pieces(b), LIMITS)
            ],
        }
        for a, b in PAIRS
    ]


def embedded(model: Model) -> list[dict[str, object]]:
    """The texts of `PAIRS`: what `query` makes of them as questions, `passage` as passages."""
    pieces = WordPieces(trunk_folder())
    made = []
    for text in (text for pair in PAIRS for text in pair):
        batch = batch_of([alone(pieces.pieces(text), TRUNK_TOKENS)])
        states = model.trunk(batch)
        vector = functional.normalize(mean_vector(states, batch.mask))[0]
        last = states[0, -1]
        made.append({"text": text, "vector": vector.tolist(), "last_token": last.tolist()})
        if "directions" in model.head:
            compared = along(directions_of(model), functional.normalize(last[None], dim=-1))
            made[-1]["compared"] = compared[0].tolist()
    return made


def metadata_of(task: str, pooling: str) -> dict[str, str]:
    return {
        "task": task,
        "trunk": file_sha256(trunk_folder() / "model.safetensors"),
        "rank": str(RANK),
        "scale": f"{SCALE:g}",
        "max_length": str(LIMITS.max_length),
        "stride": str(LIMITS.stride),
        "max_question": str(LIMITS.max_question),
        "max_answer": "12",
        "null": "answerable",
        "pooling": pooling,
        "kinds": ",".join(KINDS),
        "labels": "entailed,contradicted,neutral",
        "temperature": "1",
        "threshold": "0",
        "seed": "20261122",
        "data": "none: random numbers",
        "licence": "MIT OR Apache-2.0",
    }


@torch.no_grad()
def main() -> None:
    cases = {}
    for task, (pooling, layers) in CASES.items():
        path = FOLDER / f"adapter_{task}.safetensors"
        write_adapter(path, random_model(task, pooling, layers), metadata_of(task, pooling))
        # What was rounded to f16 is what the reference computes with.
        rounded, _ = read_adapter(path, load_trunk(trunk_folder()))
        cases[task] = expected(rounded)
    write_json("adapter", cases)
    write_query()
    write_passage()


@torch.no_grad()
def write_query() -> None:
    path = FOLDER / "adapter_query.safetensors"
    write_adapter(path, random_model("query", "mean", (0, 3, 5)), metadata_of("query", "mean"))
    write_json("query", embedded(read_adapter(path, load_trunk(trunk_folder()))[0]))


@torch.no_grad()
def write_passage() -> None:
    """Of the adapter that builds use: its directions are nothing that random numbers would do for."""
    write_json("passage", embedded(read_adapter(adapter_path("passage"), load_trunk(trunk_folder()))[0]))


def write_json(name: str, content: object) -> None:
    text = json.dumps(content, ensure_ascii=False, indent=1)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
