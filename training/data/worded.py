"""Questions, each with a passage and the words in it that answer, and what a student desk would say: `prose.jsonl` of the handbooks.

A page asks the model only where it is sure of the words that answer. So the model has nothing to decide: not whether the passage
answers, which passage does, or whether the answer is yes. It has to say the words as a sentence. The passages are those that a
search brought (`training.find`), so that it reads what a page gives it.
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

KINDS = ("words", "sentences", "section")
"""The questions to learn from: those that ask for something. Yes and no are the page's to say."""
TEMPLATE = ROOM / "settings" / "prose-template.txt"
WORDS = 90
"""The most words of a passage."""
FOUND_WORDS = 25
"""The most words that a reader finds."""


@dataclass(frozen=True)
class Passage:
    title: str
    section: str
    text: str


@dataclass(frozen=True)
class Asked:
    """A question, what to reply, the words that answer, the sentence that they stand in, and the passage that holds it."""

    site: str
    question: str
    reply: str
    words: str
    sentence: str
    passage: Passage


@dataclass(frozen=True)
class Prompt:
    system: str
    user: str
    reply: str


def asked(split: str, found: Path = FOUND / "found.jsonl") -> list[Asked]:
    """The questions of the institutions that are for one purpose, as far as they have replies to learn and a passage was found."""
    replies: dict[tuple[str, str], str] = {}
    for path in sorted(HANDBOOKS.glob("*/prose.jsonl")):
        for row in rows_in(path):
            replies[path.parent.name, row["id"]] = row["prose"]
    made = []
    for row in rows_in(found):
        reply = replies.get((row["site"], row["id"]))
        if reply is not None and row["kind"] in KINDS and not _VERDICT.match(reply) and split_of(row["site"]) == split:
            made += one_asked(row, reply)
    return made


def one_asked(row: dict[str, Any], reply: str) -> Iterator[Asked]:
    """The question with the first passage that answers, if there is one."""
    for source in row["passages"]:
        held = held_in(source, row)
        if not is_enough(held, row):
            continue
        start, end = min(start for start, _ in held), max(end for _, end in held)
        first = source["text"][held[0][0] : held[0][1]]
        section = source["section"][-1] if source["section"] else ""
        passage = Passage(source["title"], section, cut(source["text"], start, end))
        yield Asked(row["site"], row["question"], reply, row.get("words") or "", first, passage)
        return


def cut(text: str, start: int, end: int) -> str:
    """At most `WORDS` words, from the first sentence or line on from which they reach to `end`."""
    starts = [0, *(match.end() for match in re.finditer(r"[.!?]\s+|\n+", text))]
    reaching = [at for at in starts if at <= start and len(text[at:end].split()) <= WORDS]
    kept = text[reaching[0] if reaching else start :]
    places = [match.end() for match in re.finditer(r"\S+", kept)]
    return kept[: places[WORDS - 1]] if len(places) > WORDS else kept.strip()


def prompts(asked: Sequence[Asked], seed: str) -> Iterator[Prompt]:
    """A prompt for each question, with the words that answer or, for some and where there are none, with their sentence: a reader
    marks either."""
    draw = random.Random(seed)
    for one in asked:
        is_short = bool(one.words) and draw.random() < 0.75
        found = one.words if is_short else " ".join(one.sentence.split()[:FOUND_WORDS])
        yield prompt([one.passage], found, one.question, one.reply)


_VERDICT = re.compile(r"(yes|no|it depends)\b", re.IGNORECASE)


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
