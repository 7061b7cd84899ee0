"""Writes and reads the adapter's file: FORMAT.md."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import save_file

from training.heads import Model
from training.lora import adapt, adapted_layers, changes
from training.trunk import Trunk, file_sha256, published_name

VERSION = "1"


def tensors_of(model: Model) -> dict[str, torch.Tensor]:
    tensors: dict[str, torch.Tensor] = {}
    for name, change in changes(model.trunk):
        tensors[f"{name}.down"] = change.down
        tensors[f"{name}.up"] = change.up
    for name, head in model.heads():
        tensors[f"head.{name}.weight"] = head.weight
        tensors[f"head.{name}.bias"] = head.bias
    return {name: tensor.detach().half().contiguous() for name, tensor in tensors.items()}


def write_adapter(path: Path, model: Model, metadata: dict[str, str]) -> None:
    """Writes `model`'s changes and heads. `metadata` holds what the task needs; `format`, `version` and
    `layers` are added."""
    layers = {"layers": ",".join(map(str, adapted_layers(model.trunk)))}
    write_file(path, tensors_of(model), layers | metadata)


def write_file(path: Path, tensors: dict[str, torch.Tensor], metadata: dict[str, str]) -> None:
    """Writes an adapter's file; `format` and `version` are added to its metadata."""
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file(tensors, path, {"format": "campanile-adapter", "version": VERSION} | metadata)
    path.chmod(0o644)
    sort_header(path)


def write_own(folder: Path, model: Model, metadata: dict[str, str], trunk: Path) -> None:
    """Writes a trunk of which every weight was trained, in half precision, as an encoder is published, and beside it
    `adapter.safetensors`, which has the heads and no changes. `trunk` is the folder that the training started from."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {
        published_name(name): tensor.detach().half().contiguous() for name, tensor in model.trunk.state_dict().items()
    }
    save_file(weights, folder / "model.safetensors")
    sort_header(folder / "model.safetensors")
    for name in ("config.json", "tokenizer.json"):
        (folder / name).write_bytes((trunk / name).read_bytes())
    own = {"trunk": file_sha256(folder / "model.safetensors")}
    write_adapter(folder / "adapter.safetensors", model, metadata | own)


def sort_header(path: Path) -> None:
    """Puts the header's keys in order, which the library leaves to chance: the same adapter gives the
    same bytes. A header is its length in eight bytes and JSON, padded to eight with spaces."""
    whole = path.read_bytes()
    length = int.from_bytes(whole[:8], "little")
    header = json.loads(whole[8 : 8 + length])
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + whole[8 + length :])


def read_adapter(path: Path, trunk: Trunk) -> tuple[Model, dict[str, str]]:
    """An adapter put on a trunk that has none yet, in f32, and its metadata."""
    with safe_open(path, "pt") as file:
        metadata = file.metadata()
        if metadata.get("format") != "campanile-adapter" or metadata["version"] != VERSION:
            raise ValueError(f"{path} is not an adapter of version {VERSION}")
        layers = [int(number) for number in metadata["layers"].split(",") if number]
        adapt(trunk, int(metadata["rank"]), float(metadata["scale"]), layers)
        model = Model(trunk, metadata["task"], metadata.get("pooling", "cls"))
        with torch.no_grad():
            for name, change in changes(trunk):
                change.down.copy_(file.get_tensor(f"{name}.down"))
                change.up.copy_(file.get_tensor(f"{name}.up"))
            for name, head in list(model.heads()):
                if f"head.{name}.weight" not in file.keys():  # noqa: SIM118 (not a dict)
                    del model.head[name]
                    continue
                head.weight.copy_(file.get_tensor(f"head.{name}.weight"))
                head.bias.copy_(file.get_tensor(f"head.{name}.bias"))
    return model.eval(), metadata


def start_from(model: Model, task: str, path: Path) -> None:
    """Copies the changes of another adapter, whatever its task, into those of an adapted trunk, and its
    heads where it has the same task."""
    if not path.exists():
        raise SystemExit(
            f"no {path}: `python -m training {path.stem}` makes it, and this run starts from it"
        )
    with safe_open(path, "pt") as file, torch.no_grad():
        for name, change in changes(model.trunk):
            change.down.copy_(file.get_tensor(f"{name}.down"))
            change.up.copy_(file.get_tensor(f"{name}.up"))
        if file.metadata()["task"] != task:
            return
        for name, head in model.heads():
            # A head that the other adapter lacks begins as it is.
            if f"head.{name}.weight" in file.keys():  # noqa: SIM118 (not a dict)
                head.weight.copy_(file.get_tensor(f"head.{name}.weight"))
                head.bias.copy_(file.get_tensor(f"head.{name}.bias"))
