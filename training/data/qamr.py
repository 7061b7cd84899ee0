"""QAMR (Michael et al. 2018): questions on single sentences of Wikipedia and Wikinews."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

from training.data.reading import Question

_BRACKETS = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
}
_NO_SPACE_BEFORE = {
    ".",
    ",",
    ";",
    ":",
    "!",
    "?",
    ")",
    "]",
    "}",
    "%",
    "'s",
    "n't",
    "'",
    "'re",
    "'ve",
}
_NO_SPACE_AFTER = {"(", "[", "{", "$", "£", "€"}


def _sentence(tokens: list[str]) -> tuple[str, list[tuple[int, int]]]:
    """The tokens as a text, and where each stands."""
    text, spans, space, quoted = "", [], "", False
    for token in tokens:
        token = _BRACKETS.get(token, token)
        quote = token == '"'
        if token in _NO_SPACE_BEFORE or (quote and quoted):
            space = ""
        text += space
        spans.append((len(text), len(text) + len(token)))
        text += token
        quoted ^= quote
        space = "" if token in _NO_SPACE_AFTER or (quote and quoted) else " "
    return text, spans


def _sentences(data: Path) -> dict[str, tuple[str, list[tuple[int, int]]]]:
    lines = (data / "qamr" / "wiki-sentences.tsv").read_text(encoding="utf-8").splitlines()
    return {key: _sentence(text.split()) for key, text in (line.split("\t") for line in lines)}


def _article(key: str) -> str:
    return ":".join(key.split(":")[1:3])


def qamr(data: Path, per_sentence: int, others: int, seed: int) -> list[Question]:
    """At most `per_sentence` questions a sentence, different answers first. Each sentence stands among
    up to `others` more of its article, where there are any, or of another, so that there is
    something to search."""
    sentences = _sentences(data)
    draw = random.Random(seed)
    rows: dict[str, dict[tuple[int, ...], list[tuple[str, list[str]]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for part in ("dev", "test"):
        path = data / "qamr" / "filtered" / f"{part}.tsv"
        for line in path.read_text(encoding="utf-8").splitlines():
            key, *_, question, answer, first, second = line.split("\t")
            told = [answer, *(other.split(":", 1)[1] for other in (first, second))]
            places = tuple(sorted(map(int, answer.split())))
            rows[key][places].append((question, told))
    by_article: dict[str, list[str]] = defaultdict(list)
    for key in sentences:
        by_article[_article(key)].append(key)
    keys = list(sentences)
    questions = []
    for key, by_answer in rows.items():
        queues = [draw.sample(asked, len(asked)) for asked in by_answer.values()]
        draw.shuffle(queues)
        chosen: list[tuple[str, list[str]]] = []
        while any(queues) and len(chosen) < per_sentence:
            chosen += [queue.pop() for queue in queues if queue]
        for number, (question, told) in enumerate(chosen[:per_sentence]):
            near = [other for other in by_article[_article(key)] if other != key]
            far = [draw.choice(keys) for _ in range(others)]
            around = draw.sample(near, min(len(near), others)) or far
            around = [other for other in around if other != key][: draw.randint(0, others)]
            at = draw.randint(0, len(around))
            before = " ".join(sentences[other][0] for other in around[:at])
            after = " ".join(sentences[other][0] for other in around[at:])
            text, spans = sentences[key]
            start = len(before) + 1 if before else 0
            passage = " ".join(part for part in (before, text, after) if part)
            placed = [_answer_span(spans, tokens, start) for tokens in told]
            found = tuple(span for span in placed if span is not None)
            if found:
                answers = tuple(passage[a:b] for a, b in found)
                name = f"{key}:{number}"
                questions.append(Question(name, _article(key), question, passage, answers, found))
    return questions


def _answer_span(spans: list[tuple[int, int]], tokens: str, start: int) -> tuple[int, int] | None:
    """From the first to the last of an answer's tokens, if most of what lies between is answer too."""
    try:
        places = sorted(int(token) for token in tokens.split())
    except ValueError:
        return None
    if not places or places[-1] >= len(spans) or len(places) * 2 <= places[-1] - places[0]:
        return None
    return spans[places[0]][0] + start, spans[places[-1]][1] + start
