"""Loads the tables of `campanile export` into Qdrant: a server, or a folder without one.

    python to_qdrant.py TABLES http://127.0.0.1:6333 [--compare]
    python to_qdrant.py TABLES FOLDER [--compare]
"""

import argparse
import collections
import re
import time
import zlib
from importlib.metadata import version

from qdrant_client import QdrantClient, models

import tables

COLLECTION = "passages"
#: How much repetition counts, and how much length takes away: what BM25 has by custom.
K1, B = 1.2, 0.75
BATCH = 256

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("tables", help="folder that `campanile export` wrote")
arguments.add_argument("place", help="address of a server, or a folder")
arguments.add_argument("--compare", action="store_true", help="ask the questions of TABLES/questions.parquet")
arguments = arguments.parse_args()


def words_of(text):
    """A text's words, without their case."""
    return re.findall(r"\w+", text.lower())


def sparse(counts):
    """Weights by word as Qdrant wants them: by number."""
    weights = collections.defaultdict(float)
    for word, weight in counts.items():
        weights[zlib.crc32(word.encode())] += weight
    return models.SparseVector(indices=list(weights), values=list(weights.values()))


def point(row, mean):
    """One passage: the saturated frequency of its words, whose rarity Qdrant multiplies in, and its vector."""
    counts = collections.Counter(words_of(row["text"]))
    stretch = K1 * (1 - B + B * sum(counts.values()) / mean)
    words = sparse({word: count * (K1 + 1) / (count + stretch) for word, count in counts.items()})
    payload = {name: value for name, value in row.items() if name not in ("id", "vector")}
    for day in ("date", "valid_from", "valid_until"):
        payload[day] = payload[day] and payload[day].isoformat()
    return models.PointStruct(id=row["id"], vector={"meaning": row["vector"], "words": words}, payload=payload)


began = time.perf_counter()
rows = tables.passages(arguments.tables).to_pylist()
is_server = arguments.place.startswith("http")
client = QdrantClient(url=arguments.place) if is_server else QdrantClient(path=arguments.place)
if client.collection_exists(COLLECTION):
    client.delete_collection(COLLECTION)
client.create_collection(
    COLLECTION,
    vectors_config={"meaning": models.VectorParams(size=len(rows[0]["vector"]), distance=models.Distance.COSINE)},
    sparse_vectors_config={"words": models.SparseVectorParams(modifier=models.Modifier.IDF)},
)
mean = sum(len(words_of(row["text"])) for row in rows) / len(rows)
for start in range(0, len(rows), BATCH):
    client.upsert(COLLECTION, [point(row, mean) for row in rows[start : start + BATCH]])
loaded = time.perf_counter() - began

# What a newer edition has taken the place of is not searched, as on the site.
current = models.Filter(
    must=[models.FieldCondition(key="is_superseded", match=models.MatchValue(value=False))]
)


def ask(words, vector, count):
    """Both searches, fused by reciprocal ranks."""
    asked = sparse({word: 1.0 for word in words_of(words)})
    found = client.query_points(
        COLLECTION,
        prefetch=[
            models.Prefetch(query=vector, using="meaning", limit=50, filter=current),
            models.Prefetch(query=asked, using="words", limit=50, filter=current),
        ],
        query=models.FusionQuery(fusion=models.Fusion.RRF),
        limit=count,
    )
    return [point.id for point in found.points]


if arguments.compare:
    tables.compare(f"Qdrant, client {version('qdrant-client')}", arguments.tables, ask, loaded)
else:
    print(f"{len(rows)} passages in the collection `{COLLECTION}` of {arguments.place}")
client.close()
