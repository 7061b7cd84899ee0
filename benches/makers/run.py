"""Facts of one handbook, asked of what each reader reads in each maker's PDF of it.

    python3 run.py FOLDER LINES READERS_PYTHON OUT.json

FOLDER holds what make.py made, LINES is the example `lines` of crates/ingest, READERS_PYTHON has the peers' packages. Nothing but
Python's own library is needed here. What was read is kept in FOLDER beside the file: `NAME.READER.txt`.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import facts
import readers

HERE = Path(__file__).parent
#: How our reader is called in the figures.
OURS = "ours"


def ours(lines, folder, files):
    """What our reader prints; the start of its program is counted."""
    found = {}
    for file in files:
        began = time.perf_counter()
        said = subprocess.run([lines, folder, file.name], capture_output=True, text=True, timeout=120, check=True)
        found[file.stem] = {"text": said.stdout, "seconds": time.perf_counter() - began}
    return {"version": "", "read": found}


def theirs(python, name, files):
    """What another reader gives, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "read.json"
        subprocess.run([python, HERE / "readers.py", name, out, *files], check=True, stdout=subprocess.DEVNULL)
        return json.loads(out.read_text(encoding="utf-8"))


def main(folder, lines, python, out):
    """Reads, asks and writes down."""
    folder = Path(folder).resolve()
    handbook = json.loads((HERE / "handbook.json").read_text(encoding="utf-8"))
    made = json.loads((folder / "makers.json").read_text(encoding="utf-8"))
    files = [folder / maker["file"] for maker in made["makers"]]
    figures = made | {"readers": [], "answers": {}}
    for name in [OURS, *readers.READERS]:
        print(name, flush=True)
        read = ours(lines, folder, files) if name == OURS else theirs(python, name, files)
        figures["readers"].append({"name": name, "version": read["version"]})
        for maker, file in zip(made["makers"], files):
            one = read["read"][file.stem]
            (folder / f"{file.stem}.{name}.txt").write_text(one["text"], encoding="utf-8")
            found, tables = facts.ask(handbook, one["text"])
            figures["answers"].setdefault(maker["name"], {})[name] = {
                "facts": found,
                "rows_right": sum(right for right, _ in tables),
                "rows": sum(count for _, count in tables),
                "tables": tables,
                "seconds": one["seconds"],
            }
    Path(out).write_text(json.dumps(figures, indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
