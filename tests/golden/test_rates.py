# SPDX-License-Identifier: Apache-2.0
"""The rates that rules choose by: the header is made of results/rates, and a result of the suite `rates` replaces their lines."""

import copy

import pytest

from conftest import ROOT, SMALL, a_training, an_iteration, read_json, write_json

RATINGS, USERS, ITEMS = 10_000_000, 100_000, 20_000
PIPELINE = "update:blocked:factors=fp32,steps={steps}"
RATING, ROW, PRODUCT = 4000, 50_000, 20_000  # picoseconds: what was planted


@pytest.fixture
def rates(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(ROOT))
    from plots import rates

    for name, path in (("KEPT", tmp_path / "kept"), ("HEADER", tmp_path / "rates.h")):
        monkeypatch.setattr(rates, name, path)
    return rates


def test_the_header_is_that_of_the_kept_rates(rates):
    files = sorted((ROOT / "results/rates").glob("*.csv"), reverse=True)
    made = rates.header({file.stem: rates.read_kept(file) for file in files})
    committed = (ROOT / "variants/als/rates.h").read_text(encoding="utf-8")
    assert made == committed, "python -m plots.rates --write makes it of results/rates"


def test_every_kept_number_says_where_it_comes_from(rates):
    for file in (ROOT / "results/rates").glob("*.csv"):
        lines = rates.read_kept(file)
        assert lines and all(line.origin for line in lines)
        assert rates.with_lines(lines, []) == lines, "in the order of their tables and ranks"


def training(steps):
    """Of three iterations, whose times are those of the planted rates; the first one warms up."""

    def seconds(rows):
        return 1e-12 * (RATINGS * RATING + rows * (ROW + (steps + 1) * PRODUCT))

    parts = {"x": seconds(USERS), "theta": seconds(ITEMS)}
    iterations = []
    for number in (1, 2, 3):
        stages = [
            {"part": part, "stage": "update", "seconds": value * (2 if number == 1 else 1)}
            for part, value in parts.items()
        ]
        iterations.append({**an_iteration(number, 1.0, 1.0), "stage_seconds": stages})
    return a_training(iterations, PIPELINE.format(steps=steps))


@pytest.fixture
def result(tmp_path):
    document = read_json(SMALL)
    case = next(case for case in document["cases"] if case["outcome"] == "ok")
    document["cases"] = []
    for steps in (3, 6):
        made = {
            **copy.deepcopy(case),
            "name": f"train/blocked-{steps}/cpu",
            "role": "training",
            "cold": None,
            "hot": None,
        }
        made["training"], made["problem"]["rank"] = training(steps), 16
        data = {"id": "made", "users": USERS, "items": ITEMS, "train_ratings": RATINGS, "test_ratings": 1}
        made["problem"]["data"] = {**made["problem"]["data"], **data}
        document["cases"].append(made)
    write_json(tmp_path / "rates.json", document)
    return tmp_path / "rates.json"


def test_a_result_replaces_the_lines_of_what_it_trained(rates, result, monkeypatch):
    pytest.importorskip("numpy")
    old = [rates.Line("kBlockedCpu", rank, "1", "0", "2", "3", origin="by hand") for rank in ("8", "16")]
    constant = rates.Line("kMeasuredThreads", "", value="2", origin="a CPU")
    rates.KEPT.mkdir()
    rates.write_kept(rates.KEPT / "cpu.csv", [constant, *old])
    monkeypatch.setattr("sys.argv", ["plots.rates", str(result), "--write"])
    rates.main()
    kept = rates.read_kept(rates.KEPT / "cpu.csv")
    assert kept[:2] == [constant, old[0]]
    assert (kept[2].rank, kept[2].rating, kept[2].row, kept[2].row_product) == ("16", "4000", "50000", "20000")
    assert kept[2].origin.startswith("suite ci of 20") and kept[2].origin.endswith(", to 0%")
    header = rates.HEADER.read_text(encoding="utf-8")
    assert "inline constexpr int kMeasuredThreads = 2;" in header
    assert "    {8, 1, 0, 2, 3},\n    {16, 4000, 0, 50000, 20000},\n});" in header
