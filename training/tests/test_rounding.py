"""Whole steps in the place of small changes."""

import numpy
import pytest
import torch

from training.rounding import BLOCK, Blocks, changes_in, codes_of, read_blocks, rounded


def blocks(rows: int, columns: int) -> Blocks:
    steps = torch.randint(0, 16, (rows, columns)).float()
    scale = (torch.rand(rows, columns // BLOCK) * 0.02 + 0.01).repeat_interleave(BLOCK, 1)
    return Blocks(steps, scale, -scale * 7.5)


def test_blocks_are_read_as_the_format_has_them() -> None:
    numbers = numpy.array([0.5, -1.0], dtype=numpy.float16).view(numpy.uint8)
    nibbles = numpy.array([place | (15 - place) << 4 for place in range(16)], dtype=numpy.uint8)
    made = read_blocks(numpy.concatenate([numbers, nibbles])[None])
    assert made.steps[0].tolist() == [*range(16), *reversed(range(16))]
    assert made.weights(made.steps)[0, :3].tolist() == [-1.0, -0.5, 0.0]


def test_small_changes_reach_what_a_matrix_does() -> None:
    """The nearest steps lose a change that is smaller than half of one; these don't."""
    torch.manual_seed(1)
    matrix = blocks(48, 128)
    inputs = torch.randn(4000, 12) @ torch.randn(12, 128) + 0.1 * torch.randn(4000, 128)
    weights = matrix.weights(matrix.steps)
    change = 0.002 * torch.randn(48, 2) @ torch.randn(2, 128)
    nearest = ((weights + change - matrix.minimum) / matrix.scale).round().clamp(0, 15)
    found = rounded(weights + change, matrix, inputs.T @ inputs)

    def missed(steps: torch.Tensor) -> float:
        return float((inputs @ (matrix.weights(steps) - weights - change).T).square().mean())

    wanted = float((inputs @ change.T).square().mean())
    assert missed(nearest) > 0.8 * wanted
    assert missed(found) < 0.2 * wanted
    assert torch.equal(rounded(weights, matrix, inputs.T @ inputs), matrix.steps), "no change, no step"


@pytest.mark.parametrize("density", [0.0, 0.01, 1.0])
def test_changes_are_written_and_read_again(density: float) -> None:
    torch.manual_seed(2)
    changes = torch.randint(-3, 4, (30, 64)).float() * (torch.rand(30, 64) < density)
    assert torch.equal(changes_in(codes_of(changes), changes.shape), changes)


def test_codes_are_those_of_the_format() -> None:
    changes = torch.zeros(1, 200)
    changes[0, 3], changes[0, 103], changes[0, 104] = 1, -1, 2
    assert codes_of(changes).tolist() == [6, 201, 1, 2, 0]
