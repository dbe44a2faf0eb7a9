# SPDX-License-Identifier: Apache-2.0
"""Comparison: what `alsbench compare`, `ab` and `aa` write (`alsbench schema comparison`)."""

from dataclasses import dataclass, field
from typing import Any, Literal

from alsbench.results.frames import frame_of
from alsbench.results.records import Provenance

Verdict = Literal["same", "faster", "slower", "undecided", "environment", "missing", "new", "failed", "wrong"]


@dataclass(frozen=True)
class Figure:
    """A figure beside time that changed."""

    name: str
    base: float
    test: float
    worse: bool


@dataclass(frozen=True)
class ComparedCase:
    """ratio is test over base, with its interval from ratio_low to ratio_high."""

    name: str
    role: Literal["kernel", "canary", "training"]
    device: str
    verdict: Verdict
    regressed: bool
    reason: str | None
    base_launches: int
    test_launches: int
    base_seconds: float | None
    test_seconds: float | None
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    adjusted_p: float | None
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Launch:
    """A launch of a build, in seconds since the comparison began."""

    start_seconds: float
    seconds: float


@dataclass(frozen=True)
class Comparison:
    """Verdicts of base against test. conclusion is "clean" where nothing became slower or worse."""

    procedure: Literal["compare", "ab", "aa"]
    base: str
    test: str
    conclusion: Literal["clean", "regression", "unfit", "failed", "interrupted"]
    cases: tuple[ComparedCase, ...] = field(repr=False)
    provenance: Provenance = field(repr=False)
    launches: tuple[Launch, ...] = field(default=(), repr=False)

    @property
    def regressions(self) -> tuple[ComparedCase, ...]:
        """Cases that are slower, or worse in another figure."""
        return tuple(case for case in self.cases if case.regressed)

    def frame(self) -> Any:
        """A pandas.DataFrame with a row for each case."""
        return frame_of(
            [{name: value for name, value in vars(case).items() if name != "figures"} for case in self.cases]
        )
