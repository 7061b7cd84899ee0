"""Makes ../fixtures/significance.json: samples, and what NumPy, SciPy and statsmodels say of them.

    python make_significance.py

`exact` uses the same random numbers as the code under test (PCG-XSH-RR 64/32, written out below from its paper), so
that it has to agree to the last digits; `scipy` draws its own, so that it agrees about as well as two seeds do.
"""

import json
import math
import pathlib

import numpy as np
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import proportion_confint

RESAMPLES = 10_000
SEED = 1
STREAM = 0x0A02BDBF7BB3C0A7
FIXTURE = pathlib.Path(__file__).parent.parent / "fixtures" / "significance.json"


class Pcg32:
    """O'Neill 2014, PCG-XSH-RR with 64 bits of state, seeded as her reference code seeds it."""

    MASK = (1 << 64) - 1

    def __init__(self, seed, stream):
        self.increment = (stream << 1 | 1) & self.MASK
        self.state = (seed + self.increment) & self.MASK
        self.step()

    def step(self):
        self.state = (self.state * 6364136223846793005 + self.increment) & self.MASK

    def next(self):
        old = self.state
        self.step()
        xorshifted = ((old >> 18 ^ old) >> 27) & 0xFFFFFFFF
        rotation = old >> 59
        return (xorshifted >> rotation | xorshifted << (-rotation & 31)) & 0xFFFFFFFF

    def below(self, bound):
        return self.next() * bound >> 32


def resamples(values, size):
    chances = Pcg32(SEED, STREAM)
    places = np.array([[chances.below(len(values)) for _ in range(size)] for _ in range(RESAMPLES)])
    return np.asarray(values)[places]


def exact(a, b):
    """Percentile interval, bootstrap t test (Efron and Tibshirani, algorithm 16.2), shares of resamples."""
    differences = np.asarray(a) - np.asarray(b)
    drawn = resamples(differences, len(differences))
    means = drawn.mean(axis=1)
    shifted = drawn - differences.mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        t = shifted.mean(axis=1) / (shifted.std(axis=1, ddof=1) / math.sqrt(len(differences)))
    t = np.where(shifted.std(axis=1, ddof=1) < 1e-12, np.inf, np.abs(t))
    observed = abs(differences.mean() / (differences.std(ddof=1) / math.sqrt(len(differences))))
    as_far = (t >= observed * (1 - 1e-9)).sum()
    half = resamples(differences, max(1, len(differences) // 2))
    return {
        "difference": differences.mean(),
        "interval": np.percentile(means, [2.5, 97.5]).tolist(),
        "two_sided_p": (as_far + 1) / (RESAMPLES + 1),
        "share_not_better": np.mean(drawn.sum(axis=1) <= 1e-12),
        "share_not_better_half": np.mean(half.sum(axis=1) <= 1e-12),
        "standard_deviation": differences.std(ddof=1),
    }


def by_scipy(a, b):
    differences = (np.asarray(a) - np.asarray(b),)
    interval = stats.bootstrap(differences, np.mean, n_resamples=RESAMPLES, method="percentile", rng=7)
    return {
        "interval": list(interval.confidence_interval),
        "t_test_p": stats.ttest_rel(a, b).pvalue,
        "sign_flip_p": stats.permutation_test(differences, np.mean, permutation_type="samples",
                                              n_resamples=RESAMPLES, rng=7).pvalue,
        "smallest_detectable": TTestPower().solve_power(nobs=len(a), alpha=0.05, power=0.8)
        * differences[0].std(ddof=1),
    }


def samples():
    chances = np.random.default_rng(20261121)

    def hits(share, number):
        return (chances.random(number) < share).astype(float)

    def near(values, change, number):
        return np.clip(values + chances.normal(change, 0.25, number), 0, 1).round(4)

    f1 = chances.beta(1.2, 0.8, 200).round(4)
    recall = chances.choice([0, 0.5, 1], 60)
    return {
        "hits of 48, close": (hits(0.62, 48), hits(0.55, 48)),
        "hits of 176, far": (hits(0.7, 176), hits(0.5, 176)),
        "graded recall of 60": (recall, chances.choice([0, 0.25, 0.5, 1], 60)),
        "token F1 of 200, correlated": (near(f1, 0.04, 200), f1),
        "token F1 of 40, no difference": (near(f1[:40], 0.0, 40), f1[:40]),
        "7 questions": (chances.random(7).round(3), chances.random(7).round(3)),
    }


def main():
    comparisons = []
    for name, (a, b) in samples().items():
        a, b = a.tolist(), b.tolist()
        means = resamples(a, len(a)).mean(axis=1)
        comparisons.append({
            "name": name, "a": a, "b": b, "exact": exact(a, b), "scipy": by_scipy(a, b),
            "mean_of_a": {"mean": float(np.mean(a)), "interval": np.percentile(means, [2.5, 97.5]).tolist()},
        })
    shares = [(count, total, level, list(proportion_confint(count, total, 1 - level, "wilson")))
              for count, total, level in
              [(0, 20, 0.95), (20, 20, 0.95), (1, 2, 0.95), (29, 48, 0.95), (29, 48, 0.9), (700, 1000, 0.99)]]
    p_values = [[0.01, 0.04, 0.03, 0.005], [0.5, 0.2, 0.9], [0.001], [0.02, 0.02, 0.02, 1.0, 0.3]]
    adjusted = [{"p": p, "holm": multipletests(p, method="holm")[1].tolist()} for p in p_values]
    pcg = Pcg32(SEED, STREAM)
    FIXTURE.write_text(json.dumps({
        "pcg": [pcg.next() for _ in range(4)], "comparisons": comparisons, "wilson": shares, "adjusted": adjusted,
    }, default=float, separators=(",", ":")) + "\n")
    print(FIXTURE.stat().st_size, "bytes")
    for case in comparisons:
        print(case["name"], {key: case[key] for key in ("exact", "scipy")})
    for number in (35, 100):
        ratio = TTestPower().solve_power(nobs=number, alpha=0.05, power=0.8) * math.sqrt(number) / (
            stats.norm.ppf(0.975) + stats.norm.ppf(0.8))
        print("t for z at", number, ratio)
    for number in (10, 20, 34, 35, 50):
        print("width at", number, stats.norm.ppf(0.975) * math.sqrt((number - 1) / number) / stats.t.ppf(0.975, number - 1))


main()
