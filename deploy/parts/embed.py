"""Has a cluster embed the parts that `campanile passages` wrote: Daft on Ray.

    python deploy/parts/embed.py PARTS --address ADDRESS

PARTS is a folder that every machine sees, and each has `campanile` and the encoder (`campanile model fetch`). A part is one
task. Daft and Ray decide which machine does it, and do it again where it failed or its worker was lost; `campanile embed`
writes a part's vectors whole or not at all, and passes over those that are there. So this script may be started again at
any time, and does what is left.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import daft


def parts(folder):
    """The parts' files, by name."""
    found = sorted(str(path) for path in Path(folder).resolve().glob("passages-*.parquet"))
    if not found:
        raise SystemExit(f"{folder} holds no parts\n  way out: `campanile passages DOCS -o {folder}`")
    return found


def task(campanile, retries, cores):
    """What a worker does with one part: it gives what that took, as JSON."""

    # A process of its own, so that a part's memory and a crash are nobody else's.
    @daft.func(max_retries=retries, cpus=cores, use_process=False)
    def embed(part: str) -> str:
        began = time.time()
        # Not more threads than the part was given cores: several parts may be done on one machine.
        threads = os.environ | {"RAYON_NUM_THREADS": str(cores)}
        words = [campanile, "embed", part, "--json"]
        run = subprocess.run(words, env=threads, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise RuntimeError(f"`campanile embed {part}` ended with {run.returncode}: {run.stderr.strip()}")
        figures = json.loads(run.stdout)[0]
        return json.dumps(figures | {"task_seconds": time.time() - began, "worker": os.getpid()})

    return embed


def embed(folder, campanile="campanile", retries=3, cores=1):
    """Embeds all parts of a folder, and gives what each took as they are done."""
    files = parts(folder)
    work = daft.from_pydict({"part": files}).into_partitions(len(files))
    work = work.select(task(campanile, retries, cores)(work["part"]).alias("figures"))
    for row in work.iter_rows():
        yield json.loads(row["figures"])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("parts", help="the folder that `campanile passages` wrote, seen by every machine")
    arguments.add_argument("--address", help="of the Ray cluster [default: the one that Ray finds, else this machine]")
    arguments.add_argument("--campanile", default="campanile", help="the command, as each machine finds it")
    arguments.add_argument("--retries", type=int, default=3, help="how often a part is tried again [default: 3]")
    arguments.add_argument("--cores", type=int, default=1, help="processor cores that a part is given [default: 1]")
    told = arguments.parse_args()
    daft.set_runner_ray(address=told.address)
    count = len(parts(told.parts))
    for done, figures in enumerate(embed(told.parts, told.campanile, told.retries, told.cores), 1):
        print(f"{done} of {count}: {figures['part']}, {figures['task_seconds']:.1f} s", file=sys.stderr)
    print(f"then: campanile build --from {told.parts} -o SITE")


if __name__ == "__main__":
    main()
