"""Sites of more and more passages: what a build takes, and what a question at each costs.

    python3 benches/growth/grow.py CAMPANILE ASK DATA WORK OUT.json COUNT...

CAMPANILE is the command, ASK the example `growth` of crates/retrieve, DATA the folder that the passages are from. For
each COUNT a site of so many paragraphs is built in WORK as COUNT-site, with the same documents as web pages in COUNT-pages
and questions in COUNT-questions.jsonl. It is kept: an interrupted run goes on with the vectors that it has. Nothing but
Python's own library is needed.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from collect import passages, questions, write, write_answered

#: Questions that each site is asked, to see what they cost.
ASKED = 40


def main(campanile: str, ask: str, data: Path, work: Path, out: Path, counts: list[int]) -> None:
    """Builds, asks and writes down, a size at a time."""
    work.mkdir(parents=True, exist_ok=True)
    asked = work / "questions.txt"
    asked.write_text("\n".join(questions(data, ASKED)), encoding="utf-8")
    found = list(passages(data))
    rows = []
    for count in counts:
        documents, site = work / f"{count}-documents", work / f"{count}-site"
        pages = work / f"{count}-pages"
        for folder in (documents, pages):
            shutil.rmtree(folder, ignore_errors=True)
        print(f"{count} of {len(found)} paragraphs", flush=True)
        places = write(found, documents, pages, count)
        write_answered(data, places, work / f"{count}-questions.jsonl")
        began = time.monotonic()
        words = [campanile, "build", documents, "-o", site, "--no-report"]
        build = subprocess.Popen(words)
        # The memory of this command and its readers, not of the one before.
        _, status, used = os.wait4(build.pid, 0)
        if status != 0:
            raise SystemExit(f"the build of {count} paragraphs failed")
        seconds = time.monotonic() - began
        answer = subprocess.run([ask, site, asked], check=True, capture_output=True, text=True)
        row = json.loads(answer.stdout)
        row |= {"build_seconds": seconds, "build_memory_bytes": used.ru_maxrss * 1024}
        print(json.dumps(row), flush=True)
        rows.append(row)
        out.write_text(json.dumps({"rows": rows}))


if __name__ == "__main__":
    CAMPANILE, ASK, *REST = sys.argv[1:]
    DATA, WORK, OUT = map(Path, REST[:3])
    main(CAMPANILE, ASK, DATA, WORK, OUT, [int(count) for count in REST[3:]])
