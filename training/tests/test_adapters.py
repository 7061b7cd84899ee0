"""An adapter's file and a run that is interrupted."""

from dataclasses import replace

import pytest
import torch
from safetensors import safe_open

from training.__main__ import members_of
from training.export import read_adapter, start_from, tensors_of, write_adapter, write_own
from training.heads import Model
from training.lora import adapt, changes
from training.mean import factors, go_part_way, take_mean
from training.settings import ROOM, Stage, read_settings
from training.tokens import batch_of, windows
from training.train import Run, rate
from training.trunk import Trunk, file_sha256, load_trunk

METADATA = {"task": "checker", "rank": "4", "scale": "2", "pooling": "mean"}


@torch.no_grad()
def test_what_is_written_is_read(folder, pieces, tmp_path):
    trunk = load_trunk(folder)
    adapt(trunk, 4, 2.0, layers=(1, 5))
    model = Model(trunk, "checker", "mean")
    for _, change in changes(trunk):
        change.up.normal_(std=0.02)
    write_adapter(tmp_path / "a.safetensors", model, METADATA)
    read, metadata = read_adapter(tmp_path / "a.safetensors", load_trunk(folder))
    assert metadata["layers"] == "1,5"
    (window,) = windows(
        pieces.pieces("The library is open."),
        pieces.pieces("It closes at eight."),
        read_settings(ROOM / "settings" / "checker.toml").input,
    )
    ours, theirs = model.eval()(batch_of([window])), read(batch_of([window]))
    assert torch.allclose(ours["label"], theirs["label"], atol=1e-3)


@torch.no_grad()
def test_a_trunk_of_its_own_is_written_with_its_heads(folder, pieces, tmp_path):
    model = Model(Trunk(3), "reader", METADATA["pooling"])
    write_own(tmp_path / "own", model, METADATA | {"task": "reader"}, folder)
    trunk = load_trunk(tmp_path / "own")
    assert len(trunk.layer) == 3
    read, metadata = read_adapter(tmp_path / "own" / "adapter.safetensors", trunk)
    assert metadata["layers"] == ""
    assert metadata["trunk"] == file_sha256(tmp_path / "own" / "model.safetensors")
    limits = read_settings(ROOM / "settings" / "reader.toml").input
    (window,) = windows(pieces.pieces("When does it close?"), pieces.pieces("At eight."), limits)
    ours, theirs = model.eval()(batch_of([window])), read.eval()(batch_of([window]))
    for name, values in ours.items():
        assert torch.allclose(values, theirs[name], atol=1e-2), name


@pytest.mark.parametrize("task", ["reader", "reranker"])
@torch.no_grad()
def test_a_run_starts_from_an_adapters_changes_and_from_its_heads_if_they_are_its_own(
    folder, tmp_path, task
):
    def adapted(task: str) -> Model:
        trunk = load_trunk(folder)
        adapt(trunk, 4, 2.0)
        return Model(trunk, task, "cls")

    start = adapted("reader")
    for _, change in changes(start.trunk):
        change.up.normal_(std=0.02)
    write_adapter(tmp_path / "start.safetensors", start, METADATA | {"task": "reader"})
    model = adapted(task)
    fresh = {name: head.weight.clone() for name, head in model.heads()}
    start_from(model, task, tmp_path / "start.safetensors")
    for (_, was), (_, is_now) in zip(changes(start.trunk), changes(model.trunk), strict=True):
        assert torch.allclose(was.up, is_now.up, atol=1e-3) and torch.allclose(
            was.down, is_now.down, atol=1e-3
        )
    heads = dict(start.heads()) if task == "reader" else {}
    for name, head in model.heads():
        expected = heads[name].weight if name in heads else fresh[name]
        assert torch.allclose(head.weight, expected, atol=1e-3), name


def test_names_and_shapes_are_those_of_the_format(folder, tmp_path):
    trunk = load_trunk(folder)
    adapt(trunk, 4, 2.0)
    write_adapter(tmp_path / "a.safetensors", Model(trunk, "checker"), METADATA)
    with safe_open(tmp_path / "a.safetensors", "np") as file:
        shapes = {name: file.get_tensor(name).shape for name in file.keys()}  # noqa: SIM118
    assert len(shapes) == 72 + 2
    assert shapes["layer.0.attention.query.down"] == (4, 384)
    assert shapes["layer.5.feed_forward.inner.up"] == (1536, 4)
    assert shapes["layer.3.feed_forward.outer.down"] == (4, 1536)
    assert shapes["head.label.weight"] == (3, 384)


def test_the_same_adapter_gives_the_same_bytes(folder, tmp_path):
    written = set()
    for name in "abcd":
        torch.manual_seed(1)
        trunk = load_trunk(folder)
        adapt(trunk, 4, 2.0)
        write_adapter(tmp_path / name, Model(trunk, "checker"), METADATA)
        written.add((tmp_path / name).read_bytes())
    assert len(written) == 1


def test_another_file_is_refused(folder, tmp_path):
    from safetensors.torch import save_file

    save_file({"x": torch.zeros(1)}, tmp_path / "x.safetensors", {"format": "other"})
    with pytest.raises(ValueError, match="is not an adapter"):
        read_adapter(tmp_path / "x.safetensors", load_trunk(folder))


@torch.no_grad()
def test_the_mean_of_adapters_is_that_of_what_they_do(folder):
    def made(seed: int, rank: int) -> Model:
        torch.manual_seed(seed)
        trunk = load_trunk(folder)
        adapt(trunk, rank, 2.0)
        for _, change in changes(trunk):
            # Of half the rank, so that the mean of two has no more than either may have.
            change.up[:, : rank // 2].normal_(std=0.02)
        return Model(trunk, "checker")

    members = [made(seed, 8) for seed in (1, 2)]
    merged = [{name: c.up @ c.down for name, c in changes(each.trunk)} for each in members]
    biases = [each.head["label"].bias.clone() for each in members]
    take_mean(members[0], members[1:])
    for name, change in changes(members[0].trunk):
        expected = (merged[0][name] + merged[1][name]) / 2
        assert torch.allclose(change.up @ change.down, expected, atol=1e-6), name
    assert torch.allclose(members[0].head["label"].bias, sum(biases) / 2)


@torch.no_grad()
def test_part_of_the_way_lies_between_the_start_and_the_end(folder):
    def made(value: float) -> Model:
        trunk = load_trunk(folder)
        adapt(trunk, 4, 2.0)
        for _, change in changes(trunk):
            change.up.fill_(value)
        model = Model(trunk, "checker")
        model.head["label"].bias.fill_(value)
        return model

    start, end = made(1.0), made(2.0)
    go_part_way(end, start, 0.75)
    assert torch.allclose(end.head["label"].bias, torch.full((3,), 1.75))
    for name, change in changes(end.trunk):
        assert torch.allclose(change.up, torch.full_like(change.up, 1.75)), name


def test_of_more_ranks_than_there_is_room_for_the_greatest_stay():
    matrix = torch.diag(torch.tensor([3.0, 2.0, 1.0]))
    up, down = factors(matrix, 2)
    assert up.shape == (3, 2) and down.shape == (2, 3)
    assert torch.allclose(up @ down, torch.diag(torch.tensor([3.0, 2.0, 0.0])), atol=1e-6)


def test_each_member_has_a_seed_and_a_folder_of_its_own(tmp_path):
    settings = replace(read_settings(ROOM / "settings" / "reader.toml"), seed=4, members=3)
    members = members_of(settings, tmp_path)
    assert [member.seed for member, _ in members] == [4, 5, 6]
    assert len({folder for _, folder in members}) == 3
    alone = replace(settings, members=1)
    assert members_of(alone, tmp_path) == [(alone, tmp_path / "reader")]


def test_the_rate_rises_then_falls():
    told = [rate(step, 100, 0.1) for step in range(100)]
    assert told.index(max(told)) in (9, 10)
    assert told[0] < told[5] < told[9] and told[20] > told[60] > told[99] > 0


def test_an_interrupted_run_ends_where_an_uninterrupted_one_does(data, tmp_path):
    settings = read_settings(ROOM / "settings" / "checker.toml")
    settings = replace(
        settings,
        adapter=replace(settings.adapter, rank=4),
        optimisation=replace(settings.optimisation, batch_tokens=256),
        stages=(Stage(1, {"rte": {"rows": 24}}),),
    )

    def run(name: str, *stops: int | None) -> dict[str, torch.Tensor]:
        for stop in stops:
            made = Run(settings, tmp_path / name, threads=1)
            made.task.validation = made.task.validation[:8]
            made.train(stop)
        return tensors_of(made.model)

    whole, in_parts = run("whole", None), run("parts", 3, None)
    assert whole.keys() == in_parts.keys()
    for name, tensor in whole.items():
        assert torch.equal(tensor, in_parts[name]), name
