"""The passage adapter: passages, embedded where their questions are.

The other half of `query.py`. There the passages' side stood still while the question's learned; here questions stay where the query
adapter puts them, and passages learn to come to them. A page needs nothing of it: it is the build that embeds passages. A step takes some
seventy passages of one site, and with them all questions that one of them answers.

A site doesn't keep token vectors as they are: it keeps the signs of 128 numbers each, of two vectors that say nearly the same one
(`crates/index/src/late`). So the last epochs learn with passages coded like that, and the directions along which numbers are taken learn
as well.

It learns which passage answers, and how two encoders that were not trained for it order them: all-mpnet-base-v2 and the trunk, whose
late interaction together finds more than the adapted trunk does (Hinton et al., "Distilling the Knowledge in a Neural Network", 2015).
"""

from __future__ import annotations

import hashlib
import random
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy
import torch
from scipy.cluster.hierarchy import fcluster, linkage
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pad_sequence

from training.data.asked import Collection, collections
from training.export import read_adapter
from training.find import FOUND
from training.heads import Model
from training.in_site import manifest_of, shard_of
from training.on_trunk import OnTrunk
from training.query import (
    LATE_WEIGHT,
    PASSAGE_TOKENS,
    QUESTION_TOKENS,
    STOP_WORDS,
    missed,
    standard,
    stop_words,
)
from training.settings import Settings, Stage, adapter_path, trunk_folder
from training.teacher import Teacher, carrying
from training.tokens import Window, WordPieces, alone, batch_of
from training.trunk import Trunk, load_trunk, mean_vector

BATCH_TOKENS = 3000
POOL = 50
"""Passages that are compared token by token, by their cosine."""
NEAR = 20
"""Passages that a question's wrong ones are drawn from: the first so many that don't answer."""
OTHER_KIND = 200
"""Questions of another kind that are measured beside the handbooks'."""
CODED_SCALE = 1.14
"""Coded vectors differ so much less from each other."""
POOLED = 2
"""Token vectors that become one: as in crates/build/src/late.rs."""


@dataclass
class Site:
    """A collection, and all of it that does not learn."""

    collection: Collection
    passages: list[Window]
    questions: Tensor
    """`[questions, hidden]`: the vectors that the query adapter gives, each of length 1."""
    question_tokens: list[Tensor]
    near: list[list[int]]
    """By question: the passages that come first without this adapter and don't answer."""
    taught: list[tuple[list[Tensor], list[Tensor]]]
    """Of each teacher the token vectors of questions and of passages."""

    @cached_property
    def asked(self) -> dict[int, list[int]]:
        """By passage: the questions that it answers."""
        found: dict[int, list[int]] = {}
        for question, (_, gold) in enumerate(self.collection.questions):
            for passage in gold:
                found.setdefault(passage, []).append(question)
        return found


@dataclass(frozen=True)
class Row:
    """A step: some passages of a site, and the questions that they answer."""

    site: Site
    passages: tuple[int, ...]
    questions: tuple[int, ...]
    is_coded: bool


class Passage(OnTrunk):
    pooling = "mean"

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pieces = WordPieces(trunk_folder())
        self.carries = carrying(self.pieces.tokenizer.get_vocab(), stop_words(STOP_WORDS))
        told = settings.head
        self.size, self.most_questions = int(told["passages"]), int(told["questions"])
        self.cosine_scale, self.late_scale = float(told["cosine_scale"]), float(told["late_scale"])
        self.teacher_scales = [float(scale) for scale in told["teacher_scales"]]

    # What does not learn

    @cached_property
    def sites(self) -> dict[str, list[Site]]:
        """By split."""
        trunk = load_trunk(trunk_folder()).eval()
        asked = read_adapter(adapter_path("query-start"), load_trunk(trunk_folder()))[0].trunk
        teacher = Teacher(stop_words(STOP_WORDS))
        found: dict[str, list[Site]] = {"train": [], "validation": [], "test": []}
        for collection in collections():
            if collection.questions:
                found[collection.split].append(self._prepared(collection, trunk, asked, teacher))
        return found

    @torch.no_grad()
    def _prepared(self, collection: Collection, trunk: Trunk, asked: Trunk, teacher: Teacher) -> Site:
        """Kept beside the collection, under the hash of its texts."""
        questions = [question for question, _ in collection.questions]
        digest = hashlib.sha256("\0".join((*collection.passages, *questions)).encode()).hexdigest()
        kept = FOUND / f"{collection.name}-taught.pt"
        passages = [alone(self.pieces.pieces(text), PASSAGE_TOKENS) for text in collection.passages]
        if kept.exists():
            state = torch.load(kept, weights_only=True)
            if state.pop("digest") == digest:
                return Site(collection, passages, **state)
        print(f"embedding {collection.name}: {len(passages)} passages", flush=True)
        windows = [alone(self.pieces.pieces(text), QUESTION_TOKENS) for text in questions]
        vectors, tokens = self._embedded(trunk, passages)
        asked_vectors, asked_tokens = self._embedded(asked, windows)
        near = []
        for vector, own, (_, gold) in zip(asked_vectors, asked_tokens, collection.questions, strict=True):
            order = ordered(vector, own, vectors, tokens)
            near.append([passage for passage in order if passage not in gold][:NEAR])
        taught = []
        if collection.split != "test":
            taught = [
                (
                    teacher.token_vectors(questions, QUESTION_TOKENS),
                    teacher.token_vectors(collection.passages, PASSAGE_TOKENS),
                ),
                (halved(self._embedded(trunk, windows)[1]), halved(tokens)),
            ]
        state = {
            "questions": asked_vectors,
            "question_tokens": halved(asked_tokens),
            "near": near,
            "taught": taught,
        }
        torch.save(state | {"digest": digest}, kept)
        return Site(collection, passages, **state)

    def _embedded(self, trunk: Trunk, windows: Sequence[Window]) -> tuple[Tensor, list[Tensor]]:
        """Each text's vector, and those of its tokens that are compared."""
        vectors: list[Tensor] = [torch.empty(0)] * len(windows)
        tokens: list[Tensor] = [torch.empty(0)] * len(windows)
        for chosen in by_length(windows):
            batch = batch_of([windows[number] for number in chosen])
            states = trunk(batch).float()
            means = functional.normalize(mean_vector(states, batch.mask), dim=-1)
            for place, number in enumerate(chosen):
                keep = torch.from_numpy(self.carries[windows[number].ids])
                own = states[place, : len(windows[number])]
                vectors[number] = means[place]
                tokens[number] = functional.normalize(own[keep] if keep.any() else own, dim=-1)
        return torch.stack(vectors), tokens

    # Learning

    def model(self) -> Model:
        model = super().model()
        start_along(model)
        return model

    def rows(self, stage: Stage, epoch: int) -> list[Row]:
        """A small site as a whole, of a large one groups of questions with what answers and what comes near."""
        draw = random.Random(f"{self.settings.seed} {epoch}")
        share = stage.sources["asked"].get("share", {})
        is_coded = bool(stage.sources["asked"]["coded"])
        return [
            Row(site, group, self._questions_on(site, group, draw), is_coded)
            for site in self.sites["train"]
            for group in self._groups(site, share.get(site.collection.name, 1.0), draw)
        ]

    def _groups(self, site: Site, share: float, draw: random.Random) -> Iterator[tuple[int, ...]]:
        if len(site.passages) <= self.size * 5 // 4:
            yield tuple(range(len(site.passages)))
            return
        asked = list(range(len(site.collection.questions)))
        draw.shuffle(asked)
        covered: set[int] = set()
        group: set[int] = set()
        for question in asked[: int(len(asked) * share)]:
            if question in covered:
                continue
            near = site.near[question]
            group.add(draw.choice(site.collection.questions[question][1]))
            group.update(draw.sample(near[:8], min(2, len(near))))
            group.update(draw.sample(near, min(1, len(near))))
            if len(group) >= self.size:
                covered.update(other for passage in group for other in site.asked.get(passage, ()))
                yield tuple(sorted(group))
                group = set()
        if len(group) > self.size // 2:
            yield tuple(sorted(group))

    def _questions_on(self, site: Site, group: Sequence[int], draw: random.Random) -> tuple[int, ...]:
        questions = sorted({question for passage in group for question in site.asked.get(passage, ())})
        return tuple(draw.sample(questions, min(len(questions), self.most_questions)))

    def length(self, row: Row) -> int:
        return len(row.passages)

    def passage_side(self, model: Any) -> Model:
        """The network that embeds passages."""
        return model

    def asked(self, model: Any, site: Site, questions: Sequence[int]) -> tuple[Tensor, list[Tensor]]:
        """Questions' vectors, and those of their tokens that are compared."""
        return site.questions[list(questions)], [site.question_tokens[question].float() for question in questions]

    def loss(self, model: Any, rows: list[Row]) -> Tensor:
        return torch.stack([self._loss(model, row) for row in rows]).mean()

    def _loss(self, model: Any, row: Row) -> Tensor:
        """Cross entropy of the passages that answer, by the sum of both comparisons and by each, and how far the sum's
        distribution is from the teachers'."""
        site = row.site
        side = self.passage_side(model)
        vectors, tokens = self._embedded(side.trunk, [site.passages[passage] for passage in row.passages])
        asked_vectors, asked = self.asked(model, site, row.questions)
        cosines = asked_vectors @ vectors.T
        late_scale = self.late_scale
        if row.is_coded:
            directions = directions_of(side)
            late_scale *= CODED_SCALE
            late = max_sims([along(directions, own) for own in asked], [coded(directions, own) for own in tokens])
        else:
            late = max_sims(asked, tokens)
        both = self.cosine_scale * cosines + late_scale * late
        losses = []
        for place, question in enumerate(row.questions):
            answers = site.collection.questions[question][1]
            gold = torch.tensor([passage in answers for passage in row.passages])
            losses.append(
                missed(both[place], gold)
                + 0.5 * missed(self.cosine_scale * cosines[place], gold)
                + 0.5 * missed(1.25 * late_scale * late[place], gold)
            )
        taught = torch.zeros_like(both)
        for scale, (questions, passages) in zip(self.teacher_scales, site.taught, strict=True):
            with torch.no_grad():
                taught += scale * max_sims(
                    [questions[question] for question in row.questions], [passages[passage] for passage in row.passages]
                )
        distance = functional.kl_div(
            torch.log_softmax(both, 1), torch.softmax(taught, 1), reduction="batchmean"
        )
        return torch.stack(losses).mean() + distance

    # Measuring

    def validate(self, model: Any, quick: bool) -> dict[str, float]:
        return self._found(model, self.sites["validation"])

    @torch.no_grad()
    def _found(self, model: Any, sites: Sequence[Site], most: int | None = None) -> dict[str, float]:
        """How often a passage that answers comes first and among five, by both comparisons, tokens coded."""
        side = self.passage_side(model)
        directions = directions_of(side)
        first, five, count = 0, 0, 0
        for site in sites:
            vectors, tokens = self._embedded(side.trunk, site.passages)
            tokens = [coded(directions, own) for own in tokens]
            questions = range(len(site.collection.questions))[:most]
            for question, vector, own in zip(questions, *self.asked(model, site, questions), strict=True):
                gold = site.collection.questions[question][1]
                found = [passage in gold for passage in ordered(vector, along(directions, own), vectors, tokens)[:5]]
                first, five, count = first + found[0], five + any(found), count + 1
        return {"questions": float(count), "first": first / max(count, 1), "of_five": five / max(count, 1)}

    def metadata(self, model: Model) -> dict[str, str]:
        """A share of what was learned, as of the query adapter."""
        return {"scale": f"{self.settings.adapter.scale * float(self.settings.head['way']):g}"}

    def test(self, model: Model, metadata: dict[str, str]) -> dict[str, object]:
        """Beside the trunk alone: handbooks for the test, the other half of doc2dial's pages, natural questions."""
        alone = Model(load_trunk(trunk_folder()).eval(), self.settings.task, self.pooling)
        start_along(alone)
        adapted, plain = self.found_for_test(model), self.found_for_test(alone)
        return {part: {"adapter": adapted[part], "trunk": plain[part]} for part in adapted}

    def found_for_test(self, model: Any) -> dict[str, dict[str, float]]:
        """What is found on the sites for the test, by their kind."""
        parts: dict[str, list[Site]] = {"handbooks": [], "doc2dial": [], "natural": []}
        for site in self.sites["test"]:
            name = site.collection.name.partition("-")[0]
            parts[name if name in parts else "handbooks"].append(site)
        return {
            part: self._found(model, sites, None if part == "handbooks" else OTHER_KIND)
            for part, sites in parts.items()
        }


def directions_of(model: Model) -> nn.Linear:
    directions = model.head["directions"]
    assert isinstance(directions, nn.Linear)
    return directions


@torch.no_grad()
def start_along(model: Model) -> None:
    """Starts with the directions of a site that `training.find` built: those in which the trunk's own vectors differ most."""
    site = FOUND / "natural-train"
    rows, offsets = projection_in(shard_of(site, manifest_of(site)["late"]["head"]))
    directions_of(model).weight.copy_(rows)
    directions_of(model).bias.copy_(-offsets)


def projection_in(head: bytes) -> tuple[Tensor, Tensor]:
    """The directions, `[output, input]`, and their offsets in the head of a late-interaction index, which stands behind the hashes of
    its shards."""
    at = head.find(b"CLI1") + 5
    if at < 5:
        raise SystemExit("no head of a late-interaction index: `python -m training.find` builds the sites anew")

    def number() -> int:
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = head[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    width, count = number(), number()
    rows, offsets = numpy.zeros((count, width), numpy.float32), numpy.zeros(count, numpy.float32)
    for row in range(count):
        scale, offsets[row] = struct.unpack_from("<ff", head, at)
        rows[row] = numpy.frombuffer(head, numpy.int8, width, at + 8) * numpy.float32(scale)
        at += 8 + width
    return torch.from_numpy(rows), torch.from_numpy(offsets)


def along(directions: nn.Linear, tokens: Tensor) -> Tensor:
    """A question's tokens, `[tokens, hidden]`, as they are compared: `[tokens, directions]`, each of length 1."""
    return functional.normalize(directions(tokens), dim=-1)


def coded(directions: nn.Linear, tokens: Tensor) -> Tensor:
    """A passage's tokens as a site keeps them: pooled, and of each number its sign. Gradients pass as if they were not coded."""
    rows = along(directions, tokens)
    left = -(-len(rows) // POOLED)
    if len(rows) > left:
        tree = linkage(rows.detach().numpy(), "ward")
        cluster = torch.from_numpy(fcluster(tree, left, "maxclust") - 1).long()
        count = int(cluster.max()) + 1
        sums = torch.zeros(count, rows.shape[1]).index_add(0, cluster, rows)
        rows = sums / torch.bincount(cluster, minlength=count)[:, None]
    rows = functional.normalize(rows, dim=-1)
    signs = torch.where(rows >= 0, 1.0, -1.0) / rows.shape[1] ** 0.5
    return rows + (signs - rows).detach()


def by_length(windows: Sequence[Window]) -> Iterator[list[int]]:
    """Numbers of texts of like length, so that a batch has little padding."""
    batch: list[int] = []
    for number in sorted(range(len(windows)), key=lambda number: len(windows[number])):
        if batch and (len(batch) + 1) * len(windows[number]) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(number)
    yield batch


def ordered(vector: Tensor, own: Tensor, vectors: Tensor, tokens: Sequence[Tensor]) -> list[int]:
    """The passages nearest to a question, best first, as a search by meaning orders them."""
    cosines = vectors @ vector
    pool = cosines.topk(min(POOL, len(cosines))).indices
    late = max_sims([own], [tokens[passage] for passage in pool.tolist()])[0]
    both = standard(cosines[pool]) + LATE_WEIGHT * standard(late)
    return pool[both.argsort(descending=True)].tolist()


def max_sims(questions: Sequence[Tensor], passages: Sequence[Tensor]) -> Tensor:
    """`[questions, passages]`: the mean over a question's tokens of the cosine with the nearest token of the passage."""
    padded = pad_sequence([tokens.float() for tokens in passages], batch_first=True)
    lengths = torch.tensor([len(tokens) for tokens in passages])
    is_padding = torch.arange(padded.shape[1]) >= lengths[:, None]
    stacked = torch.cat([tokens.float() for tokens in questions])
    near = (stacked @ padded.flatten(0, 1).T).view(len(stacked), *padded.shape[:2])
    near = near.masked_fill(is_padding, -1.0).amax(2)
    return torch.stack([own.mean(0) for own in near.split([len(tokens) for tokens in questions])])


def halved(tokens: Sequence[Tensor]) -> list[Tensor]:
    return [own.half() for own in tokens]
