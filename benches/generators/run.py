"""The handbook made by every generator that is there, and what of it is read from its sources and from its pages.

    python3 run.py FOLDER PASSAGES PYTHON NODE_PACKAGES OUT.json [GENERATOR...]

PASSAGES is the example `passages` of crates/build, PYTHON that of the environment with the generators. FOLDER keeps the projects and
what was read from them: `NAME/source.jsonl` and `NAME/built.jsonl`.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import facts
from generators import GENERATORS, Tools


def version(named, tools):
    """The version of a generator: of a package of Python or Node.js, or as the program says."""
    if isinstance(named, list):
        return re.search(r"\d+(\.\d+)+", tools.call(".", *named))[0]
    if named.startswith("node:"):
        return json.loads((tools.node / "node_modules" / named[5:] / "package.json").read_text())["version"]
    asked = f"import importlib.metadata as m; print(m.version('{named}'))"
    return tools.call(".", tools.python / "python", "-c", asked).strip()


def read(program, folder, kept):
    """What would be searched of a folder."""
    done = subprocess.run([program, folder], capture_output=True, text=True, timeout=300, check=True)
    kept.write_text(done.stdout, encoding="utf-8")
    return [json.loads(line) for line in done.stdout.splitlines()]


def main(folder, program, python, node, out, *chosen):
    """Makes, reads, asks and writes down."""
    folder, program, tools = Path(folder).resolve(), Path(program).resolve(), Tools(python, node)
    figures = {"generators": [], "missing": []}
    for name, (make, needed, named) in GENERATORS.items():
        if chosen and name not in chosen:
            continue
        absent = [word for word in needed if not shutil.which(word)]
        if absent:
            figures["missing"].append(f"{name} (no `{absent[0]}`)")
            continue
        project = folder / re.sub(r"\W+", "-", name)
        shutil.rmtree(project, ignore_errors=True)
        project.mkdir(parents=True)
        source, built = make(tools, project)
        found = {"name": name, "version": version(named, tools)}
        for kind, place in (("source", source), ("built", built)):
            sections = read(program, place, project / f"{kind}.jsonl")
            found[kind] = facts.ask(sections) | {"lost": facts.lost(sections, built, kind == "built")}
            right = sum(found[kind]["facts"].values())
            print(f"{name}, {kind}: {right} of {len(facts.FACTS)}", flush=True)
            for what in ("twice", "gone", "strange", "lost"):
                for words in found[kind][what]:
                    print(f"    {what}: {words}")
            for question, is_right in found[kind]["facts"].items():
                if not is_right:
                    print(f"    wrong: {question}")
        figures["generators"].append(found)
    Path(out).write_text(json.dumps(figures, indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
