"""Questions with passages and what a student desk would say to them: `prose.jsonl` of the handbooks.

The passages are those that a search brought (`training.find`), so that the model reads what a page gives it. In every fifth prompt
or so none of them answers, and the model has to say that.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from training.data.found import held_in, is_enough
from training.find import FOUND, HANDBOOKS, rows_in
from training.settings import ROOM
from training.splits import split_of

DECLINED = "The documents do not say."
"""As the template asks for it."""
TEMPLATE = ROOM / "settings" / "prose-template.txt"
WORDS = 90
"""The most words of a passage."""


@dataclass(frozen=True)
class Passage:
    title: str
    section: str
    text: str


@dataclass(frozen=True)
class Asked:
    """A question, what to reply, the words that answer, the passages that answer and the others, best first."""

    site: str
    question: str
    reply: str
    words: str
    gold: tuple[Passage, ...]
    others: tuple[Passage, ...]


@dataclass(frozen=True)
class Prompt:
    system: str
    user: str
    reply: str


def asked(split: str, found: Path = FOUND / "found.jsonl") -> list[Asked]:
    """The questions of the institutions that are for one purpose and have replies."""
    replies: dict[tuple[str, str], str] = {}
    for path in sorted(HANDBOOKS.glob("*/prose.jsonl")):
        for row in rows_in(path):
            replies[path.parent.name, row["id"]] = row["prose"]
    made = []
    for row in rows_in(found):
        reply = replies.get((row["site"], row["id"]))
        if reply is not None and split_of(row["site"]) == split:
            made.append(one_asked(row, reply))
    return made


def one_asked(row: dict[str, Any], reply: str) -> Asked:
    gold, others = [], []
    for source in row["passages"]:
        held = held_in(source, row)
        if held and not is_enough(held, row):
            continue
        around = min((start for start, _ in held), default=0)
        end = max((end for _, end in held), default=0)
        section = source["section"][-1] if source["section"] else ""
        passage = Passage(source["title"], section, cut(source["text"], around, end))
        (gold if held else others).append(passage)
    return Asked(row["site"], row["question"], reply, row.get("words") or "", tuple(gold), tuple(others))


def cut(text: str, start: int, end: int) -> str:
    """At most `WORDS` words, from the first sentence or line on from which they reach to `end`."""
    starts = [0, *(match.end() for match in re.finditer(r"[.!?]\s+|\n+", text))]
    reaching = [at for at in starts if at <= start and len(text[at:end].split()) <= WORDS]
    kept = text[reaching[0] if reaching else start :]
    places = [match.end() for match in re.finditer(r"\S+", kept)]
    return kept[: places[WORDS - 1]] if len(places) > WORDS else kept.strip()


def prompts(asked: Sequence[Asked], declined: float, two: float, seed: str) -> Iterator[Prompt]:
    """A prompt for each question. Of the share `declined`, and where nothing answers, no passage does; the share `two` has two
    passages, of which the answering one stands first three times in four."""
    draw = random.Random(seed)
    for one in asked:
        has_two, is_first, drawn = draw.random() < two, draw.random() < 0.75, draw.random()
        others = list(one.others[:4])
        draw.shuffle(others)
        if not one.gold or (drawn < declined and others):
            if others:
                yield prompt(others[: 1 + has_two], "", one.question, DECLINED)
            continue
        passages = [one.gold[0], *(others[:1] if has_two else [])]
        # The reader finds no words for some, and wrong ones for others.
        words = one.words if draw.random() < 0.8 else ""
        yield prompt(passages if is_first else passages[::-1], words, one.question, one.reply)


@cache
def template() -> list[str]:
    """The template's parts: instructions, message, passage."""
    return TEMPLATE.read_text(encoding="utf-8").strip().split("\n---\n")


def prompt(passages: Sequence[Passage], words: str, question: str, reply: str) -> Prompt:
    """As `prose_prompt` of crates/answer fills the template: a paragraph whose places are all empty is left out."""
    system, user, passage = template()
    written = "\n\n".join(
        passage.format(title=one.title, section=one.section, text=one.text).replace(", :", ":") for one in passages
    )
    values = {"passages": written, "found": words, "question": question}
    paragraphs = []
    for paragraph in user.split("\n\n"):
        names = re.findall(r"{([a-z]+)}", paragraph)
        if any(values[name] for name in names) or not names:
            paragraphs.append(paragraph.format(**values).strip())
    return Prompt(system, "\n\n".join(paragraphs), reply)
