# SPDX-License-Identifier: Apache-2.0
"""The suite `ceilings`: every reference rate of a device is measured, and each rate lies where the hardware allows it."""

import pytest

RATES = {
    "fma": "flops_per_second",
    "mma": "flops_per_second",
    "gemm_batched": "flops_per_second",
    "copy": "compulsory_bytes_per_second",
    "read": "compulsory_bytes_per_second",
    "gather_l1": "gathered_bytes_per_second",
    "gather_l2": "gathered_bytes_per_second",
    "gather_memory": "gathered_bytes_per_second",
}
NOISE = 1.1  # between two medians of a busy machine
# Least and most shares of the data sheet's rates. mma.sync reaches some two thirds of wgmma, for which sheets of sm_90
# are written; clocks under load lie below the sheet's, and of short kernels a little above.
OF_THE_SHEET = {"fma": (0.7, 1.05), "mma": (0.45, 1.05), "copy": (0.7, 1.0), "read": (0.8, 1.0)}


def measured(program, device, *arguments):
    """Records and rates by stage; of several variants and types a list."""
    program.run("run", "ceilings", "--device", device, *arguments, "--json", "ceilings.json", timeout=300)
    document = program.read_json("ceilings.json")
    backend = "cpu" if device == "cpu" else "cuda"
    cases = [case for case in document["cases"] if case["backend"] == backend and case["outcome"] != "skipped"]
    assert cases and {case["outcome"] for case in cases} == {"ok"}
    rates = {}
    for case in cases:
        rate = (case["cold"] or case["hot"])[RATES[case["stage"]]]
        assert rate > 0, case["name"]
        rates.setdefault(case["stage"], []).append(rate)
    return cases, {stage: max(values) for stage, values in rates.items()}


def assert_nearer_is_faster(rates):
    assert rates["gather_l1"] * NOISE >= rates["gather_l2"]
    assert rates["gather_l2"] * NOISE >= rates["gather_memory"]


def test_of_a_cpu(program):
    _, rates = measured(program, "cpu", "--scale", "0.05")
    assert set(rates) == set(RATES) - {"mma"}
    assert_nearer_is_faster(rates)
    assert rates["fma"] * NOISE >= rates["gemm_batched"]


@pytest.fixture
def gpu(program):
    devices = program.json("list", "devices", "--json")
    if not any(device.get("backend") == "cuda" for device in devices["devices"]):
        pytest.skip("no CUDA device")


def test_of_a_gpu(program, gpu):
    cases, rates = measured(program, "0")
    assert set(rates) == set(RATES)
    assert_nearer_is_faster(rates)
    assert rates["read"] * NOISE >= rates["copy"]
    assert sum(case["stage"] == "mma" for case in cases) == 4
    for case in cases:
        nominal = (case["cold"] or case["hot"])["share_of_nominal"]
        if not nominal or case["stage"] not in OF_THE_SHEET:
            continue
        least, most = OF_THE_SHEET[case["stage"]]
        share = nominal["compulsory_bytes" if case["stage"] in ("copy", "read") else "flops"]
        assert least <= share <= most, case["name"]
