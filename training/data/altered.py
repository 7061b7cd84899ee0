"""Questions that a passage no longer answers, made from those that it does.

SQuAD 2.0's people wrote theirs by swapping a name, negating, putting an antonym (Rajpurkar et al.
2018, table 2). Here all three are done by rule: one name or number of the question becomes another
of the same article; a word becomes its opposite; the verb is denied."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from training.data.reading import Question

_NUMBER = re.compile(r"\b\d[\d,.]*\d\b|\b\d\b")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w-]*(?: (?:of |the )?[A-Z][\w-]*)*")


# Each for the other, and their forms are listed where they differ.
_OPPOSITES = (
    "first last;more less;most least;best worst;largest smallest;larger smaller;large small;"
    "big little;highest lowest;higher lower;high low;oldest newest;oldest youngest;older younger;"
    "old new;old young;"
    "longest shortest;longer shorter;long short;early late;earlier later;earliest latest;before after;"
    "begin end;began ended;begins ends;start stop;started stopped;north south;northern southern;"
    "east west;eastern western;increase decrease;increased decreased;increases decreases;rise fall;"
    "rose fell;gain lose;gained lost;win lose;won lost;strong weak;stronger weaker;rich poor;"
    "public private;legal illegal;allow forbid;allowed forbidden;allows forbids;accept reject;"
    "accepted rejected;include exclude;included excluded;includes excludes;maximum minimum;"
    "major minor;majority minority;positive negative;common rare;common uncommon;inside outside;"
    "above below;over under;open closed;always never;support oppose;supported opposed;"
    "agree disagree;agreed disagreed;possible impossible;success failure;succeed fail;"
    "succeeded failed;arrive leave;arrived left;buy sell;bought sold;build destroy;built destroyed;"
    "friend enemy;ally enemy;male female;men women;father mother;son daughter;brother sister;"
    "king queen;summer winter;day night;wet dry;hot cold;fast slow;faster slower;easy hard;"
    "easy difficult;true false;upper lower;front back;left right;cause prevent;caused prevented;"
    "causes prevents;create destroy;created destroyed;join leave;joined left;enter leave;"
    "entered left;urban rural;domestic foreign;internal external;temporary permanent;"
    "required optional;mandatory optional;prime composite;even odd;finite infinite"
)
_VERB = re.compile(
    r"\b(is|are|was|were|did|does|do|has|have|had|can|could|would|should|will|may|must)\b",
    re.IGNORECASE,
)


def _opposites() -> dict[str, list[str]]:
    both: dict[str, list[str]] = defaultdict(list)
    for pair in _OPPOSITES.split(";"):
        one, other = pair.split()
        both[one].append(other)
        both[other].append(one)
    return both


OPPOSITES = _opposites()


def marks(text: str) -> list[tuple[str, int, int]]:
    """The numbers and names of a text: `("number3", start, end)` for a number of three characters,
    `("name1", start, end)` for a name with a space in it. A sentence's first word is no name: its
    capital says nothing."""
    numbers = [(f"number{len(found[0])}", *found.span()) for found in _NUMBER.finditer(text)]
    names = [(f"name{found[0].count(' ')}", *found.span()) for found in _NAME.finditer(text)]
    return numbers + names


def altered(questions: Sequence[Question], share: float, seed: str) -> list[Question]:
    """Questions made from a drawn `share` of the answerable ones, each in a way drawn from those that
    it allows; those that allow none give none. A denied verb comes seldom: a network learns too
    quickly that "not" means no answer."""
    by_article: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in questions:
        kinds = by_article[row.article]
        for text in (row.question, row.passage):
            for kind, start, end in marks(text):
                kinds[kind].add(text[start:end])
    draw = random.Random(seed)
    answerable = [row for row in questions if row.answerable]
    made = []
    for row in draw.sample(answerable, int(len(answerable) * share)):
        ways = [
            changed
            for changed in (
                _another(row, by_article[row.article], draw),
                opposite(row.question, draw),
                denied(row.question) if draw.random() < 0.15 else None,
            )
            if changed is not None
        ]
        if ways:
            made.append(replace(row, question=draw.choice(ways), answers=(), spans=(), kind=None, evidence=None))
    return made


def _another(row: Question, of_article: dict[str, set[str]], draw: random.Random) -> str | None:
    places = marks(row.question)
    if not places:
        return None
    kind, start, end = draw.choice(places)
    said = row.question[start:end]
    others = sorted(
        other
        for other in of_article[kind]
        if other not in row.question and said not in other and other not in row.answers
    )
    return row.question[:start] + draw.choice(others) + row.question[end:] if others else None


def opposite(question: str, draw: random.Random) -> str | None:
    places = [found for found in re.finditer(r"[a-z]+", question) if found[0] in OPPOSITES]
    if not places:
        return None
    place = draw.choice(places)
    return question[: place.start()] + draw.choice(OPPOSITES[place[0]]) + question[place.end() :]


def denied(question: str) -> str | None:
    if (place := _VERB.search(question)) is None:
        return None
    verb = place[0]
    irregular = {"can": "can't", "will": "won't", "may": "may not", "must": "must not"}
    word = irregular.get(verb.lower(), f"{verb.lower()}n't")
    if verb[0].isupper():
        word = word[0].upper() + word[1:]
    return question[: place.start()] + word + question[place.end() :]
