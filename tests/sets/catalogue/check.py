"""Checks the catalogue: counts, lengths, headings, no front matter, questions' pages and evidence. Exit 1 on any fault."""
import json, os, re, sys
from collections import Counter
HERE = os.path.dirname(os.path.abspath(__file__)); D = os.path.join(HERE, "documents"); bad = []
def need(ok, what):
    if not ok: bad.append(what)
docs = {f"{d}/{f}": open(f"{D}/{d}/{f}", encoding="utf-8").read() for d in ("programs", "rules") for f in sorted(os.listdir(f"{D}/{d}"))}
prog = [p for p in docs if p.startswith("programs/")]; rules = [p for p in docs if p.startswith("rules/")]
need(len(prog) >= 64, "fewer than 64 programmes"); need(len(rules) >= 12, "fewer than 12 rules")
H = ["Overview", "Admission", "Degree requirements", "Advising", "Grades and progress", "Transfer credit"]
for p, t in docs.items():
    need(p.endswith(".md") and t.startswith("# "), f"{p}: no title first (front matter?)")
    n = len(t.split()); lo, hi = (150, 370) if p in prog else (250, 500)
    need(lo <= n <= hi, f"{p}: {n} words")
    if p in prog: need(re.findall(r"^## (.+)$", t, re.M) == H, f"{p}: headings")
titles = Counter(t.splitlines()[0] for t in docs.values()); need(max(titles.values()) == 1, "a title stands twice")
def section(t, h):
    m = re.search(rf"^#+ {re.escape(h)}\n(.*?)(?=^#|\Z)", t, re.M | re.S); return m.group(1) if m else ""
Q = [json.loads(l) for l in open(HERE + "/questions.jsonl", encoding="utf-8")]
need(len(Q) == 80, f"{len(Q)} questions"); half = Counter(q["half"] for q in Q)
need(half == {"general": 40, "named": 40}, f"halves {half}")
need(len({q["id"] for q in Q}) == len(Q), "id twice"); need(len({q["question"].lower() for q in Q}) == len(Q), "question twice")
shared = 0
for q in Q:
    i = q["id"]; need(list(q) == ["id", "question", "half", "page", "also", "heading", "answer", "evidence"], f"{i}: keys")
    need(q["page"].startswith("rules/" if q["half"] == "general" else "programs/"), f"{i}: page of the wrong half")
    for p in [q["page"], *q["also"]]: need(p in docs, f"{i}: no page {p}")
    need(q["page"] not in q["also"], f"{i}: page also in also")
    need(q["answer"] and q["evidence"], f"{i}: empty")
    t = docs.get(q["page"], "")
    for e in q["evidence"]: need(e in t and e[-1:] in ".?!", f"{i}: evidence not there: {e}")
    need(any(e in section(t, q["heading"]) for e in q["evidence"]), f"{i}: evidence not under {q['heading']}")
    if q["half"] == "general": need(all(len([p for p in docs if e in docs[p]]) == 1 for e in q["evidence"]), f"{i}: evidence on another page too")
    else: shared += any(len([p for p in docs if e in docs[p]]) > 1 for e in q["evidence"])
w = {k: sorted(len(docs[p].split()) for p in v) for k, v in (("programmes", prog), ("rules", rules))}
for k, v in w.items(): print(f"{k}: {len(v)} pages, {v[0]}-{v[-1]} words, median {v[len(v)//2]}, {sum(v)} in all")
kinds = Counter(p.rsplit("-", 1)[1][:-3] for p in prog); print("degrees:", dict(kinds), "subjects:", len({p.rsplit('-', 1)[0] for p in prog}))
S = Counter(s for p in prog for l in docs[p].splitlines() if l and l[0] != "#" for s in re.split(r"(?<=[.]) (?=[A-Z])", l))
tot = sum(S.values()); print(f"programme sentences: {tot}, {100*sum(n for n in S.values() if n > 1)//tot}% of them stand on more than one page word for word")
print(f"questions: {len(Q)} {dict(half)}; pages asked: {len({q['page'] for q in Q})}; with also: {sum(bool(q['also']) for q in Q)}; named ones whose evidence sentence also stands on another programme's page: {shared}")
print("FAULTS" if bad else "OK", len(bad)); [print(" ", b) for b in bad]; sys.exit(bool(bad))
