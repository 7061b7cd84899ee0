"""The tables that `campanile export` writes, and how two engines' answers are compared."""

import json
import statistics
import time
from pathlib import Path

import pyarrow.parquet as parquet

#: The version of the columns that these scripts know.
COLUMNS = "1"
#: So many passages are compared for each question.
COMPARED = 10


def read(path):
    """One table; an error names a file of columns that are not known here."""
    facts = parquet.read_metadata(path).metadata or {}
    stated = facts.get(b"campanile.columns", b"none").decode()
    if stated != COLUMNS:
        raise SystemExit(f"{path} has columns of version {stated}; these scripts know version {COLUMNS}")
    return parquet.read_table(path)


def passages(folder):
    """The passages, which have vectors: without them there is nothing that an engine could search by meaning."""
    table = read(Path(folder) / "passages.parquet")
    if "vector" not in table.column_names:
        raise SystemExit(f"{folder}: the site was built without an encoder, so its passages have no vectors")
    return table


def questions(folder):
    """The questions, a dictionary each."""
    path = Path(folder) / "questions.parquet"
    if not path.exists():
        raise SystemExit(f"{path} is missing: `campanile export SITE -o {folder} --questions FILE` writes it")
    return read(path).to_pylist()


def compare(engine, folder, ask, loaded):
    """Asks each question with `ask(words, vector, count)`, which gives passages' ids, and prints what came of it."""
    shares, firsts, within, times = [], [], [], []
    for question in questions(folder):
        began = time.perf_counter()
        found = ask(question["question"], question["vector"], COMPARED)
        times.append((time.perf_counter() - began) * 1000)
        site = question["found"]
        shares.append(len(set(found) & set(site)) / max(len(site), 1))
        firsts.append(site[:1] == found[:1])
        within.append(bool(site) and site[0] in found)
    print(
        json.dumps(
            {
                "engine": engine,
                "questions": len(shares),
                "overlap": statistics.mean(shares),
                "same_first": statistics.mean(firsts),
                "first_within": statistics.mean(within),
                "median_ms": statistics.median(times),
                "load_seconds": loaded,
            }
        )
    )
