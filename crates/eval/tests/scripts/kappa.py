"""Makes tests/fixtures/kappa.json: labels of two annotators, and what scikit-learn says of them.

    pip install scikit-learn
    python crates/eval/tests/scripts/kappa.py > crates/eval/tests/fixtures/kappa.json
"""

import json
import math
import random

import sklearn
from sklearn.metrics import cohen_kappa_score

CATEGORIES = ["answerable", "ambiguous", "unanswerable"]


def drawn(chances, count, labels, agree):
    first = [chances.choice(labels) for _ in range(count)]
    second = [a if chances.random() < agree else chances.choice(labels) for a in first]
    return first, second


def cases():
    yield "all alike", ["answerable", "ambiguous"] * 3, ["answerable", "ambiguous"] * 3
    yield "one label throughout", ["answerable"] * 4, ["answerable"] * 4
    yield "one label each", ["answerable"] * 4, ["ambiguous"] * 4
    yield "one always says yes", ["answerable"] * 4, ["answerable", "ambiguous"] * 2
    yield "the other way round", ["answerable", "ambiguous"] * 3, ["ambiguous", "answerable"] * 3
    yield "a single item", ["answerable"], ["ambiguous"]
    yield "skewed", ["answerable"] * 45 + ["unanswerable"] * 5, ["answerable"] * 43 + ["unanswerable"] * 7
    chances = random.Random(20)
    for count in (2, 7, 40, 200):
        for agree in (0.0, 0.5, 0.9):
            yield f"{count} drawn, {agree}", *drawn(chances, count, CATEGORIES, agree)


def value(first, second):
    kappa = cohen_kappa_score(first, second)
    return None if math.isnan(kappa) else kappa


lines = [
    json.dumps({"name": name, "first": first, "second": second, "kappa": value(first, second)})
    for name, first, second in cases()
]
print(f'{{"scikit_learn": "{sklearn.__version__}", "cases": [')
print(",\n".join(lines))
print("]}")
