# SPDX-License-Identifier: Apache-2.0
"""Results of runs, and the records of models."""

import json
import pathlib
from typing import Any

from schema_1.texts import Json, headed, in_new_words, pipelines_of

SUITES = pathlib.Path(__file__).resolve().parents[2] / "configs/suites"
RENAMED = {"scale": "scaling"}
USUAL_ANSWER = "fastest"  # left out where it is that


def run(old: Json) -> Json:
    """A result of `alsbench run`."""
    new = {
        name: value for name, value in in_new_words(old).items() if name not in ("$schema", "schema_version", "kind")
    }
    new["cases"] = [_case(case) for case in new["cases"]]
    new["suite"] = _suite(new["suite"])
    return headed("run", {"selection": None, "shards": [], **new})


def _suite(old: Json) -> Json:
    """With the kind of answer that the shipped suite of its name declares."""
    shipped = SUITES / f"{RENAMED.get(old['name'], old['name'])}.json"
    answer = json.loads(shipped.read_text(encoding="utf-8"))["answer"] if shipped.is_file() else USUAL_ANSWER
    own = {} if answer == USUAL_ANSWER else {"answer": answer}
    return {"name": old["name"], "description": old["description"], **own, **old}


def training(old: Json) -> Json:
    """The record of a model, which `alsbench train` wrote."""
    options = old["options"]
    metric = next((name.removeprefix("target_") for name in options if name.startswith("target_")), "rmse")
    parts = {name.removeprefix("pipeline_"): text for name, text in options.items() if name.startswith("pipeline_")}
    rest = {name: value for name, value in options.items() if not name.startswith(("pipeline_", "target_"))}
    algorithm = options.get("algorithm") or ("als" if metric == "rmse" else "implicit-als")
    implicit = algorithm == "implicit-als"
    usual = {"feedback": "implicit" if implicit else "explicit", "cold": 0 if implicit else old["data"]["mean"]}
    names = ("setup_seconds", "reached_target", "failed_rows")
    return headed(
        "training",
        {
            **{name: old[name] for name in ("provenance", "device", "data")},
            "options": {
                "algorithm": algorithm,
                "hyper": options.get("hyper", {}),
                "metric": metric,
                "pipelines": pipelines_of(parts),
                **{name: rest[name] for name in ("rank", "lambda", "iterations", "seed")},
                "target": options.get(f"target_{metric}"),
                "keep": options.get("keep", "last"),
                "early_stop": options.get("early_stop"),
            },
            "prediction": old.get("prediction", {**usual, "rated_zero_users": [], "rated_zero_items": []}),
            "search": _value_search(old.get("search")),
            "tuned": [{"part": part, **origin} for part, origin in old.get("tuned", {}).items()],
            "start_seconds": {
                **dict.fromkeys(("device", "load", "pipelines", "upload", "prepare", "total"), 0),
                **old.get("start_seconds", {}),
            },
            **{name: old[name] for name in names},
            "brought_ratings": old.get("brought_ratings", 0),
            "peak_device_bytes": old.get("peak_device_bytes", 0),
            "kept_iteration": old.get("kept_iteration", len(old["iterations"])),
            "stopped_early": old.get("stopped_early", False),
            "overflows": old.get("overflows", 0),
            **({"team": old["team"]} if "team" in old else {}),
            "iterations": [iteration(each) for each in old["iterations"]],
            "files": old.get("files", []),
        },
    )


def _value_search(old: Json | None) -> Json | None:
    if old is None:
        return None
    trials = [
        {
            name.replace("test_rmse", "test_metric").replace("test_loss", "test_metric"): value
            for name, value in each.items()
        }
        for each in old["trials"]
    ]
    return {"best": old["best"], "trials": trials}


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
    new = {name: value for name, value in old.items() if name != "share_of_ceiling"}
    if not new.get("launches"):
        end = {"count": new["statistics"]["count"], "stop_reason": new["stop_reason"]}
        new["launches"] = [{"median_seconds": new["statistics"]["median_seconds"], **end}]
    traffic = {"model_bytes": None, "measured_bytes": None, "difference": None}
    for name, default in (("shares", []), ("unmeasured_ceilings", []), ("dram", traffic), ("l2", traffic)):
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


# By the kind of a document.
CONVERSIONS = {"run": run, "training": training}
