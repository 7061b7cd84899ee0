"""Writes tests/fixtures/parity.json: small problems and their solutions by NumPy's dense solvers.

python3 make_parity.py > ../fixtures/parity.json    (NumPy 2.4)
"""
import json
import numpy as np

rng = np.random.default_rng(20261122)


def rounded(array):
    return [float(f"{value:.7g}") for value in np.asarray(array, dtype=np.float64).ravel()]


def ridge(pieces, texts, dimension, strength):
    prior = np.array(rounded(rng.standard_normal((pieces, dimension)))).reshape(pieces, dimension)
    named = [rng.integers(0, pieces - 1, rng.integers(1, 9)).tolist() for _ in range(texts)]
    targets = np.array(rounded(rng.standard_normal((texts, dimension)) / 3)).reshape(texts, dimension)
    shares = np.zeros((texts, pieces))
    for row, numbers in enumerate(named):
        for number in numbers:
            shares[row, number] += 1 / len(numbers)
    means = shares @ prior
    start = prior * (means * targets).sum() / (means * means).sum()
    matrix = shares.T @ shares + strength * np.eye(pieces)
    rows = start + np.linalg.solve(matrix, shares.T @ (targets - shares @ start))
    return {
        "pieces": pieces, "dimension": dimension, "strength": strength, "prior": rounded(prior),
        "texts": named, "targets": rounded(targets), "rows": rounded(rows),
    }


def axes(count, vectors, dimension):
    spread = 0.9 ** np.arange(dimension)
    turned = np.linalg.qr(rng.standard_normal((dimension, dimension)))[0]
    rows = np.array(rounded(rng.standard_normal((vectors, dimension)) * spread @ turned + 0.2))
    rows = rows.reshape(vectors, dimension)
    centred = rows - rows.mean(0)
    values = np.linalg.eigvalsh(centred.T @ centred)[::-1]
    return {
        "count": count, "dimension": dimension, "vectors": rounded(rows),
        "kept": float(values[:count].sum()), "all": float(values.sum()),
    }


print(json.dumps({
    "ridge": [ridge(12, 40, 5, 0.03), ridge(30, 20, 17, 0.3), ridge(40, 300, 16, 0.01)],
    "axes": [axes(4, 60, 24), axes(8, 10, 24), axes(24, 60, 24)],
}))
