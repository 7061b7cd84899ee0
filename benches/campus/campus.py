"""A campus of twelve sites, one of them broken and one gone, beside one site over all documents.

    python3 benches/campus/campus.py CAMPANILE RECALL HANDBOOKS SAMPLES WORK OUT.json

CAMPANILE is the command, RECALL the example `recall` of crates/campus, HANDBOOKS training/data/handbooks, SAMPLES the folder
of the sample campus. The sites are the eleven handbooks on which nothing was fitted (`test` in its splits.toml) and the sample
campus. In WORK lie the sites and the questions, twenty of each site, evenly spaced. Nothing but Python's own library is needed.
"""

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

#: Questions of each site.
EACH = 20


def evenly(rows: list, count: int) -> list:
    """At most `count` of them, evenly spaced."""
    count = min(count, len(rows))
    return [rows[place * len(rows) // count] for place in range(count)]


def of_handbook(folder: Path) -> list:
    """The questions of a handbook that it answers."""
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text().splitlines()]
    answered = [row for row in rows if row["kind"] != "nothing" and row["evidence"]]
    return [
        {"question": row["question"], "document": row["document"], "evidence": row["evidence"]} for row in answered
    ]


def of_samples(file: Path) -> list:
    """The sample campus's questions that it answers."""
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    found = []
    for row in rows:
        gold = row.get("gold") or []
        if gold:
            document = gold[0]["document"]
            evidence = [one["passage"] for one in gold if one["document"] == document]
            found.append({"question": row["question"], "document": document, "evidence": evidence})
    return found


def build(campanile: str, documents: Path, site: Path) -> None:
    """Builds a site."""
    subprocess.run([campanile, "build", documents, "-o", site, "--index-only", "--no-report"], check=True)


def federate(campanile: str, work: Path, names: list[str], output: str) -> int:
    """Writes the campus of these sites; the exit code."""
    listed = "".join(f'[[sites]]\nname = "{name}"\naddress = "../{name}/"\n' for name in names)
    file = work / f"{output}.toml"
    file.write_text(f'[site]\ntitle = "Twelve handbooks"\n{listed}', encoding="utf-8")
    return subprocess.run([campanile, "federate", file, "-o", work / output, "--index-only"]).returncode


def main(campanile: str, recall: str, handbooks: Path, samples: Path, work: Path, out: Path) -> None:
    """Builds, asks and writes down."""
    splits = tomllib.loads((handbooks / "splits.toml").read_text())
    everything = work / "everything-documents"
    shutil.rmtree(everything, ignore_errors=True)
    names, rows = [], []
    sources = [(name, handbooks / name / "documents", of_handbook(handbooks / name)) for name in splits["test"]]
    sources.append(("sample", samples / "campus", of_samples(samples / "questions.jsonl")))
    for name, documents, questions in sources:
        build(campanile, documents, work / name)
        ignored = shutil.ignore_patterns("campanile.toml")
        shutil.copytree(documents, everything / name, ignore=ignored)
        names.append(name)
        rows += [row | {"site": name} for row in evenly(questions, EACH)]
    build(campanile, everything, work / "everything")
    questions = work / "questions.jsonl"
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    if federate(campanile, work, names, "campus") != 0:
        raise SystemExit("the campus of twelve sites could not be written")
    measured = {}
    for name in ("all", "two missing"):
        if name == "two missing":
            # One has lost a part of its index, one is gone: since the campus was made, nobody has told it.
            for shard in (work / names[0] / "shards").glob("lexical-head-*"):
                shard.write_bytes(b"")
            shutil.rmtree(work / names[1])
            missing = set(names[:2])
            questions.write_text(
                "".join(json.dumps(row) + "\n" for row in rows if row["site"] not in missing), encoding="utf-8"
            )
        asked = subprocess.run(
            [recall, work / "campus", work / "everything", questions], check=True, capture_output=True, text=True
        )
        measured[name] = json.loads(asked.stdout)
        print(name, asked.stdout, flush=True)
    out.write_text(json.dumps(measured))


if __name__ == "__main__":
    CAMPANILE, RECALL, *PATHS = sys.argv[1:]
    main(CAMPANILE, RECALL, *map(Path, PATHS))
