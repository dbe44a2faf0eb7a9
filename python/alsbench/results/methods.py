# SPDX-License-Identifier: Apache-2.0
"""Behaviour of records beside their fields: a class here is the base of the class of the same name in records.py."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING, Any, Literal

from alsbench.results.frames import frame_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from alsbench.results import records

CacheMode = Literal["cold", "hot"]

# As harness/record/contention.h has them.
_DISTURBING_SHARE, _WAKE_UP_SECONDS, _MAX_WAKE_UP_SHARE, _CROWDING_SHARE = 0.02, 30e-6, 0.1, 0.8


def _crowds(use: records.Processor | None) -> bool:
    """Whether other processes surely left fewer processors than the threads need."""
    if use is None or use.others_share is None or use.processors is None or use.threads is None:
        return False
    left = use.processors * (1 - use.others_share + (use.others_error or 0))
    return left < _CROWDING_SHARE * min(use.threads, use.processors)


def _taken_seconds(iteration: records.Iteration) -> float:
    """Seconds that other work took of an iteration that it disturbed."""
    wall = iteration.wall_seconds
    if iteration.others:
        share = min(1.0, sum(use.busy for use in iteration.others))
        return share * wall if share > _DISTURBING_SHARE else 0
    use = iteration.processor
    if use and use.others_share is not None and _crowds(use):
        return use.others_share * wall
    waited = (use.waited_seconds if use else None) or 0
    usual = _DISTURBING_SHARE * wall + min(_WAKE_UP_SECONDS, _MAX_WAKE_UP_SHARE * wall)
    if waited <= usual:
        return 0
    if use is None or use.others_share is None:
        return min(wall, waited)
    certain = use.others_share - (use.others_error or 0)
    return use.others_share * wall if certain > _DISTURBING_SHARE else 0


class Step:
    @property
    def text(self: records.Step) -> str:
        """The form of command lines: "solve:cg:steps=6"."""
        return ":".join([self.stage, self.variant, *([_settings(self.config)] if self.config else [])])


class Pipeline:
    @property
    def text(self: records.Pipeline) -> str:
        """The form of command lines: steps joined by "/"."""
        return text_of(self.steps)


class Training:
    """A training of a suite. Its first launch is the one that tables show."""

    @property
    def iterations(self: records.Training) -> tuple[records.Iteration, ...]:
        return self.launches[0].iterations

    @property
    def result(self: records.Training) -> records.TrainingResult | None:
        return self.launches[0].result

    @property
    def disturbed(self: records.Training) -> bool:
        """Whether other work took more than 2 % of the wall time of the iterations, as tables mark it."""
        wall = sum(each.wall_seconds for each in self.iterations)
        return wall > 0 and sum(map(_taken_seconds, self.iterations)) / wall > _DISTURBING_SHARE

    @property
    def median_seconds(self: records.Training) -> float:
        """Of an iteration but the first, which warms up; NaN where there is none."""
        return median_seconds(self.iterations)

    @property
    def mean_seconds(self: records.Training) -> float:
        """Of an iteration, over all of them, whose solvers may take fewer steps in late ones; NaN where there is none."""
        return statistics.fmean(each.seconds for each in self.iterations) if self.iterations else math.nan

    @property
    def iteration_joules(self: records.Training) -> float | None:
        """The energy of an iteration but the first; None where it is not known."""
        return self.result.energy.joules if self.result and self.result.energy else None

    @property
    def tests(self: records.Training) -> list[float]:
        """The test metric of each iteration; NaN where there is none."""
        return tests_of(self.iterations)

    def reached(self: records.Training, target: float) -> tuple[int, float] | None:
        """The iteration after which the test metric is at or below target, and the seconds up to its end; None without one."""
        return reached(self.iterations, target)

    def pipeline(self: records.Training, part: str) -> records.Pipeline | None:
        """That of a part of the model; None where it has no such part."""
        return next((each for each in self.pipelines if each.part == part), None)


class Measurement:
    @property
    def disturbed(self: records.Measurement) -> bool:
        """Whether most samples of a launch were disturbed or crowded by other work."""
        return any(launch.stop_reason == "disturbed" for launch in self.launches)

    @property
    def nearest_ceiling(self: records.Measurement) -> records.Share | None:
        return next((share for share in self.shares if share.kind == "ceiling"), None)


class Peer:
    @property
    def seconds(self: records.Peer) -> float | None:
        """Of all its iterations: as it reports, else those between its lines times their number."""
        if self.own_seconds is None and self.iteration_seconds is not None:
            return self.iteration_seconds * self.iterations
        return self.own_seconds

    @property
    def train(self: records.Peer) -> float | None:
        """Training metric of its factors, evaluated by alsbench."""
        return self.score.train_metric if self.score else None

    @property
    def test(self: records.Peer) -> float | None:
        """Test metric of its factors, evaluated by alsbench."""
        return self.score.test_metric if self.score else None


class Case:
    def measurement(self: records.Case, mode: CacheMode | None = None) -> records.Measurement | None:
        """That of a cache mode, or without one the cold measurement, else the hot one; None where there is no median."""
        for each in (self.cold, self.hot) if mode is None else (getattr(self, mode),):
            if each is not None and each.statistics is not None:
                return each
        return None

    @property
    def median_seconds(self: records.Case) -> float:
        """Of measurement(); NaN where nothing was measured."""
        measured = self.measurement()
        median = measured.statistics.median_seconds if measured else None
        return math.nan if median is None else median


class RunResult:
    @property
    def failed(self: records.RunResult) -> tuple[records.Case, ...]:
        """Cases that are neither ok nor skipped."""
        return tuple(case for case in self.cases if case.outcome not in ("ok", "skipped"))

    @property
    def device_names(self: records.RunResult) -> tuple[str, ...]:
        """Of the devices that cases ran on, each once; of all where none did."""
        used = {case.backend for case in self.cases if case.outcome != "skipped"}
        names = [device.name for device in self.devices if device.backend in used]
        return tuple(dict.fromkeys(names or [device.name for device in self.devices]))

    def measured(self: records.RunResult, stage: str | None = None, role: str | None = None) -> list[records.Case]:
        """Cases that were ok and have a median, in their order; of a stage or a role where one is named."""
        return [
            case
            for case in self.cases
            if case.outcome == "ok" and case.measurement() and stage in (None, case.stage) and role in (None, case.role)
        ]

    @property
    def trained(self: records.RunResult) -> list[records.Case]:
        """Trainings that were ok and have an iteration, in their order."""
        return [case for case in self.cases if case.outcome == "ok" and case.training and case.training.iterations]

    def frame(self: records.RunResult) -> Any:
        """A pandas.DataFrame with a row for each measurement: names, config columns, statistics, rates, nearest ceiling."""
        return frame_of([row for case in self.cases for row in _rows(case)])

    def iterations(self: records.RunResult) -> Any:
        """A pandas.DataFrame with a row for each iteration of each training that was ok."""
        return frame_of(
            [
                {"name": case.name, "device": case.device, "problem": case.problem.name, "metric": case.training.metric}
                | one_valued(iteration)
                for case in self.cases
                if case.outcome == "ok" and case.training
                for iteration in case.training.iterations
            ]
        )

    def peers(self: records.RunResult) -> Any:
        """A pandas.DataFrame with a row for each training by another program."""
        return frame_of([_peer_row(case, case.peer) for case in self.cases if case.peer])


class TrainingRecord:
    """A model's record."""

    @property
    def tests(self: records.TrainingRecord) -> list[float]:
        """The test metric of each iteration; NaN where there is none."""
        return tests_of(self.iterations)

    def frame(self: records.TrainingRecord) -> Any:
        """A pandas.DataFrame with a row for each iteration."""
        return frame_of([one_valued(each) for each in self.iterations])


class ValueSearch:
    """A search for values: its trials in their order."""

    @property
    def greater_is_better(self: records.ValueSearch) -> bool:
        """Of its metric: of one of rankings, such as ndcg@10, and not of the training's own."""
        return "@" in (self.metric or "")


class Comparison:
    """Verdicts of base against test. conclusion is "clean" where nothing became slower or worse."""

    @property
    def regressions(self: records.Comparison) -> tuple[records.ComparedCase, ...]:
        """Cases that are slower, or worse in another figure."""
        return tuple(case for case in self.cases if case.regressed)

    def frame(self: records.Comparison) -> Any:
        """A pandas.DataFrame with a row for each case."""
        return frame_of([one_valued(case) for case in self.cases])


class History:
    """The runs of a history in their order, its series and their shifts."""

    def frame(self: records.History) -> Any:
        """A pandas.DataFrame with a row for each point of each series."""
        return frame_of(
            [
                {"name": each.name, "device": each.device, "driver": each.driver, "ratio_to_controls": ratio}
                | {name: getattr(self.runs[run], name) for name in ("time_utc", "git_commit")}
                for each in self.series
                for run, ratio in zip(each.runs, each.ratio_to_controls, strict=True)
            ]
        )


class Point:
    """A point of a search space."""

    @property
    def text(self: records.Point) -> str:
        """As tables have it: "cg:steps=6"."""
        return f"{self.variant}:{_settings(self.config)}" if self.config else self.variant

    @property
    def parameters(self: records.Point) -> Mapping[str, str]:
        """The variant and each value: {"variant": "tiled", "tile": "10"}."""
        return {"variant": self.variant, **self.config}


class Evaluation:
    """A point that a search measured."""

    @property
    def median_seconds(self: records.Evaluation) -> float | None:
        return statistics.median(self.seconds) if self.seconds else None


class StageTuning:
    """A search for the fastest configuration of a stage."""

    def frame(self: records.StageTuning) -> Any:
        """A pandas.DataFrame with a row for each point, in the order of the search: parameters, outcome, median, times."""
        names = ["outcome", "median_seconds", "registers", "memory_bytes"]
        names += ["wait_seconds", "prepare_seconds", "measure_seconds"]
        return frame_of(
            [{**each.point.parameters, **{name: getattr(each, name) for name in names}} for each in self.result.points]
        )


class PipelineTuning:
    """A search for the fastest accurate pipelines."""

    def frame(self: records.PipelineTuning) -> Any:
        """A pandas.DataFrame with a row for each part, pipelines as text."""
        return frame_of(
            [
                one_valued(part)
                | {"pick": text_of(part.pick), "default_pick": text_of(part.default_pick)}
                | {"ties": tuple(map(text_of, part.ties))}
                for part in self.parts
            ]
        )

    def part(self: records.PipelineTuning, name: str) -> records.PartChoice:
        """Raises KeyError where there is no such part."""
        return {part.part: part for part in self.parts}[name]


class Best:
    """The tuned choices for a device, ratings and a rank."""

    def frame(self: records.Best) -> Any:
        """A pandas.DataFrame with a row for each part, pipelines as text."""
        names = ("part", "level", "reason", "stale")
        return frame_of(
            [{**{name: getattr(pick, name) for name in names}, "pick": text_of(pick.pick)} for pick in self.picks]
        )


def text_of(steps: Sequence[records.Step]) -> str:
    return "/".join(step.text for step in steps)


def median_seconds(iterations: Sequence[records.Iteration]) -> float:
    """Of an iteration but the first, which warms up; NaN where there is none."""
    return statistics.median(each.seconds for each in iterations[1:]) if len(iterations) > 1 else math.nan


def reached(iterations: Sequence[records.Iteration], target: float) -> tuple[int, float] | None:
    """The first iteration whose test metric is at or below target, and the seconds up to its end; None without one."""
    seconds = 0.0
    for each in iterations:
        seconds += each.seconds
        if each.test_metric is not None and each.test_metric <= target:
            return each.iteration, seconds
    return None


def tests_of(iterations: Sequence[records.Iteration]) -> list[float]:
    """The test metric of each; NaN where there is none."""
    return [math.nan if each.test_metric is None else each.test_metric for each in iterations]


def one_valued(record: Any) -> dict[str, Any]:
    """The members of a record that make a cell of a frame: those that are one value."""
    return {name: value for name, value in vars(record).items() if not isinstance(value, tuple)}


def _settings(config: Mapping[str, str]) -> str:
    return ",".join(f"{name}={value}" for name, value in config.items())


def _rows(case: records.Case) -> list[dict[str, Any]]:
    """One for each cache mode that was measured, and one of a case without any."""
    names = ("name", "role", "stage", "variant", "backend", "device", "part", "outcome", "detail")
    common = {name: getattr(case, name) for name in names}
    common |= {"problem": case.problem.name, "rank": case.problem.rank, "regularization": case.problem.regularization}
    common |= {f"config.{name}": value for name, value in case.config.items()}
    modes: tuple[CacheMode, ...] = ("cold", "hot")
    measured = [(mode, each) for mode in modes if (each := case.measurement(mode))]
    return [{**common, "cache": mode, **_figures(each)} for mode, each in measured] or [common]


def _figures(measurement: records.Measurement) -> Mapping[str, Any]:
    ceiling = measurement.nearest_ceiling
    rates = {name: value for name, value in vars(measurement).items() if name.endswith("_per_second")}
    nearest = {"ceiling": ceiling.of if ceiling else None, "share_of_ceiling": ceiling.share if ceiling else None}
    return {**vars(measurement.statistics), **rates, **nearest}


def _peer_row(case: records.Case, peer: records.Peer) -> dict[str, Any]:
    names = ("name", "version", "algorithm", "metric", "iterations", "own_seconds", "iteration_seconds")
    return {name: getattr(peer, name) for name in names} | {
        "wall_seconds": peer.use.wall_seconds if peer.use else None,
        "train": peer.train,
        "test": peer.test,
        "disturbed": peer.disturbed,
        "warnings": peer.warnings,
        "outcome": case.outcome,
        "problem": case.problem.name,
    }
