"""The handbook made by every generator that is there, and what of it is read from its sources and from its pages.

    python3 run.py FOLDER PASSAGES CAMPANILE PYTHON OUT.json [GENERATOR...]

FOLDER has the packages of Node.js, PASSAGES is the example `passages` of crates/build, CAMPANILE the command that is asked, and
PYTHON that of the environment with the generators. FOLDER keeps the projects and what was read from them:
`sites/NAME/source.jsonl` and `sites/NAME/built.jsonl`.
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


def answered(campanile, folder, site):
    """Each question with whether its answer says what it should, asked of the site that is built of a folder."""
    shutil.rmtree(site, ignore_errors=True)
    subprocess.run([campanile, "build", folder, "-o", site, "--index-only"], capture_output=True, timeout=600, check=True)
    found = {}
    for question, wanted in zip(facts.FACTS, facts.ANSWERS, strict=True):
        done = subprocess.run([campanile, "ask", site, question, "--json"], capture_output=True, text=True, timeout=120)
        answer = (json.loads(done.stdout or "{}").get("answer") or {}).get("text") or ""
        found[question] = wanted in facts.plain(answer)
    return found


def main(folder, program, campanile, python, out, *chosen):
    """Makes, reads, asks and writes down."""
    folder, program, campanile = (Path(path).resolve() for path in (folder, program, campanile))
    tools = Tools(python, folder)
    figures = {"generators": [], "missing": []}
    for name, (make, needed, named) in GENERATORS.items():
        if chosen and name not in chosen:
            continue
        absent = [word for word in needed if not shutil.which(word)]
        if absent:
            figures["missing"].append(f"{name} (no `{absent[0]}`)")
            continue
        # Beside the packages of Node.js, where a project finds them.
        project = folder / "sites" / re.sub(r"\W+", "-", name)
        shutil.rmtree(project, ignore_errors=True)
        project.mkdir(parents=True)
        source, built = make(tools, project)
        found = {"name": name, "version": version(named, tools)}
        for kind, place in (("source", source), ("built", built)):
            sections = read(program, place, project / f"{kind}.jsonl")
            found[kind] = facts.ask(sections) | {"lost": facts.lost(sections, built, kind == "built" and built != source)}
            found[kind]["answers"] = answered(campanile, place, project / f"{kind}-site")
            right, answers = (sum(found[kind][what].values()) for what in ("facts", "answers"))
            print(f"{name}, {kind}: {right} facts, {answers} answers of {len(facts.FACTS)}", flush=True)
            for what in ("twice", "gone", "strange", "lost"):
                for words in found[kind][what]:
                    print(f"    {what}: {words}")
            for what in ("facts", "answers"):
                for question, is_right in found[kind][what].items():
                    if not is_right:
                        print(f"    not among the {what}: {question}")
        figures["generators"].append(found)
    Path(out).write_text(json.dumps(figures, indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
