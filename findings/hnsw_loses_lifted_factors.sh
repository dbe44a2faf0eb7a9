#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# HNSW finds 5 % of the best items where inner products were turned into distances exactly, and 80 % by inner product itself.
#
# Versions: faiss-cpu 1.15.1, numpy 2.4.6.
# Behaviour: a coordinate sqrt(max norm^2 - norm^2) gives all items one norm, and the nearest by distance or angle are then the
#   best by inner product: a flat index finds all of them. A graph of neighbours does not. Items are near each other mostly by
#   that coordinate, which each query has as 0, so queries are far from all of them and the walk ends where it began. Factors
#   whose norms differ, as ALS' do with popularity, have it worst. Not only faiss: hnswlib is alike (its issue 214).
# Likely guess: a reduction that is exact leaves an index as good as it was, and better than one by inner products, which are no
#   metric. Bachrach et al. (RecSys 2014) give it for trees, and implicit's NMSLibModel uses it with HNSW.
#   Right: METRIC_INNER_PRODUCT on the factors as they are, with recall measured against a flat index.
# Output seen: recall@10 of 5,000 items of rank 64: norms alike: inner product 0.61 lifted 0.38; norms different: inner product
#   0.80 lifted 0.05; with efSearch 256: 1.00 and 0.25; lifted in a flat index 1.00
#
# Run by hand. faiss is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check faiss-cpu==1.15.1 numpy==2.4.6

"$folder/venv/bin/python" - <<'PY'
import sys

import faiss
import numpy as np

ITEMS, USERS, RANK, BEST, LINKS = 5000, 200, 64, 10, 16
faiss.omp_set_num_threads(1)
random = np.random.default_rng(1)


def lifted(items, users):
    """Items of one norm and users with a 0, which have the same inner products."""
    squares = (items.astype(np.float64) ** 2).sum(axis=1)
    last = np.sqrt(squares.max() - squares)
    return np.column_stack([items, last]).astype(np.float32), np.column_stack([users, np.zeros(USERS, np.float32)])


def found(index, items, users, expected):
    index.add(items)
    _, got = index.search(users, BEST)
    return np.mean([len(set(row) & set(best)) / BEST for row, best in zip(got, expected)])


def recalls(spread, search):
    """Recall of a graph by inner product, of one of lifted items by distance, and of these in a flat index."""
    norms = np.exp(random.normal(0, spread, (ITEMS, 1)))
    items = (random.normal(size=(ITEMS, RANK)) * norms).astype(np.float32)
    users = random.normal(size=(USERS, RANK)).astype(np.float32)
    expected = np.argsort(-(users.astype(np.float64) @ items.T), axis=1)[:, :BEST]
    graphs = [
        faiss.IndexHNSWFlat(RANK, LINKS, faiss.METRIC_INNER_PRODUCT),
        faiss.IndexHNSWFlat(RANK + 1, LINKS, faiss.METRIC_L2),
    ]
    for graph in graphs:
        graph.hnsw.efConstruction = 200
        graph.hnsw.efSearch = search
    higher = lifted(items, users)
    return (
        found(graphs[0], items, users, expected),
        found(graphs[1], *higher, expected),
        found(faiss.IndexFlatL2(RANK + 1), *higher, expected),
    )


print(f"recall@{BEST} of {ITEMS:,} items of rank {RANK}:")
seen = {}
for name, spread, search in (("alike", 0.0, 16), ("different", 0.5, 16), ("different, efSearch 256", 0.5, 256)):
    seen[name] = recalls(spread, search)
    product, distance, flat = seen[name]
    print(f"norms {name}: inner product {product:.2f} lifted {distance:.2f} lifted in a flat index {flat:.2f}")
if min(flat for _, _, flat in seen.values()) < 0.98:
    sys.exit("no example: the nearest are not the best")
product, distance, _ = seen["different"]
if product < 0.6 or distance > 0.2:
    sys.exit("changed: a graph of lifted items finds the best")
PY
