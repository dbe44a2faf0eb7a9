# SPDX-License-Identifier: Apache-2.0
"""Comparisons, bisections, histories and static baselines, and what compile, list and doctor write."""

import json

from schema_1.texts import VERSION, config_of, in_new_words


def ordered(document, keys):
    """The members in the order of these keys, then the others."""
    return {key: document[key] for key in keys if key in document} | document


def head(document, kind, **more):
    """The members that say which document it is, then the others as they are."""
    own = {"schema_version": VERSION, "kind": kind}
    others = {key: value for key, value in document.items() if key not in ("$schema", *own, *more)}
    return own | in_new_words(others) | more


def renamed(document, **names):
    return {names.get(key, key): value for key, value in document.items()}


# Comparisons


CASE = ["name", "role", "device", "verdict", "time_verdict", "regressed", "reason", "base_launches", "test_launches"]
CASE += ["base_seconds", "test_seconds", "base_disturbed", "test_disturbed", "ratio", "ratio_low", "ratio_high", "p"]
CASE += ["adjusted_p", "launches_needed", "code", "figures", "causes", "cross_environment", "detectable_effect"]
NEW_IN_CASES = {"base_disturbed": 0, "test_disturbed": 0, "causes": [], "detectable_effect": None}
COMPARISON = ["schema_version", "kind", "procedure", "conclusion", "base", "test", "rules", "differences"]
COMPARISON += ["not_compared", "disturbed", "cases", "controls", "provenance", "design", "self", "launches"]


def launch(document):
    absent = {"outcome": "ok", "median_seconds": None, "samples": 0}
    return document | {"cases": [{"name": name} | absent | one for name, one in document["cases"].items()]}


def comparison(document):
    document = head({"not_compared": [], "disturbed": [], "launches": []} | document, "comparison")
    document["rules"] = renamed({"memory_bound": 0.01} | document["rules"], rmse_bound="metric_bound")
    for cases in ("cases", "controls"):
        document[cases] = [ordered(NEW_IN_CASES | case, CASE) for case in document[cases]]
    document["launches"] = [launch(each) for each in document["launches"]]
    return ordered(document, COMPARISON)


def bisection(document):
    return head(document, "bisection")


# Kernels


REPORT = ["registers", "spill_store_bytes", "spill_load_bytes", "stack_bytes", "static_shared_bytes"]
REPORT += ["dynamic_shared_bytes", "block", "blocks_per_multiprocessor", "occupancy", "code_hash"]
REPORT += ["compile_seconds", "from_cache"]
KERNEL = ["variant", "config", "rank", "launch", "arch", "source", "instance", "outcome", "detail", "report"]


def kernel(document):
    document = renamed(document, error="detail")
    report = {key: document.pop(key) for key in REPORT if key in document}
    document |= {"config": config_of(document["config"]), "report": report or None}
    return ordered({"detail": None} | document, KERNEL)


def static(document):
    kernels = [{"source_hash": None} | kernel(each) for each in document["kernels"]]
    return head(document, "static", kernels=[ordered(each, [*KERNEL, "source_hash"]) for each in kernels])


def compiled(document):
    skipped = [each | {"config": config_of(each["config"])} for each in document["skipped"]]
    kernels = [kernel(each) for each in document["kernels"]]
    return head(document, "compile", kernels=kernels, skipped=skipped)


def static_comparison(document):
    def converted(one):
        counts = [{"verdict": verdict, "count": count} for verdict, count in one["counts"].items()]
        findings = [renamed(each, cross_env="cross_environment") for each in one["findings"]]
        return {"compiled": 0, "known": 0} | one | {"counts": counts, "findings": findings}

    return head(document, "static_comparison", comparisons=[converted(one) for one in document["comparisons"]])


# Histories


def fnv1a128(text):
    value = 0x6C62272E07BB014262B821756295C58D
    for byte in text.encode():
        value = (value ^ byte) * 0x0000000001000000000000000000013B % 2**128
    return f"{value:032x}"


def checksum(document):
    content = {key: value for key, value in document.items() if key != "checksum"}
    return fnv1a128(json.dumps(content, separators=(",", ":"), ensure_ascii=False))


def history_run(document):
    if checksum(document) != document["checksum"]:
        raise ValueError("its checksum differs: it was changed or damaged; restore it from a copy")
    document = head(document, "history_run")
    return document | {"checksum": checksum(document)}


def history(document):
    return head(renamed(document, steps="shifts"), "history")


def accepted_shifts(document):
    shifts = [renamed(shift, most_ratio="max_ratio") for shift in document.get("shifts", [])]
    return head(document, "accepted_shifts", shifts=shifts)


# The machine


def listing(document):
    return head(document, "list")


def doctor(document):
    return head(document, "doctor")


# By the kind of a document.
CONVERSIONS = {
    "accepted_shifts": accepted_shifts,
    "bisection": bisection,
    "comparison": comparison,
    "compile": compiled,
    "doctor": doctor,
    "history": history,
    "history_run": history_run,
    "list": listing,
    "static": static,
    "static_comparison": static_comparison,
}
