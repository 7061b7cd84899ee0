"""What the passage adapter learns with: how tokens are coded, compared and told apart."""

from __future__ import annotations

import struct

import numpy
import torch
from torch import nn

from training.passage import along, coded, max_sims, projection_in
from training.teacher import bucket, carrying


def directions(count: int, width: int) -> nn.Linear:
    torch.manual_seed(1)
    return nn.Linear(width, count)


def test_passages_are_halved_and_become_signs_and_gradients_pass() -> None:
    linear = directions(16, 24)
    tokens = torch.randn(7, 24, requires_grad=True)
    codes = coded(linear, tokens)
    assert codes.shape == (4, 16)
    assert torch.allclose(codes.abs(), torch.full_like(codes, 0.25))
    codes.sum().backward()
    assert tokens.grad is not None and tokens.grad.abs().sum() > 0
    assert coded(linear, tokens[:1]).shape == (1, 16)


def test_a_question_is_compared_with_the_nearest_token_and_never_with_padding() -> None:
    linear = directions(8, 8)
    question = along(linear, torch.randn(3, 8))
    near, opposite = question[:1].clone(), -question.mean(0, keepdim=True)
    found = max_sims([question[:1]], [opposite, torch.cat([opposite, near])])
    assert found.shape == (1, 2)
    assert torch.isclose(found[0, 1], torch.tensor(1.0))
    # One of the two passages has padding, whose cosine of 0 would be more than its own.
    assert found[0, 0] < 0


def test_directions_are_read_as_the_index_writes_them() -> None:
    steps = numpy.array([[127, -64, 0], [1, 2, 3]], numpy.int8)
    numbers = zip((0.5, 2.0), (0.25, -1.0), steps, strict=True)
    body = b"".join(struct.pack("<ff", scale, offset) + row.tobytes() for scale, offset, row in numbers)
    rows, offsets = projection_in(b"hashes" + b"CLI1\x01" + bytes([3, 2]) + body + b"\x00")
    assert torch.equal(rows, torch.tensor([[63.5, -32.0, 0.0], [2.0, 4.0, 6.0]]))
    assert torch.equal(offsets, torch.tensor([0.25, -1.0]))


def test_near_tokens_have_a_bias_each_and_far_ones_share() -> None:
    near = bucket(torch.arange(-7, 8))
    assert len(set(near.tolist())) == 15
    assert int(bucket(torch.tensor(-200))) == 15
    assert int(bucket(torch.tensor(200))) == 31
    assert int(bucket(torch.tensor(0))) == 0


def test_stop_words_and_signs_are_not_compared() -> None:
    vocabulary = {"[CLS]": 0, "<s>": 1, "the": 2, "##the": 3, "fee": 4, ".": 5}
    assert carrying(vocabulary, frozenset({"the"})).tolist() == [False, False, False, True, True, False]
