"""The trunk as a site has it: with matrices of four and eight bits, written out as the numbers they stand for.

Adapters run on it in a page and in a build. Its vectors lie at a cosine of .98 from those of the published weights, so an adapter that
learned on those puts texts a little beside where it would.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import torch

from training.find import MANIFEST
from training.trunk import Trunk, layers_of, published_name

BLOCK = 32
_SCALE_BYTES = 2


def trunk_in(site: Path, dropout: float = 0.0) -> Trunk:
    """The trunk of a site that the command built, in f32. Raises `SystemExit` where a tensor is missing."""
    tensors = dict(tensors_in(site))
    trunk = Trunk(layers_of(tensors), dropout)
    missing = [name for name in trunk.state_dict() if published_name(name) not in tensors]
    if missing:
        raise SystemExit(f"{site} lacks {published_name(missing[0])}: `python -m training.find` builds it anew")
    trunk.load_state_dict({name: tensors[published_name(name)] for name in trunk.state_dict()})
    return trunk


def tensors_in(site: Path) -> Iterator[tuple[str, torch.Tensor]]:
    """The encoder's tensors by their published names; a table that lies in several files is put together."""
    parts: dict[str, dict[int, numpy.ndarray]] = {}
    for file in files_in(site):
        for name, values in arrays_in(file):
            name, _, row = name.partition("@")
            parts.setdefault(name, {})[int(row or 0)] = values
    for name, rows in parts.items():
        yield name, torch.from_numpy(numpy.concatenate([rows[row] for row in sorted(rows)]))


def files_in(site: Path) -> Iterator[bytes]:
    """The safetensors files of a site's encoder; its adapters lie in others."""
    for file in manifest_of(site)["encoder"]["files"]:
        if file["name"].endswith(".safetensors"):
            yield shard_of(site, file["shard"])


def manifest_of(site: Path) -> dict[str, Any]:
    return json.loads((site / MANIFEST).read_text(encoding="utf-8"))


def shard_of(site: Path, shard: dict[str, Any]) -> bytes:
    """A shard that the manifest names, as it was before it was compressed."""
    content = (site / shard["path"]).read_bytes()
    return zlib.decompress(content, -zlib.MAX_WBITS) if shard.get("encoding") == "deflate" else content


def arrays_in(file: bytes) -> Iterator[tuple[str, numpy.ndarray]]:
    """The tensors of one file, in f32: as `crates/model/src/shards.rs` reads them."""
    (length,) = struct.unpack_from("<Q", file)
    header = json.loads(file[8 : 8 + length])
    layouts = json.loads(header.pop("__metadata__", {}).get("campanile.blocks", "{}"))
    for name, told in header.items():
        start, end = (8 + length + offset for offset in told["data_offsets"])
        layout = layouts.get(name.partition("@")[0])
        if layout is not None:
            yield name, blocks(file[start:end], layout["encoding"]).reshape(-1, layout["columns"])
        elif told["dtype"] in _PLAIN:
            plain = numpy.frombuffer(file[start:end], _PLAIN[told["dtype"]])
            yield name, plain.reshape(told["shape"]).astype(numpy.float32)


_PLAIN: dict[str, Any] = {"F32": numpy.float32, "F16": numpy.float16}


def blocks(content: bytes, encoding: str) -> numpy.ndarray:
    """The values of blocks of 32, each a scale in f16 and whole numbers: of eight bits (`q8_0`), or of four with the first half of the
    block in the low ones (`q4_0`)."""
    if encoding not in ("q8_0", "q4_0"):
        raise ValueError(f"no encoder has blocks of {encoding}")
    width = _SCALE_BYTES + (BLOCK if encoding == "q8_0" else BLOCK // 2)
    rows = numpy.frombuffer(content, numpy.uint8).reshape(-1, width)
    scales = rows[:, :_SCALE_BYTES].copy().view(numpy.float16).astype(numpy.float32)
    packed = rows[:, _SCALE_BYTES:]
    if encoding == "q8_0":
        return packed.view(numpy.int8).astype(numpy.float32) * scales
    numbers = numpy.concatenate([packed & 15, packed >> 4], axis=1).astype(numpy.float32) - 8
    return numbers * scales
