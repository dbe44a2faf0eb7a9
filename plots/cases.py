# SPDX-License-Identifier: Apache-2.0
"""Cases as figures want them: their figures, groups and labels."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from alsbench.results.decode import decode
from alsbench.results.run import Case, Measurement, Problem, RunResult, Statistics

Item = TypeVar("Item")


def measurement(case: Case) -> Measurement:
    found = case.measurement()
    assert found is not None, "only measured cases are drawn"
    return found


def statistics(case: Case) -> Statistics:
    found = measurement(case).statistics
    assert found is not None
    return found


def rate(case: Case, name: str) -> float:
    """flops_per_second and the like; 0 where the stage has none."""
    return getattr(measurement(case), name) or 0.0


def grouped(items: Iterable[Item], key: Callable[[Item], str]) -> dict[str, list[Item]]:
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def varying(cases: Iterable[Case]) -> list[str]:
    """Names of the configuration parameters that have several values among the cases which have them.

    And "problem", where the cases are of several.
    """
    cases = list(cases)
    names = dict.fromkeys(name for case in cases for name in case.config)
    found = [name for name in names if len({case.config[name] for case in cases if name in case.config}) > 1]
    return found + ["problem"] * (len({case.problem.name for case in cases}) > 1)


def label(case: Case, names: Iterable[str], leave_out: Sequence[str] = ()) -> str:
    """`tiled gather=strided l1=on` with the named parameters that the case has; `netflix, rank 100` of several problems."""
    parts = [f"{name}={case.config[name]}" for name in names if name in case.config and name not in leave_out]
    return " ".join([case.variant or "", *parts, *([f"({problem_label(case.problem)})"] if "problem" in names else [])])


def problem_label(problem: Problem) -> str:
    return problem.name.replace("/rank:", ", rank ")


def once(cases: Iterable[Case]) -> list[Case]:
    """Roofs are measured again beside each group of cases: the fastest of each kind and problem."""
    fastest: dict[Any, Case] = {}
    for case in cases:
        key = (case.backend, case.side, case.problem.name, label(case, case.config))
        if key not in fastest or case.median_seconds < fastest[key].median_seconds:
            fastest[key] = case
    return list(fastest.values())


@dataclass(frozen=True)
class Build:
    version: str
    git_commit: str
    git_dirty: bool


def build_label(provenance: Mapping[str, Any]) -> str:
    build = decode(Build, provenance.get("build"), "/provenance/build")
    return f"{provenance.get('time_utc')}; alsbench {build.version} ({build.git_commit[:10]}{'+' * build.git_dirty})"


def caption(result: RunResult) -> str:
    problems = list(dict.fromkeys(case.problem.name for case in result.cases))
    some = ", ".join(problems[:6]) + (f" and {len(problems) - 6} more" if len(problems) > 6 else "")
    return f"{', '.join(result.device_names)}; {build_label(result.provenance)}\nsuite {result.suite.name or 'results'}: {some}"
