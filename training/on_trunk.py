"""What tasks share whose adapter changes the trunk: how their network is made, written and read."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from training.export import read_adapter, start_from, write_adapter, write_own
from training.heads import Model
from training.lora import adapt
from training.mean import go_part_way
from training.settings import Settings, adapter_path, trunk_folder
from training.trunk import HALF_IS_FASTER, file_sha256, load_trunk


class OnTrunk:
    settings: Settings
    pooling: str

    def metadata(self, model: Model) -> dict[str, str]:
        """What the adapter's file says of this task, thresholds included."""
        raise NotImplementedError

    def model(self) -> Model:
        told = self.settings.adapter
        trunk = load_trunk(trunk_folder(told.trunk), told.dropout)
        torch.manual_seed(self.settings.seed)
        if not told.full:
            adapt(trunk, told.rank, told.scale)
        model = Model(trunk, self.settings.task, self.pooling)
        if not told.full:
            if told.start is not None:
                start_from(model, self.settings.task, adapter_path(told.start))
            halve_frozen(trunk)
        return model

    def export(self, model: Model, path: Path) -> dict[str, str]:
        """Chooses thresholds and writes the adapter; beside `path` a folder where every weight was trained."""
        settings = self.settings
        model.eval().float()
        if settings.adapter.start is not None and settings.adapter.way < 1:
            start, _ = self.read(adapter_path(settings.adapter.start))
            go_part_way(model, start, settings.adapter.way)
        metadata = {
            "task": settings.task,
            "trunk": file_sha256(trunk_folder(settings.adapter.trunk) / "model.safetensors"),
            "rank": str(settings.adapter.rank),
            "scale": f"{settings.adapter.scale:g}",
            "max_length": str(settings.input.max_length),
            "stride": str(settings.input.stride),
            "max_question": str(settings.input.max_question),
            "pooling": self.pooling,
            "seed": ",".join(str(settings.seed + member) for member in range(settings.members)),
            "data": ",".join(sorted(settings.sources)),
            "licence": settings.licence,
        }
        if settings.adapter.full:
            metadata |= self.metadata(model)
            write_own(path.with_suffix(""), model, metadata, trunk_folder(settings.adapter.trunk))
            return metadata
        # The trunk learned nothing, but was rounded for speed: thresholds are chosen with it whole.
        restore(model, settings.adapter.trunk)
        metadata |= self.metadata(model)
        write_adapter(path, model, metadata)
        return metadata

    def read(self, path: Path) -> tuple[Model, dict[str, str]]:
        return read_adapter(path, load_trunk(trunk_folder()))


def halve_frozen(network: nn.Module) -> None:
    """Keeps half the bits of what does not learn; a processor without such products takes longer, and keeps all."""
    for parameter in network.parameters():
        if HALF_IS_FASTER and not parameter.requires_grad:
            parameter.data = parameter.data.bfloat16()


def restore(model: Model, trunk: str) -> None:
    """Puts the trunk's published numbers back where they were rounded."""
    published = dict(load_trunk(trunk_folder(trunk)).named_parameters())
    for name, parameter in model.trunk.named_parameters():
        name = name.replace(".frozen.", ".")
        if not parameter.requires_grad:
            parameter.data = published[name].data
