# SPDX-License-Identifier: Apache-2.0
"""Converts results of `alsbench run` of schema 1.x to 2.0."""

import re
from typing import Any

Json = dict[str, Any]
VERSION = "2.0.0"


def converted_run(run: Json) -> Json:
    """A document of kind "run" as schema 2.0 has it; one of 2.x as it is."""
    if not run["schema_version"].startswith("1."):
        return run
    run = renamed_places(run)
    run = {"schema_version": VERSION, "kind": "run"} | {
        name: value for name, value in run.items() if name not in ("$schema", "schema_version", "kind")
    }
    run |= {"cases": [_case(case) for case in run["cases"]]}
    return run | {name: run.get(name, default) for name, default in (("selection", None), ("shards", []))}


def renamed_places(value: Any) -> Any:
    """A document whose names of cases say part:x in place of side:x, as of groups that hold them."""
    if isinstance(value, str):
        return re.sub(r"(^|/)side:(?=\w)", r"\1part:", value)
    if isinstance(value, list):
        return [renamed_places(each) for each in value]
    if isinstance(value, dict):
        return {name: each if name == "command_line" else renamed_places(each) for name, each in value.items()}
    return value


def steps_of(text: str) -> list[Json]:
    """The steps of a pipeline's text form, stage:variant[:name=value,...] joined by '/'."""
    steps = []
    for step in text.split("/"):
        stage, variant, *rest = step.split(":", 2)
        config = dict(entry.split("=", 1) for entry in rest[0].split(",")) if rest else {}
        steps.append({"stage": stage, "variant": variant, "config": config})
    return steps


def pipelines_of(texts: Json) -> list[Json]:
    """A list of pipelines from their text forms by part."""
    return [{"part": part, "steps": steps_of(text)} for part, text in texts.items()]


def iteration(old: Json) -> Json:
    """An iteration of a training, with its metric's name out of its keys."""
    (metric,) = (name.removeprefix("train_") for name in old if name.startswith("train_"))
    seconds = old["seconds"]
    new = {
        "iteration": old["iteration"],
        "train_metric": old["train_" + metric],
        "test_metric": old["test_" + metric],
        "seconds": seconds["total"],
        "wall_seconds": seconds["wall"],
        "metric_seconds": seconds[metric],
        "stage_seconds": [
            {**dict(zip(("part", "stage"), name.split("/", 1), strict=True)), "seconds": value}
            for name, value in sorted(seconds["stages"].items())
        ],
        "mean_solver_steps": old["mean_cg_steps"],
        "cold_test_ratings": old["cold_test_ratings"],
    }
    if "members" in seconds:
        new |= {"members": seconds["members"], "exchange_seconds": seconds["exchange"]}
    return new | {name: old[name] for name in ("processor", "others") if name in old}


def _case(old: Json) -> Json:
    new = _renamed(old, {"side": "part", "batch": "group"})
    new["problem"] = _problem(new["problem"])
    for mode in ("cold", "hot"):
        new[mode] = _measurement(new[mode])
    for name, default in (("peak_device_bytes", None), ("repeat", None), ("number", None), ("shard", 0)):
        new.setdefault(name, default)
    if new["work"]:  # what no one counted then is 0
        new["work"] = _filled(new["work"], ("gathered_bytes", "table_bytes", "missed_bytes", "l2_bytes"), 0.0)
    for name in ("verification", "recheck"):
        if new[name]:
            new[name] = _filled(_renamed(new[name], {"mean_cg_steps": "mean_solver_steps"}), ("storage_error",))
    if "tuned" in new:
        by_part = new["tuned"] if new["role"] == "training" else {new["part"]: new["tuned"]}
        new["tuned"] = [{"part": part, **origin} for part, origin in by_part.items()]
    if new["training"]:
        new["training"] = _training(new["training"])
    if new.get("peer"):
        new["peer"] = _peer(new["peer"])
    return new


def _renamed(old: Json, names: dict[str, str]) -> Json:
    return {names.get(name, name): value for name, value in old.items()}


def _filled(old: Json, names: tuple[str, ...], value: Any = None) -> Json:
    return {**old, **{name: old.get(name, value) for name in names}}


def _problem(old: Json) -> Json:
    usual = ("name", "dataset", "path", "scale", "seed", "rank", "lambda", "data")
    reading = {name: value for name, value in old.items() if name not in usual}
    return {name: old[name] for name in usual} | ({"reading": reading} if reading else {})


def _measurement(old: Json | None) -> Json | None:
    if old is None:
        return None
    new = {name: value for name, value in old.items() if name != "share_of_roof"}
    if not new.get("launches"):
        end = {"count": new["statistics"]["count"], "stop_reason": new["stop_reason"]}
        new["launches"] = [{"median_seconds": new["statistics"]["median_seconds"], **end}]
    traffic = {"model_bytes": None, "measured_bytes": None, "difference": None}
    for name, default in (("shares", []), ("unmeasured_roofs", []), ("dram", traffic), ("l2", traffic)):
        new.setdefault(name, default)
    return _filled(new, ("gathered_bytes_per_second", "bound"))


def _training(old: Json) -> Json:
    (metric,) = (key.removeprefix("target_") for key in old if key.startswith("target_"))
    parts = {key.removeprefix("pipeline_"): text for key, text in old.items() if key.startswith("pipeline_")}
    launches = old.get("launches") or [{name: old[name] for name in ("iterations", "result")}]
    return {
        "algorithm": old.get("algorithm") or ("als" if metric == "rmse" else "implicit-als"),
        "hyper": old.get("hyper", {}),
        "metric": metric,
        "pipelines": pipelines_of(parts),
        "target": old["target_" + metric],
        "launches": [{**each, "iterations": [iteration(one) for one in each["iterations"]]} for each in launches],
    }


def _peer(old: Json) -> Json:
    metric = old["metric"]

    def rename(each: Json) -> Json:
        return {name.replace(f"_{metric}", "_metric"): value for name, value in each.items()}

    new = rename(old)
    new["progress"] = [rename(each) for each in new["progress"]]
    new["score"] = rename(new["score"]) if new["score"] else None
    return new
