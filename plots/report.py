# SPDX-License-Identifier: Apache-2.0
"""One self-contained HTML page: for each result file its suite, figure, cases and provenance."""

import base64
import html
import io

from plots import figures, results, style

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; font-size: 13px; margin: 1em 0 }
th, td { border-bottom: 1px solid #ddd; padding: .25em .7em; text-align: left; vertical-align: top }
td.number { text-align: right; font-variant-numeric: tabular-nums }
tr.failed td { background: #fbe3d6 }
tr.skipped td { color: #777 }
img { max-width: 100% }
.scroll { overflow-x: auto }
"""


def html_of(documents):
    """The page for [(path, document)]; every text of a document is escaped."""
    title = "alsbench: " + ", ".join(results.suite_name(document) for _, document in documents)
    body = "".join(section(path, document) for path, document in documents)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{STYLE}</style></head><body><h1>{html.escape(title)}</h1>{body}</body></html>\n"
    )


def section(path, document):
    description = document["suite"].get("description") or ""
    return (
        f"<h2>{html.escape(results.suite_name(document))}</h2><p>{html.escape(description)}</p>"
        f"{figure_html(document)}<h3>Cases</h3>{cases_html(document)}"
        f"<h3>Provenance</h3>{provenance_html(path, document)}"
    )


def figure_html(document):
    try:
        figure = figures.figure_of(document)
    except figures.NothingToDraw as reason:
        return f"<p>No figure: {html.escape(str(reason))}.</p>"
    image = io.BytesIO()
    style.save(figure, image)
    data = base64.b64encode(image.getvalue()).decode("ascii")
    return f'<img alt="{html.escape(results.suite_name(document))}" src="data:image/png;base64,{data}">'


COLUMNS = [
    "case",
    "outcome",
    "mode",
    "median ms",
    "q1",
    "q3",
    "samples",
    "GFLOP/s",
    "GB/s",
    "nearest roof",
    "registers",
    "note",
]


def cases_html(document):
    rows = [row for case in document["cases"] for row in case_rows(case)]
    head = "".join(f"<th>{name}</th>" for name in COLUMNS)
    return f'<div class="scroll"><table><tr>{head}</tr>{"".join(rows)}</table></div>'


def case_rows(case):
    modes = [mode for mode in results.MODES if results.block(case, mode)]
    if not modes or case["outcome"] != "ok":
        yield row_html(case, [case["name"], case["outcome"]] + [""] * 9 + [note(case)])
        return
    for mode in modes:
        statistics = results.block(case, mode)["statistics"]
        times = [f"{statistics[key] * 1e3:.4g}" for key in ("median_seconds", "q1_seconds", "q3_seconds")]
        share = results.share(case, mode)
        registers = case["kernels"][0]["registers"] if case["kernels"] else ""
        rates = [
            f"{results.rate(case, key, mode) / 1e9:.4g}" for key in ("flops_per_second", "compulsory_bytes_per_second")
        ]
        yield row_html(
            case,
            [
                case["name"],
                "ok",
                mode,
                *times,
                statistics["count"],
                *rates,
                f"{share[0]:.1%} of {share[1]}" if share else "",
                registers,
                note(case),
            ],
        )


def note(case):
    training = case["training"]
    if case["outcome"] == "ok" and training and training["iterations"]:
        last = training["iterations"][-1]
        return f"{len(training['iterations'])} iterations, test RMSE {last['test_rmse']}"
    return case["detail"] or ""


def row_html(case, cells):
    css = "" if case["outcome"] == "ok" else "skipped" if case["outcome"] == "skipped" else "failed"
    texts = [(str(cell), n) for n, cell in enumerate(cells)]
    columns = "".join(f"<td{' class=number' if 2 < n < 11 else ''}>{html.escape(text)}</td>" for text, n in texts)
    return f'<tr class="{css}">{columns}</tr>'


def provenance_html(path, document):
    rows = [("file", str(path)), ("devices", "; ".join(d["name"] for d in document["devices"]))]
    rows += flat(document["provenance"])
    cells = "".join(f"<tr><th>{html.escape(key)}</th><td>{html.escape(value)}</td></tr>" for key, value in rows)
    return f"<table>{cells}</table>"


def flat(value, prefix=""):
    """(a.b, text) of every leaf of a nested object."""
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in flat(inner, f"{prefix}.{key}" if prefix else key)]
    return [(prefix, " ".join(map(str, value)) if isinstance(value, list) else str(value))]
