"""The trunk and its low-rank changes."""

from pathlib import Path

import torch
from safetensors.torch import load_file
from torch.nn import functional

from training.heads import Model
from training.lora import adapt, changes
from training.tokens import Window, batch_of
from training.trunk import load_trunk, mean_vector

FIXTURES = Path(__file__).parents[2] / "crates" / "model" / "tests" / "fixtures"


@torch.no_grad()
def test_vectors_agree_with_sentence_transformers(folder, pieces):
    lines = (FIXTURES / "sentences.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
    told = load_file(FIXTURES / "minilm.safetensors")
    trunk = load_trunk(folder).eval()
    for line, vector, tokens in zip(lines, told["vectors"], told["tokens"], strict=True):
        ids = [101, *pieces.pieces(line).ids[:254], 102]
        assert len(ids) == tokens
        batch = batch_of([Window(torch.tensor(ids).numpy(), len(ids), 0, 0)])
        ours = functional.normalize(mean_vector(trunk(batch), batch.mask))[0]
        assert torch.dot(ours, vector) > 0.99999, line


@torch.no_grad()
def test_padding_changes_nothing(folder, pieces):
    trunk = load_trunk(folder).eval()
    short = Window(torch.tensor([101, 2043, 102]).numpy(), 2, 0, 0)
    long = Window(torch.tensor([101, *range(2000, 2040), 102]).numpy(), 2, 0, 0)
    alone = trunk(batch_of([short]))[0]
    beside = trunk(batch_of([short, long]))[0, :3]
    assert torch.allclose(alone, beside, atol=1e-5)


@torch.no_grad()
def test_a_fresh_adapter_changes_nothing_and_a_learned_one_is_the_merged_matrix(folder):
    window = Window(torch.tensor([101, *range(2000, 2020), 102]).numpy(), 2, 0, 0)
    batch = batch_of([window])
    plain = load_trunk(folder).eval()
    adapted = load_trunk(folder).eval()
    adapt(adapted, 4, 2.0)
    assert torch.equal(plain(batch), adapted(batch))

    torch.manual_seed(1)
    for name, change in changes(adapted):
        change.up.normal_(std=0.02)
        layer, part, matrix = name.removeprefix("layer.").split(".")
        merged = plain.layer[int(layer)].get_submodule(part).get_submodule(matrix)
        merged.weight += 2.0 * change.up @ change.down
    assert torch.allclose(plain(batch), adapted(batch), atol=1e-4)
    assert not torch.allclose(load_trunk(folder)(batch), adapted(batch), atol=1e-2)


def test_only_the_changes_and_the_head_learn(folder):
    trunk = load_trunk(folder)
    adapt(trunk, 8, 2.0)
    model = Model(trunk, "checker")
    learned = {name for name, p in model.named_parameters() if p.requires_grad}
    assert len(learned) == 2 * 36 + 2
    assert all(name.endswith((".up", ".down")) or name.startswith("head.") for name in learned)
