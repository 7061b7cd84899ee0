"""Loads the tables of `campanile export` into LanceDB, a database in a folder.

    python to_lancedb.py TABLES DATABASE [--compare]
"""

import argparse
import time
from importlib.metadata import version

import lancedb
from lancedb.index import FTS
from lancedb.rerankers import RRFReranker

import tables

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("tables", help="folder that `campanile export` wrote")
arguments.add_argument("database", help="folder of the database")
arguments.add_argument("--compare", action="store_true", help="ask the questions of TABLES/questions.parquet")
arguments = arguments.parse_args()

began = time.perf_counter()
passages = lancedb.connect(arguments.database).create_table(
    "passages", data=tables.passages(arguments.tables), mode="overwrite"
)
# Its own BM25, with stems and without stop words as the site has them.
passages.create_index("text", config=FTS(language="English", stem=True, remove_stop_words=True))
# A table of this size is scanned; from some ten thousand passages on, `create_index` makes the search by vectors fast.
loaded = time.perf_counter() - began


def ask(words, vector, count):
    """Both searches, fused by reciprocal ranks."""
    search = passages.search(query_type="hybrid").vector(vector).text(words)
    # What a newer edition has taken the place of is not searched, as on the site.
    search = search.distance_type("cosine").where("NOT is_superseded", prefilter=True)
    rows = search.rerank(RRFReranker()).limit(count).to_list()
    return [row["id"] for row in rows]


if arguments.compare:
    tables.compare(f"LanceDB {version('lancedb')}", arguments.tables, ask, loaded)
else:
    print(f"{passages.count_rows()} passages in the table `passages` of {arguments.database}")
