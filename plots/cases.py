# SPDX-License-Identifier: Apache-2.0
"""Rows of a run as figures want them: their groups and labels."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from alsbench.results.table import Row, Table

Item = TypeVar("Item")


def rate(row: Row, name: str) -> float:
    """flops_per_second and the like; 0 where the stage has none."""
    return getattr(row, name) or 0.0


def grouped(items: Iterable[Item], key: Callable[[Item], str]) -> dict[str, list[Item]]:
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def varying(rows: Iterable[Row]) -> list[str]:
    """Names of the configuration parameters that have several values among the rows which have them.

    And "problem", where the rows are of several.
    """
    rows = list(rows)
    names = dict.fromkeys(name for row in rows for name in row.config)
    found = [name for name in names if len({row.config[name] for row in rows if name in row.config}) > 1]
    return found + ["problem"] * (len({row.problem for row in rows}) > 1)


def label(row: Row, names: Iterable[str], leave_out: Sequence[str] = ()) -> str:
    """`tiled gather=strided l1=on` with the named parameters that the row has; `netflix, rank 100` of several problems."""
    parts = [f"{name}={row.config[name]}" for name in names if name in row.config and name not in leave_out]
    return " ".join([row.variant or "", *parts, *([f"({problem_label(row.problem)})"] if "problem" in names else [])])


def problem_label(name: str) -> str:
    return name.replace("/rank:", ", rank ")


def training_label(name: str) -> str:
    return re.sub(r"^train(ing)?/", "", name).split("/")[0]


def seconds(row: Row) -> float:
    """The median; only measured rows are drawn."""
    assert row.median_seconds is not None
    return row.median_seconds


def once(rows: Iterable[Row]) -> list[Row]:
    """Ceilings are measured again with each group of cases: the fastest of each kind and problem."""
    fastest: dict[Any, Row] = {}
    for row in rows:
        key = (row.backend, row.part, row.problem, label(row, row.config))
        if key not in fastest or seconds(row) < seconds(fastest[key]):
            fastest[key] = row
    return list(fastest.values())


def caption(table: Table) -> str:
    problems = list(dict.fromkeys(row.problem for row in table.rows))
    some = ", ".join(problems[:6]) + (f" and {len(problems) - 6} more" if len(problems) > 6 else "")
    return f"{', '.join(table.device_names)}; {table.build}\nsuite {table.suite or 'results'}: {some}"
