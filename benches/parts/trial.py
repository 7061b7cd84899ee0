"""A build in parts beside a plain one: the middle on a Ray cluster of several workers, one of them killed while it works.

    python benches/parts/trial.py CAMPANILE DOCS WORK OUT.json

The cluster is on this machine: each worker is a node of its own with one core, as `ray start` would make it. The sites have
to be the same, byte for byte. Linux only: which process belongs to which worker is read from /proc.
"""

import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

import daft
import ray
from ray.cluster_utils import Cluster

sys.path.insert(0, str(Path(__file__).parents[2] / "deploy" / "parts"))
import embed as on_cluster  # noqa: E402

WORKERS = 3
#: Few enough that the sample campus comes to several parts for each worker.
ROWS = 300
#: A worker is killed this long after it began a part, which takes some seconds.
KILLED_AFTER_SECONDS = 1.0


def run(*words, threads=None):
    """Runs a command; its seconds, and the most memory that it had at once."""
    began, memory = time.perf_counter(), 0
    environment = os.environ | ({"RAYON_NUM_THREADS": str(threads)} if threads else {})
    child = subprocess.Popen([str(word) for word in words], env=environment, stdout=subprocess.DEVNULL)
    # Not what `wait4` says: that counts the memory of this process too, from which the command was forked.
    while child.poll() is None:
        try:
            lines = Path(f"/proc/{child.pid}/status").read_text().splitlines()
        except OSError:
            break
        memory = max([memory, *(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))])
        time.sleep(0.01)
    if child.wait() != 0:
        raise SystemExit(f"`{' '.join(map(str, words))}` failed")
    return {"seconds": time.perf_counter() - began, "memory_bytes": memory}


def files(folder):
    """Each file below a folder with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def processes():
    """Each process with its parent and its words."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
                found[int(folder.name)] = parent, (folder / "cmdline").read_bytes().decode().split("\0")
            except (OSError, IndexError):
                continue
    return found


def kill_one(parts, campanile, told, is_done):
    """Waits until a worker has done a part and is in the middle of another, and kills it together with what it runs."""
    while not is_done.is_set():
        time.sleep(0.05)
        if not list(parts.glob("vectors-*.parquet")):
            continue
        for child, (worker, words) in processes().items():
            # Each worker runs one part at a time, as a child of its own.
            if words[:2] != [campanile, "embed"] or worker == 1:
                continue
            time.sleep(KILLED_AFTER_SECONDS)
            part = Path(words[2])
            if (parts / part.name.replace("passages", "vectors")).exists() or child not in processes():
                break
            os.kill(worker, signal.SIGKILL)
            os.kill(child, signal.SIGKILL)
            told |= {"worker": worker, "part": part.name}
            return


def on_local_cluster(parts, campanile):
    """Embeds all parts with several workers; what each took, and which worker was killed."""
    memory = 100_000_000
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "object_store_memory": memory})
    for _ in range(WORKERS):
        cluster.add_node(num_cpus=1, object_store_memory=memory)
    ray.init(address=cluster.address, log_to_driver=False)
    daft.set_runner_ray(address=cluster.address, noop_if_initialized=True)
    killed, is_done = {}, threading.Event()
    killer = threading.Thread(target=kill_one, args=(parts, campanile, killed, is_done))
    killer.start()
    began = time.perf_counter()
    done = list(on_cluster.embed(parts, campanile))
    seconds = time.perf_counter() - began
    is_done.set()
    killer.join()
    ray.shutdown()
    cluster.shutdown()
    return done, killed, seconds


def one_part(campanile, docs, settings, work):
    """All passages of a folder as one part, embedded by itself on one core: what a part costs beyond its start."""
    work.mkdir()
    (work / "campanile.toml").write_text(settings)
    parts = work / "parts"
    run(campanile, "passages", docs, "-o", parts, "--config", work / "campanile.toml")
    figures = run(campanile, "embed", parts, threads=1)
    texts = json.loads((parts / "parts.json").read_text())["texts"]
    size = {name: (parts / f"{name}-00001.parquet").stat().st_size for name in ("passages", "vectors")}
    return figures | {"texts": texts, "text_bytes": size["passages"], "vector_bytes": size["vectors"]}


def main():
    campanile, docs, work, out = sys.argv[1:5]
    work = Path(work)
    shutil.rmtree(work, ignore_errors=True)
    plain, parts, site = work / "plain", work / "parts", work / "site"
    flags = ["--index-only", "--no-report"]
    built = run(campanile, "build", docs, "-o", plain, "--fresh", *flags)
    cut = run(campanile, "passages", docs, "-o", parts, "--rows", ROWS)
    done, killed, seconds = on_local_cluster(parts, campanile)
    if not killed:
        raise SystemExit("every part was done before a worker could be killed")
    again = next(part for part in done if part["part"].endswith(killed["part"]))
    if again["worker"] == killed["worker"]:
        raise SystemExit("the part of the worker that was killed is said to be that worker's")
    assembled = run(campanile, "build", "--from", parts, "-o", site, *flags)
    expected, found = files(plain), files(site)
    other = sorted(path for path in expected.keys() | found.keys() if expected.get(path) != found.get(path))
    if other:
        raise SystemExit(f"{len(other)} files are other bytes than those of a plain build, {other[0]} among them")
    # Without what the static encoder is learned from: beyond some 90,000 texts that grows no more, and passages do.
    passages_alone = "[search]\ninstant_semantics = false\n"
    one = work / "one"
    one.mkdir()
    (one / "one.md").write_text("# Fees\n\nThe fee is 5 euros.\n")
    figures = {
        "start": one_part(campanile, one, passages_alone, work / "start"),
        "whole": one_part(campanile, docs, passages_alone, work / "whole"),
        "documents": sum(1 for _ in (parts / "documents.jsonl").open()),
        "texts": sum(part["texts"] for part in done),
        "parts": len(done),
        "workers": WORKERS,
        "killed": killed,
        "files_compared": len(expected),
        "plain": built,
        "passages": cut,
        "embedding": {"seconds": seconds},
        "assembling": assembled,
        "part": {
            "texts": max(part["texts"] for part in done),
            "seconds": statistics.median(part["task_seconds"] for part in done),
            "most_seconds": max(part["task_seconds"] for part in done),
            "memory_bytes": max(part["memory_bytes"] for part in done),
            "text_bytes": max(part["text_bytes"] for part in done),
            "vector_bytes": max(part["vector_bytes"] for part in done),
        },
    }
    Path(out).write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
