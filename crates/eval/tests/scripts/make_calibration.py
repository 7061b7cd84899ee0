"""Makes ../fixtures/calibration.json: made-up confidences, and what scikit-learn and plain formulas say of them.

    python make_calibration.py

The area under the risk-coverage curve is taken by definition: over the one order there is without ties, over all orders
of a few answers with ties, over many random ones of more answers.
"""

import itertools
import json
import pathlib

import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.metrics import auc, brier_score_loss, precision_recall_fscore_support, roc_auc_score, roc_curve

BINS = 10
FIXTURE = pathlib.Path(__file__).parent.parent / "fixtures" / "calibration.json"


def risks(confidence, outcome, tie_break):
    """Share of wrong answers among the i surest, for every i."""
    order = np.lexsort((tie_break, -confidence))
    return np.cumsum(~outcome[order]) / np.arange(1, len(outcome) + 1)


def tie_breaks(confidence, chances):
    """Whether they are all there are, and the tie breaks."""
    number = len(confidence)
    if len(set(confidence)) == number:
        return True, [np.zeros(number)]
    if number < 9:
        return True, list(itertools.permutations(range(number)))
    return False, [chances.random(number) for _ in range(20_000)]


def risk_curve(confidence, outcome, chances):
    exact, breaks = tie_breaks(confidence, chances)
    mean = np.mean([risks(confidence, outcome, tie_break) for tie_break in breaks], axis=0)
    best = risks(outcome.astype(float), outcome, np.zeros(len(outcome)))
    coverage = np.arange(1, len(mean) + 1) / len(mean)
    return {"exact": exact, "area": mean.mean(), "trapezoid": auc(coverage, mean), "excess_area": mean.mean() - best.mean(),
            "accuracy_at": {str(share): 1 - mean[int(np.ceil(share * len(outcome) - 1e-9)) - 1]
                            for share in (0.1, 0.25, 0.5, 0.8, 1.0)}}


def reliability(confidence, outcome):
    """calibration_curve gives the bins that hold something; how many each holds is counted the way it counts."""
    accuracy, mean_confidence = calibration_curve(outcome, confidence, n_bins=BINS, strategy="uniform")
    places = np.searchsorted(np.linspace(0, 1, BINS + 1)[1:-1], confidence)
    counts = np.bincount(places, minlength=BINS)
    gaps = np.abs(accuracy - mean_confidence)
    return {"counts": counts.tolist(), "accuracy": accuracy.tolist(), "mean_confidence": mean_confidence.tolist(),
            "expected_calibration_error": (gaps * counts[counts > 0]).sum() / len(outcome),
            "maximum_calibration_error": gaps.max(), "brier": brier_score_loss(outcome, confidence)}


def roc(confidence, outcome):
    false_positive, true_positive, _ = roc_curve(outcome, confidence, drop_intermediate=False)
    return {"area": roc_auc_score(outcome, confidence), "false_positive_rate": false_positive.tolist(),
            "true_positive_rate": true_positive.tolist()}


def samples(chances):
    for name, number, digits, sharpness in [("no ties, informed", 150, 9, 1.0), ("ties, informed", 120, 1, 1.0),
                                            ("ties, guessing", 90, 1, 0.0), ("overconfident", 100, 9, 0.4)]:
        confidence = chances.random(number).round(digits)
        outcome = chances.random(number) < sharpness * confidence + (1 - sharpness) * 0.45
        yield name, confidence, outcome
    yield ("few, ties", np.array([0.9, 0.9, 0.9, 0.6, 0.6, 0.3, 0.3, 0.1]),
           np.array([True, True, False, True, False, False, True, False]))


def refusals(chances):
    for answered, refused in [(0.2, 0.7), (0.05, 0.1), (0.0, 0.5)]:
        unanswerable = chances.random(80) < 0.35
        refusal = chances.random(80) < np.where(unanswerable, refused, answered)
        precision, recall, f1, _ = precision_recall_fscore_support(unanswerable, refusal, average="binary")
        yield {"answerable": (~unanswerable).tolist(), "refused": refusal.tolist(), "precision": precision,
               "recall": recall, "f1": f1}


def main():
    chances = np.random.default_rng(20261121)
    cases = [{"name": name, "confidence": confidence.tolist(), "outcome": outcome.tolist(),
              "risk_coverage": risk_curve(confidence, outcome, chances),
              "reliability": reliability(confidence, outcome), "roc": roc(confidence, outcome)}
             for name, confidence, outcome in samples(chances)]
    FIXTURE.write_text(json.dumps({"bins": BINS, "cases": cases, "refusals": list(refusals(chances))},
                                  default=float, separators=(",", ":")) + "\n")
    print(FIXTURE.stat().st_size, "bytes")


main()
