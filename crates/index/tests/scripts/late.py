"""Cases for late interaction, by NumPy and SciPy: `python late.py > ../fixtures/late.json`.

Pooling is SciPy's hierarchical clustering by Ward's criterion; codes and scores follow their
definitions in double precision. numpy 2.4, scipy 1.17.
"""

import json

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

STEPS = {1: 1.596, 2: 0.9957, 4: 0.3352}  # Max (1960), table for uniform quantisers


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def pool(rows, count):
    if len(rows) <= count:
        return rows
    labels = fcluster(linkage(rows, "ward"), count, "maxclust")
    first = {}
    for place, label in enumerate(labels):
        first.setdefault(label, place)
    order = sorted(first, key=first.get)
    return np.stack([rows[labels == label].mean(0) for label in order])


def levels(rows, bits):
    half = 2 ** (bits - 1)
    steps = unit(rows) * np.sqrt(rows.shape[1]) / STEPS[bits]
    return np.clip(np.floor(steps) + half, 0, 2 * half - 1).astype(int)


def codes(numbers, bits):
    packed = []
    for row in numbers:
        for group in row.reshape(-1, 8 // bits):
            packed.append(int(sum(int(level) << (place * bits) for place, level in enumerate(group))))
    return packed


def case(random, dimension, bits):
    centres = unit(random.normal(size=(6, dimension)))

    def rows(count):
        near = centres[random.integers(0, 6, count)] + random.normal(scale=0.7 / np.sqrt(dimension), size=(count, dimension))
        # The fixture's digits are what both sides read.
        return np.round(unit(near), 4)

    question = rows(5)
    passages = []
    for count, pooled_to in ((1, 1), (7, 3), (20, 7), (33, 11), (4, 9)):
        vectors = rows(count)
        pooled = pool(vectors, pooled_to)
        numbers = levels(pooled, bits)
        directions = unit(2.0 * numbers - (2**bits - 1))
        score = (question @ directions.T).max(1).mean()
        passages.append(
            {
                "vectors": vectors.tolist(),
                "pooled_to": pooled_to,
                "pooled": pooled.round(7).tolist(),
                "codes": codes(numbers, bits),
                "max_sim": round(float(score), 7),
            }
        )
    return {"dimension": dimension, "bits": bits, "question": question.tolist(), "passages": passages}


def main():
    random = np.random.default_rng(20)
    cases = [case(random, dimension, bits) for dimension, bits in ((16, 1), (16, 2), (24, 2), (16, 4))]
    print(json.dumps(cases, separators=(",", ":")))


if __name__ == "__main__":
    main()
