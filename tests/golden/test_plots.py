# SPDX-License-Identifier: Apache-2.0
"""Figures of committed results, and of whatever else a user may hand to `python -m plots`."""

import json
import re
import subprocess
import sys

import pytest

from conftest import ROOT, SMALL, plots, read_json, write_json

H200 = ROOT / "results" / "nvidia-h200"


@pytest.fixture
def texts(monkeypatch):
    """The text of a file's figure, drawn in this process: matplotlib is slow to start."""
    monkeypatch.syspath_prepend(str(ROOT))
    from plots import figures, reading, style

    def said(path):
        figure = figures.figure_of(reading.read_any(path))
        style.plt.close(figure)
        return [each.get_text() for each in figure.findobj(style.matplotlib.text.Text)]

    return said


def test_committed_pictures_are_of_the_committed_results(tmp_path):
    from matplotlib import image

    committed = sorted((ROOT / "plots").glob("*/*.png"))
    runs = [path for path in committed if path.stem != "strategies"]
    plots("plots", *(ROOT / "results" / path.parent.name / f"{path.stem}.json.gz" for path in runs), "--out", tmp_path)
    for path in committed:
        if path not in runs:
            recorded = ROOT / "results" / "recorded" / path.parent.name / "strategies.json"
            plots("plots.strategies", recorded, "--out", tmp_path / path.name)
        old, new = image.imread(path), image.imread(tmp_path / path.name)
        assert old.shape == new.shape and abs(old - new).mean() < 1e-3, f"{path.relative_to(ROOT)}: draw it again"


def test_labels_of_several_problems_hold_data_and_rank(tmp_path, texts):
    document = read_json(H200 / "ranks.json.gz")
    document["cases"] = [case for case in document["cases"] if case["problem"]["rank"] in (10, 20)]
    write_json(tmp_path / "ranks.json", document)
    bars = {text for text in texts(tmp_path / "ranks.json") if text.startswith("fused")}
    assert len(bars) == sum(case["role"] == "case" for case in document["cases"])
    assert any("(netflix, rank 10)" in bar for bar in bars) and any("rank 20)" in bar for bar in bars)


def test_trainings_of_a_sweep_are_drawn(texts):
    shown = texts(H200 / "tuned.json.gz")
    assert "an iteration of a training" in shown and "tuned (netflix, rank 100) cuda" in shown


def test_each_problem_and_metric_has_its_curves(texts):
    assert {"test RMSE", "test loss"} <= set(texts(ROOT / "results/amd-epyc/peers.json.gz"))
    assert {"ml-100k, rank 16", "netflix, rank 100"} <= set(texts(H200 / "biases.json.gz"))


@pytest.mark.parametrize(
    "file, words",
    [
        ("train-ccd-netflix-rank40.json.gz", ["ccd (cuda)", "test RMSE"]),
        ("tune-netflix-rank100.json.gz", ["x: chosen", "theta: default", "seconds of an iteration"]),
    ],
)
def test_other_kinds_have_a_figure(texts, file, words):
    assert set(words) <= set(texts(H200 / file))


HISTORY = {
    "schema_version": "2.0.0",
    "kind": "history",
    "runs": [{"file": f"{n}.json", "time_utc": f"2026-01-0{n}", "git_commit": "c", "suite": "ci"} for n in (1, 2, 3)],
    "series": [
        {
            "name": "a $price$ x",
            "device": "CPU",
            "driver": "",
            "controls": "copy",
            "runs": [0, 1, 2],
            "ratio_to_controls": [1.0, 1.1, 0.9],
        }
    ],
    "shifts": [],
}


def test_a_history_without_a_shift_has_a_picture(tmp_path):
    write_json(tmp_path / "calm.json", HISTORY)
    plots("plots.history", tmp_path / "calm.json", "--out", tmp_path / "calm.svg")
    drawing = (tmp_path / "calm.svg").read_text(encoding="utf-8")
    assert "No shift in the time relative to the controls" in drawing
    assert "a $price$ x" in drawing, "a name is no mathematics"


@pytest.mark.parametrize(
    "content, sentence",
    [
        (b"\x89PNG\r\n", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"[]", "its kind is None"),
        (b'{"kind": ["run"]}', "its kind is ['run']"),
        (b'{"kind": "history", "schema_version": "2.0.0", "runs": []}', "/series: is missing"),
        (json.dumps(HISTORY).encode(), "is no result of alsbench run"),
    ],
)
def test_damage_is_one_sentence(tmp_path, content, sentence):
    (tmp_path / "odd.json").write_bytes(content)
    said = plots("plots.summary", tmp_path / "odd.json", "figure.png", code=1).stderr
    assert sentence in said and "odd.json" in said and len(said.splitlines()) == 1


def test_what_has_no_figure_says_why(tmp_path):
    empty = write_json(tmp_path / "empty.json", {**HISTORY, "runs": [], "series": []})
    said = plots("plots", H200 / "gate" / "aa-1.json.gz", empty, "--out", tmp_path).stderr
    assert "aa-1.json.gz: no figure: a Comparison has none" in said and "no measured series" in said
    assert "Is a directory" in plots("plots.summary", ROOT, "figure.png", code=1).stderr
    assert "two parameters" in plots("plots.tuning", SMALL, "--heat", "tile", code=2).stderr
    said = plots("plots.tuning", H200 / "tune-netflix-rank100.json.gz", "--out", tmp_path / "f.doc", code=1).stderr
    assert "f.doc: cannot be written" in said


def test_a_checkout_without_a_build_reads_results_and_says_what_is_missing():
    """python/ holds the package's sources: results need no more, models do."""
    script = (
        "import sys; sys.path.insert(0, 'python'); import alsbench\n"
        f"print(alsbench.read_result({str(SMALL)!r}).suite.name)\n"
        "assert not {'numpy', 'scipy', 'sklearn'} & set(sys.modules)\n"
        "for use in (lambda: alsbench.ALS, lambda: alsbench.run('quick')):\n"
        "    try: use()\n"
        "    except (ImportError, alsbench.MachineError) as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    name, *said = done.stdout.splitlines()
    assert name == "ci" and len(said) == 2
    assert all("alsbench is not built" in line and "pip install ." in line for line in said)


def half_of_the_last_digit(number):
    return 0.5 * 10.0 ** -len(number.partition(".")[2])


def test_the_first_figure_of_the_readme_has_the_times_of_its_first_sentence():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    claimed = re.findall(r"takes ([\d.]+) ms", text.split("<!-- end -->")[0])
    (figure,) = re.findall(r"!\[.*?\]\((docs/images/.*?\.svg)\)", text)
    drawn = re.findall(r", ([\d.]+) ms an iteration<", (ROOT / figure).read_text(encoding="utf-8"))
    assert len(claimed) == 2 and len(drawn) > 2
    for time in claimed:
        coarser = [max(half_of_the_last_digit(time), half_of_the_last_digit(one)) for one in drawn]
        near = [abs(float(time) - float(one)) <= 1.01 * slack for one, slack in zip(drawn, coarser, strict=True)]
        assert any(near), (time, drawn)


def test_disturbed_times_are_marked_and_not_found_fastest(tmp_path, texts):
    document = read_json(H200 / "quick.json.gz")
    calm = plots("plots.summary", H200 / "quick.json.gz", "figure.png").stdout
    (fastest,) = re.findall(r"fastest hermitian of X: (\w+) on cuda", calm)
    assert "disturbed" not in calm
    for case in document["cases"]:
        for mode in ("cold", "hot"):
            if case[mode] and case["variant"] in (fastest, "cg"):
                case[mode]["launches"][0]["stop_reason"] = "disturbed"
        for step in case["training"]["launches"][0]["iterations"] if case["training"] else []:
            step["others"] = [{"id": 7, "name": "python3", "busy": 0.5}]
    write_json(tmp_path / "busy.json", document)
    said = plots("plots.summary", tmp_path / "busy.json", "figure.png").stdout
    assert fastest not in said and "fastest hermitian of X: " in said
    trainings = sum(bool(case["training"]) for case in document["cases"])
    assert f"medians and {trainings} of {trainings} trainings: measure again on an idle one" in said
    marked = [text for text in texts(tmp_path / "busy.json") if text.endswith(", disturbed")]
    assert len(marked) > 4
