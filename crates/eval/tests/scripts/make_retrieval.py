"""Makes ../fixtures/retrieval.json: made-up rankings and judgments, and what ranx and trec_eval say of them.

    python make_retrieval.py

Metrics that both know are computed by both, and the script stops where they differ by more than 1e-6.
The variant of MAP@k that divides by what was found is in neither; it is the printed formula. Token budgets
and evidence are cut here, and then measured by ranx.
"""

import json
import pathlib
import random

import numpy as np
import pytrec_eval
from ranx import Qrels, Run, evaluate

SEED = 20261121
QUESTIONS = 220
RANKS = [1, 3, 5, 10]
BUDGETS = [512, 1024, 2048]
LEVELS = {"": 0, "document_": 1, "link_": 2}
NOTHING = "nothing"
FIXTURE = pathlib.Path(__file__).parent.parent / "fixtures" / "retrieval.json"


def make_question(chances, number):
    """Chunks 0..59 in documents of 1 to 6 chunks; some documents have an address, some share one."""
    documents, chunks = [], []
    while len(chunks) < 60:
        name = f"d{len(documents)}"
        link = chances.choice([None, f"/{name}", f"/{name}", "/shared"])
        documents.append((name, link))
        chunks += [len(documents) - 1] * chances.randint(1, 6)
    length = chances.choice([0, 1, 3, 7, 12, 20, 20])
    ranked = chances.sample(range(60), length)
    evidence = []
    for _ in range(chances.choice([0, 1, 1, 1, 2, 3, 5]) if number else 0):
        holders = set(chances.sample(range(60), chances.choice([1, 1, 2, 3])))
        if ranked and chances.random() < 0.6:
            holders.add(chances.choice(ranked))
        document = documents[chunks[min(holders)]]
        if chances.random() < 0.15:
            holders, document = set(), chances.choice([document, (f"unread{len(evidence)}", None)])
        evidence.append((chances.choice([1, 1, 1, 2, 3]), sorted(holders), *document))
    answering = {chunk for _, holders, *_ in evidence for chunk in holders}
    rejected = []
    if chances.random() < 0.4:
        rejected = sorted(set(chances.sample(range(60), chances.randint(1, 25))) - answering)
    passages = [(chunk, *documents[chunks[chunk]], chances.randint(20, 400)) for chunk in ranked]
    return {"passages": passages, "evidence": evidence, "rejected": rejected}


def key(passage, level):
    chunk, document, link, _ = passage
    return [f"c{chunk}", document, link or document][level]


def qrels_of(question, level):
    grades = {}
    for number, (grade, holders, document, link) in enumerate(question["evidence"]):
        if level == 0:
            names = [f"c{chunk}" for chunk in holders] or [f"out-of-reach-{number}"]
        else:
            names = [document if level == 1 else link or document]
        for name in names:
            grades[name] = max(grade, grades.get(name, 0))
    if level == 0:
        grades |= {f"c{chunk}": 0 for chunk in question["rejected"]}
    return grades


def run_of(names):
    """Distinct names with falling scores; ranx and trec_eval take no empty ranking, so one holds nothing."""
    distinct = list(dict.fromkeys(names)) or [NOTHING]
    return {name: float(1000 - place) for place, name in enumerate(distinct)}


def both(qrels, run, ranx_names, trec_names):
    """A question's metrics by ranx, after comparing them with trec_eval's where it has them."""
    found = {}
    for name in ranx_names:
        found[name] = float(evaluate(Qrels({"q": qrels}), Run({"q": run}), name, make_comparable=False))
    measures = {name.rsplit("_", 1)[0] + "." + name.rsplit("_", 1)[1] if name[-1].isdigit() else name
                for name in trec_names.values()}
    theirs = pytrec_eval.RelevanceEvaluator({"q": qrels}, measures).evaluate({"q": run})["q"]
    for ours, name in trec_names.items():
        assert abs(found[ours] - theirs[name]) < 1e-6, (ours, found[ours], theirs[name])
    return found


def average_precision_of_found(qrels, run, k):
    """Equation 6.3 of the studies-guide assistant's thesis: what is not among the first k is forgiven."""
    relevant = np.array([qrels.get(name, 0) > 0 for name in list(run)[:k]], dtype=float)
    precision = np.cumsum(relevant) / np.arange(1, len(relevant) + 1)
    return float((precision * relevant).sum() / relevant.sum()) if relevant.sum() else 0.0


def at_ranks(prefix, qrels, run):
    ours = {"mrr": "recip_rank"}
    names = {"mrr": f"{prefix}reciprocal_rank"}
    for k in RANKS:
        ours |= {f"hit_rate@{k}": f"success_{k}", f"recall@{k}": f"recall_{k}", f"precision@{k}": f"P_{k}",
                 f"map@{k}": f"map_cut_{k}", f"ndcg@{k}": f"ndcg_cut_{k}"}
        names |= {f"hit_rate@{k}": f"{prefix}hit@{k}", f"recall@{k}": f"{prefix}recall@{k}",
                  f"precision@{k}": f"{prefix}precision@{k}", f"map@{k}": f"{prefix}average_precision@{k}",
                  f"ndcg@{k}": f"{prefix}ndcg@{k}", f"ndcg_burges@{k}": f"{prefix}ndcg_exponential@{k}"}
    measured = both(qrels, run, names, ours)
    scores = {names[name]: value for name, value in measured.items()}
    for k in RANKS:
        scores[f"{prefix}average_precision_of_found@{k}"] = average_precision_of_found(qrels, run, k)
    return scores


def fitting(passages, budget):
    taken = []
    for passage in passages:
        if sum(other[3] for other in taken) + passage[3] > budget:
            break
        taken.append(passage)
    return taken


def at_budgets(prefix, level, question, qrels):
    scores = {}
    for budget in BUDGETS:
        run = run_of(key(passage, level) for passage in fitting(question["passages"], budget))
        measured = both(qrels, run, ["hit_rate", "recall"], {})
        scores[f"{prefix}hit@{budget}_tokens"] = measured["hit_rate"]
        scores[f"{prefix}recall@{budget}_tokens"] = measured["recall"]
    return scores


def evidence_recall(question, passages):
    chunks = {passage[0] for passage in passages}
    found = [bool(chunks & set(holders)) for _, holders, *_ in question["evidence"]]
    return sum(found) / len(found)


def incomplete(question, qrels, run):
    scores = both(qrels, run, ["bpref"], {"bpref": "bpref"})
    names = [name for name in run if name != NOTHING]
    for k in RANKS:
        if names:
            scores[f"judged@{k}"] = float(np.mean([name in qrels for name in names[:k]]))
    return scores


def expected(question):
    scores = {}
    for prefix, level in LEVELS.items():
        qrels = qrels_of(question, level)
        run = run_of(key(passage, level) for passage in question["passages"])
        scores |= at_ranks(prefix, qrels, run) | at_budgets(prefix, level, question, qrels)
    for k in RANKS:
        scores[f"evidence_recall@{k}"] = evidence_recall(question, question["passages"][:k])
    for budget in BUDGETS:
        scores[f"evidence_recall@{budget}_tokens"] = evidence_recall(
            question, fitting(question["passages"], budget))
    if question["rejected"]:
        qrels = qrels_of(question, 0)
        scores |= incomplete(question, qrels, run_of(key(passage, 0) for passage in question["passages"]))
    return scores


def without_evidence():
    """What trec_eval says of a question to which nothing is relevant."""
    names = ["recall.5", "P.5", "map", "ndcg", "recip_rank"]
    found = pytrec_eval.RelevanceEvaluator({"q": {"a": 0}}, set(names)).evaluate({"q": {"a": 2.0, "b": 1.0}})
    return {name: found["q"][name] for name in sorted(found["q"])}


def main():
    chances = random.Random(SEED)
    questions = [make_question(chances, number) for number in range(QUESTIONS)]
    for question in questions:
        question["expected"] = expected(question) if question["evidence"] else {}
    columns = sorted({name for question in questions for name in question["expected"]})
    for question in questions:
        values = question["expected"]
        question["expected"] = [round(values[name], 9) if name in values else None for name in columns] if values else []
    header = json.dumps({"ranks": RANKS, "budgets": BUDGETS, "columns": columns,
                         "trec_eval_without_evidence": without_evidence()})
    lines = [json.dumps(question, separators=(",", ":")).replace(".0,", ",").replace(".0]", "]") for question in questions]
    FIXTURE.write_text(header[:-1] + ', "questions": [\n' + ",\n".join(lines) + "\n]}\n")
    print(len(questions), "questions", len(columns), "metrics", FIXTURE.stat().st_size, "bytes")


main()
