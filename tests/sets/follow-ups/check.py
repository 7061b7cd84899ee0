"""Checks the conversations and their documents: python3 check.py"""
import collections, json, pathlib, re, sys

HERE = pathlib.Path(__file__).parent
FIELDS = {"id", "kind", "before", "follow_up", "stands_alone", "must_change", "evidence_has"}
KINDS = {True: {"ellipsis", "pronoun", "wh-word", "correction", "condition", "comparative", "second action",
                "two sentences"},
         False: {"complete", "empty it", "inside", "two sentences"}}
problems, kinds, answered, per_document, seen, apart = [], collections.Counter(), collections.Counter(), collections.Counter(), set(), []
documents = {p.name: p.read_text("utf-8") for p in sorted((HERE / "documents").glob("*.md"))}
for name, text in documents.items():
    if not 350 <= len(text.split()) <= 600:
        problems.append(f"{name}: {len(text.split())} words")

lines = (HERE / "cases.jsonl").read_text("utf-8").splitlines()
changed = 0
for number, line in enumerate(lines, 1):
    case = json.loads(line)
    say = lambda words: problems.append(f"{case['id']}: {words}")
    if set(case) - {"document", "sentence"} != FIELDS or ("document" in case) != ("sentence" in case):
        say(f"fields {sorted(case)}")
        continue
    if case["id"] != f"f{number:02}" or (case["before"], case["follow_up"]) in seen:
        say("id, or said twice")
    seen.add((case["before"], case["follow_up"]))
    kinds[f"{case['kind']} {'(changes)' if case['must_change'] else '(stays)'}"] += 1
    changed += case["must_change"]
    if case["kind"] not in KINDS[case["must_change"]]:
        say(f"kind {case['kind']!r}")
    if not case["stands_alone"] or len(set(case["stands_alone"])) != len(case["stands_alone"]):
        say("stands_alone is empty or repeats itself")
    if case["must_change"]:
        if case["follow_up"] in case["stands_alone"]:
            say("must change, but stands alone as it is")
        known = set(re.findall(r"[a-z0-9'-]+", (case["before"] + " " + case["follow_up"]).lower()))
        for wording in case["stands_alone"]:
            strange = set(re.findall(r"[a-z0-9'-]+", wording.lower())) - known
            if len(strange) > 5:
                say(f"brings in {sorted(strange)}")
    elif case["stands_alone"] != [case["follow_up"]]:
        say("must stay, but stands_alone is not the follow-up itself")
    if not 2 <= len(case["evidence_has"]) <= 4:
        say("two to four words of evidence")
    if "document" not in case:
        continue
    text = documents.get(case["document"], "")
    if text.count(case["sentence"]) != 1:
        say(f"its sentence stands {text.count(case['sentence'])} times in {case['document']}")
        continue
    if re.search(r"[.!?] [A-Z]", case["sentence"]):
        say("more than one sentence")
    answered[case["must_change"]] += 1
    per_document[case["document"]] += 1
    section = next(s for s in re.split(r"(?m)^(?=#+ )", text) if case["sentence"] in s)
    for word in case["evidence_has"]:
        if word.lower() not in section.lower():
            say(f"{word!r} is not in the section")
        elif word.lower() not in case["sentence"].lower():
            apart.append(f"{case['id']} {word!r}")

print(f"{len(documents)} documents, {[len(t.split()) for t in documents.values()]} words")
print(f"{len(lines)} cases: {changed} must change, {len(lines) - changed} must stay; "
      f"answered {answered[True]} + {answered[False]}; {dict(per_document)}")
print(dict(kinds))
print("in the section, not in the sentence:", "; ".join(apart))
if len(lines) != 60 or not 17 <= len(lines) - changed <= 23 or sum(answered.values()) < 40:
    problems.append("the counts are off")
print("\n".join(problems) or "no problems")
sys.exit(bool(problems))
