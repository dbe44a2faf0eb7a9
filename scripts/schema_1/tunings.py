# SPDX-License-Identifier: Apache-2.0
"""Databases of tunings, tunings, comparisons of strategies, and journals of recordings."""

import json
from collections.abc import Callable

from schema_1.texts import Json, headed, in_new_words, pipelines_of, point_of, steps_of


def versioned(document: Json) -> Json:
    """A document that has no other change."""
    return headed(
        document["kind"],
        {name: value for name, value in document.items() if name not in ("$schema", "schema_version", "kind")},
    )


def entry_of(entry: Json) -> Json:
    """An entry of a tuning database."""
    accuracy = entry["accuracy"]
    metric = "loss" if accuracy and "loss" in accuracy else "rmse"
    converted = {
        "device": entry["device"],
        "what": entry["what"],
        "members": entry.get("members", 1),
        "algorithm": entry.get("algorithm", "als"),
        **({"minimised": entry["minimised"]} if "minimised" in entry else {}),
        "part": entry["side"],
        "objective": entry["objective"],
        "bucket": entry.get("bucket", ""),
        **{name: entry[name] for name in ("shape", "data", "storage")},
        "pick": steps_of(entry["pick"]),
        "default_pick": steps_of(entry["default_pick"]),
        "median_seconds": entry["median_seconds"],
        "default_seconds": entry["default_seconds"],
        "speedup_over_default": entry["default_seconds"] / entry["median_seconds"],
        "ties": [steps_of(text) for text in entry["ties"]],
        "search": entry["search"],
        "code_hash": entry["code_hash"],
        "accuracy": accuracy
        and {
            "metric": metric,
            "iterations": accuracy["iterations"],
            "test_metric": accuracy[metric],
            "exact_metric": accuracy[f"exact_{metric}"],
            "tolerance": accuracy["tolerance"],
        },
        "provenance": entry["provenance"],
    }
    return {**converted, **{name: value for name, value in entry.items() if name not in {*converted, "side"}}}


def tuned(document: Json) -> Json:
    """A tuning database."""
    return headed("tuned", {"entries": [entry_of(entry) for entry in document["entries"]]})


def counters_of(found: Json, step_of: Callable[[Json], Json]) -> Json:
    """The hardware counters of finalists, where they were read."""
    if "counters" not in found:
        return {}
    return {
        "counters": [
            {"step": step_of(one), "bound": one["bound"], "counters": one["counters"]} for one in found["counters"]
        ]
    }


def problem_of(problem: Json) -> Json:
    shapes = {name: shape for name, shape in problem.items() if name.startswith("shape_")}
    return {
        **{name: "" if value is None else value for name, value in problem.items() if name not in {*shapes, "data"}},
        "shapes": [{"part": name.removeprefix("shape_"), "shape": shape} for name, shape in shapes.items()],
        "data": problem["data"],
    }


def stage_search_of(search: Json) -> Json:
    best = [{"stage": search["stage"], **point_of(text)} for text in search["best"]]
    names = ("stage", "skipped", "refines", "evaluations", "stop_reason", "best", "best_seconds", "default_seconds")
    seconds = ("elapsed", "measuring", "compiling", "preparing", "verifying")
    return {
        "part": search["side"],
        **{name: search.get(name) for name in names},
        "best": best,
        **{f"{name}_seconds": search.get(f"{name}_seconds") for name in seconds},
    }


def trial_of(trial: Json) -> Json:
    return {
        "purpose": trial["purpose"],
        "pipelines": pipelines_of(trial["pipelines"]),
        "outcome": trial["outcome"],
        "detail": trial["detail"],
        "test_metric": trial["loss"] if "loss" in trial else trial["rmse"],
        "worst_deviation": trial.get("worst_deviation"),
        "seconds": trial["seconds"],
        "passed": trial["passed"],
    }


def contender_of(contender: Json) -> Json:
    parts = contender["pipelines"]
    return {
        "pipelines": pipelines_of(parts),
        "is_default": contender["is_default"],
        "eligible": contender["eligible"],
        "part_seconds": [{"part": part, "seconds": contender[f"{part}_seconds"]} for part in parts],
        "total_seconds": contender["total_seconds"],
    }


def choice_of(choice: Json) -> Json:
    return {
        "part": choice["side"],
        "pick": steps_of(choice["pick"]),
        "median_seconds": choice["median_seconds"],
        "default_pick": steps_of(choice["default_pick"]),
        "default_seconds": choice["default_seconds"],
        "speedup_over_default": choice["speedup_over_default"],
        "ties": [steps_of(text) for text in choice["ties"]],
        **counters_of(choice, lambda one: steps_of(one["step"])[0]),
    }


def hyper_of(hyper: Json) -> Json:
    trials = [
        {("best_metric" if name == "best" else name): value for name, value in trial.items()}
        for trial in hyper["trials"]
    ]
    return {**hyper, "trials": trials}


def gate_of(gate: Json) -> Json:
    metric = "loss" if "loss" in gate else "rmse"
    return {
        **{name: gate[name] for name in ("iterations", "tolerance", "ratings")},
        "metric": metric,
        "exact_metric": gate[f"exact_{metric}"],
        "target_metric": gate[f"target_{metric}"],
        "test_metric": gate[metric],
        "worst_deviation": gate.get("worst_deviation"),
    }


def time_of(time: Json) -> Json:
    """Everything that the time went to; what is left of the total was the sum of some of it."""
    return {
        "total_seconds": time["total_seconds"],
        "data_seconds": time["data_seconds"],
        "measuring_seconds": time["measuring_seconds"],
        **time["parts"],
    }


def near_of(near: Json | None) -> Json | None:
    return near and {**near, "pipelines": pipelines_of(near["pipelines"])}


def pipeline_tuning(document: Json) -> Json:
    """A document of `alsbench tune --pipeline`."""
    search = {"near": near_of(document["search"].get("near"))}
    return headed(
        "pipeline-tuning",
        {
            "training": document.get("training", {"algorithm": "als"}),
            "provenance": document["provenance"],
            "device": document["device"],
            "members": document.get("members", 1),
            "problem": problem_of(document["problem"]),
            "objective": document["objective"],
            "search": {**search, **{name: value for name, value in document["search"].items() if name != "near"}},
            "gate": gate_of(document["gate"]),
            "stages": [stage_search_of(search) for search in document["stages"]],
            "trials": [trial_of(trial) for trial in document["trials"]],
            "playoff": [contender_of(contender) for contender in document["playoff"]],
            "parts": [choice_of(choice) for choice in document["sides"]],
            "hyper": hyper_of(document["hyper"]) if "hyper" in document else None,
            "time": time_of(document["time"]),
        },
    )


def space_of(space: Json) -> Json:
    return {**space, "default": point_of(space["default"])}


def search_of(search: Json) -> Json:
    """The space and the method of a search for a stage's configuration."""
    converted = {("part" if name == "side" else name): value for name, value in search.items()}
    problem = {**search["problem"], "lambda": float(f"{search['problem']['lambda']:.7g}")}
    return {**converted, "problem": problem, "space": space_of(search["space"])}


def evaluation_of(evaluation: Json) -> Json:
    return {**evaluation, "point": point_of(evaluation["point"])}


def search_result_of(result: Json, stage: str) -> Json:
    points = {name: [point_of(text) for text in result[name]] for name in ("tie_set", "finalists")}
    return {
        **result,
        "best": result["best"] and point_of(result["best"]),
        "default": point_of(result["default"]),
        **points,
        "points": [evaluation_of(point) for point in result["points"]],
        **counters_of(result, lambda one: {"stage": stage, **point_of(one["point"])}),
    }


def tuning(document: Json) -> Json:
    """A document of `alsbench tune --stage`."""
    names = ("provenance", "replay_of", "device", "shape")
    return headed(
        "tuning",
        {
            **{name: document[name] for name in names},
            "search": search_of(document["search"]),
            "budget": document["budget"],
            "result": search_result_of(document["result"], document["search"]["stage"]),
        },
    )


def best(document: Json) -> Json:
    """A document of `alsbench best`."""
    picks = [
        {
            "part": pick["side"],
            **{name: pick[name] for name in ("level", "reason", "stale", "shape")},
            "pick": steps_of(pick["pick"]),
            "entry": pick["entry"] and entry_of(pick["entry"]),
        }
        for pick in document["picks"]
    ]
    names = ("device", "what", "objective")
    training = {"training": document.get("training", {"algorithm": "als"})}
    return headed("best", {**training, **{name: document[name] for name in names}, "picks": picks})


# By the `kind` of a document: a function of a document of schema 1.x that returns one of 2.0.
CONVERSIONS: dict[str, Callable[[Json], Json]] = {
    "tuned": tuned,
    "pipeline-tuning": pipeline_tuning,
    "tuning": tuning,
    "best": best,
    "strategies": versioned,
    "evaluation": versioned,
}


def crc32c(content: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in content:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def journal_line(record: Json) -> str:
    """ "LENGTH CRC32C JSON", as harness/record/journal.h has it."""
    text = json.dumps(record, separators=(",", ":"), ensure_ascii=False)
    content = text.encode()
    return f"{len(content)} {crc32c(content):08x} {text}\n"


def recording(text: str) -> str:
    """The journal of a search for a stage's configuration."""
    records = [json.loads(line.split(" ", 2)[2]) for line in text.splitlines()]
    if "part" in records[0]["search"]:
        return text
    head = {**records[0], "search": search_of(records[0]["search"])}
    rest = [evaluation_of(record) if "point" in record else record for record in records[1:]]
    return "".join(journal_line(record) for record in in_new_words([head, *rest]))
