"""Reading a site's encoder: blocks, plain tensors, tables in several files."""

import json
import struct
import zlib
from pathlib import Path

import numpy
import pytest

from training.in_site import arrays_in, blocks, tensors_in


def test_blocks_of_eight_bits_are_scales_times_whole_numbers() -> None:
    numbers = numpy.arange(-16, 16, dtype=numpy.int8)
    content = numpy.float16(0.5).tobytes() + numbers.tobytes()
    assert (blocks(content * 2, "q8_0") == numpy.stack([numbers * 0.5] * 2)).all()


def test_blocks_of_four_bits_have_their_first_half_in_the_low_ones() -> None:
    low, high = numpy.arange(16, dtype=numpy.uint8), numpy.arange(16, dtype=numpy.uint8)[::-1]
    content = numpy.float16(-2.0).tobytes() + (low | high << 4).tobytes()
    expected = numpy.concatenate([low, high]).astype(numpy.float32) - 8
    assert (blocks(content, "q4_0")[0] == -2.0 * expected).all()


def test_other_blocks_are_refused() -> None:
    with pytest.raises(ValueError, match="q4_1"):
        blocks(b"", "q4_1")


def file_of(tensors: dict[str, tuple[str, list[int], bytes]], layouts: dict[str, dict[str, object]]) -> bytes:
    header: dict[str, object] = {"__metadata__": {"campanile.blocks": json.dumps(layouts)}}
    content = b""
    for name, (dtype, shape, values) in tensors.items():
        header[name] = {
            "dtype": dtype,
            "shape": shape,
            "data_offsets": [len(content), len(content) + len(values)],
        }
        content += values
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + content


def test_a_table_in_several_files_is_put_together_in_its_order(tmp_path: Path) -> None:
    block = numpy.float16(1.0).tobytes() + bytes([3] * 32)
    layouts: dict[str, dict[str, object]] = {"table": {"encoding": "q8_0", "columns": 32}}
    bias = numpy.array([1.5, -2.0], numpy.float32)
    files = {
        "b.safetensors": file_of({"table@1": ("U8", [1, 34], block)}, layouts),
        "a.safetensors": file_of(
            {"table@0": ("U8", [1, 34], block.replace(b"\3", b"\5")), "bias": ("F32", [2], bias.tobytes())}, layouts
        ),
    }
    listed = []
    for name, content in files.items():
        packed = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        (tmp_path / name).write_bytes(packed.compress(content) + packed.flush())
        listed.append({"name": name, "shard": {"path": name, "encoding": "deflate"}})
    listed.append({"name": "config.json", "shard": {"path": "none"}})
    (tmp_path / "campanile.json").write_text(json.dumps({"encoder": {"files": listed}}), encoding="utf-8")
    tensors = dict(tensors_in(tmp_path))
    assert tensors["table"].tolist() == [[5.0] * 32, [3.0] * 32]
    assert tensors["bias"].tolist() == bias.tolist()


def test_what_is_kept_as_other_numbers_is_left_out() -> None:
    assert dict(arrays_in(file_of({"tokens": ("I8", [1], b"\1")}, {}))) == {}
