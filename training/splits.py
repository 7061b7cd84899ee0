"""What each collection is for: to learn from, to choose with, or to measure on."""

from __future__ import annotations

import tomllib
from functools import cache

from training.find import HANDBOOKS, PUBLIC_PAGES

SPLITS = ("train", "validation", "test")


def split_of(site: str) -> str:
    """One of `SPLITS`. doc2dial's pages and those of natural questions are halved, public pages are there to learn from, handbooks stand in `splits.toml`."""
    if site.startswith("doc2dial"):
        return site.removeprefix("doc2dial-")
    if site in PUBLIC_PAGES or site == "sections":
        return "train"
    if site.startswith("natural"):
        return site.removeprefix("natural-")
    return splits()[site]


@cache
def splits() -> dict[str, str]:
    with (HANDBOOKS / "splits.toml").open("rb") as file:
        told = tomllib.load(file)
    return {site: split for split in SPLITS for site in told[split]}
