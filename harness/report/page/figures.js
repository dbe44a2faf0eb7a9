// SPDX-License-Identifier: Apache-2.0
// The figures of a report. Each takes rows of data.js and returns a node, or null where there is nothing to draw.
"use strict";

const MODE_ORDER = ["cold", "hot"];
const configValue = (row, key) => (key === "rank" ? row.rank : row.config[key]);
const asNumber = (value) => (known(value) && value !== "" && Number.isFinite(Number(value)) ? Number(value) : null);

// Parameters in which rows differ.
function varyingKeys(rows) {
  const keys = distinct(rows.flatMap((row) => Object.keys(row.config)));
  return keys.filter((key) => distinct(rows.map((row) => row.config[key])).length > 1);
}

// A file's folder where all files have one name, its name elsewhere.
function fileLabel(file, rows) {
  const names = distinct(rows.map((row) => row.file.split("/").pop()));
  return file.split("/").slice(names.length === 1 ? 0 : -1, names.length === 1 ? -1 : undefined).join("/").replace(/\.json$/, "") || file;
}

// The shortest name that tells each row from the others: variant, then what differs. `without` keys are left out.
function shortNames(rows, without = []) {
  const differs = (key) => distinct(rows.map((row) => row[key])).length > 1;
  const perVariant = new Map([...groupBy(rows, (row) => row.variant)].map(([name, group]) => [name, varyingKeys(group)]));
  return new Map(rows.map((row) => {
    const parts = [row.variant];
    for (const key of perVariant.get(row.variant)) if (!without.includes(key) && key in row.config) parts.push(`${key}=${row.config[key]}`);
    if (differs("backend")) parts.push(row.backend);
    if (differs("rank") && !without.includes("rank")) parts.push(`rank ${row.rank}`);
    if (differs("side") && row.side) parts.push(row.side);
    if (differs("file")) parts.push(fileLabel(row.file, rows));
    return [row, parts.join(" ")];
  }));
}

const groupName = (row) => [row.stage, row.data, row.side && `side ${row.side}`, row.backend, row.mode].filter(Boolean).join(" \u00b7 ");
const timed = (rows) => rows.filter((row) => row.median !== null && row.role !== "roof");

const timeColumns = [
  column("name", "case", (row) => row.label), column("median", "median", (row) => row.median, { text: (row) => seconds(row.median), number: true }),
  column("low", "from", (row) => row.interval?.[0], { text: (row) => seconds(row.interval?.[0]), number: true }),
  column("high", "to", (row) => row.interval?.[1], { text: (row) => seconds(row.interval?.[1]), number: true }),
  column("count", "samples", (row) => row.samples.length, { number: true }),
];

// Measured roofs of a device: the fastest copy, and the fastest batched product of each precision.
function roofsOf(rows, device) {
  const of = rows.filter((row) => row.deviceName === device && row.median !== null);
  const best = (list, key) => list.reduce((most, row) => (row[key] > (most?.[key] ?? 0) ? row : most), null);
  const copy = best(of.filter((row) => row.stage === "copy"), "bytes");
  const products = [...groupBy(of.filter((row) => row.stage === "gemm_batched"), (row) => row.config.precision ?? "fp32")]
    .map(([precision, group]) => ({ precision, row: best(group, "flops") })).filter((one) => one.row);
  return { bytes: copy?.bytes ?? null, products: products.sort((a, b) => b.row.flops - a.row.flops) };
}

function roofline(id, rows) {
  const points = timed(rows).filter((row) => row.flops > 0 && row.intensity > 0 && row.mode === (row.record.cold ? "cold" : "hot"));
  const devices = [...groupBy(points, (row) => row.deviceName)].filter(([device]) => {
    const roofs = roofsOf(rows, device);
    return roofs.bytes && roofs.products.length;
  }).sort((a, b) => b[1].length - a[1].length);
  if (devices.length === 0) return null;
  return changeable((redraw) => {
    const chosen = state.get(id, "device");
    const [device, own] = devices.find(([name]) => name === chosen) ?? devices[0];
    const controls = devices.length < 2 ? null : el("div.bar", {}, choice("Device", devices.map(([name]) => [name, name]), device, (value) => { state.set(id, "device", value); redraw(); }));
    return drawRoofline(id, rows, device, own, controls);
  });
}

function drawRoofline(id, rows, device, points, controls) {
  const roofs = roofsOf(rows, device), top = roofs.products[0].row.flops, ridge = top / roofs.bytes;
  const series = distinct(points.map((row) => row.stage)), names = shortNames(points);
  const files = distinct(points.map((row) => row.file));
  for (const row of points) row.label = `${row.stage} ${names.get(row)}`;
  const decade = (value, up) => 10 ** (up ? Math.ceil : Math.floor)(Math.log10(value));
  const x = { domain: [Math.min(decade(ridge / 300), decade(Math.min(...points.map((row) => row.intensity)))),
    Math.max(decade(ridge * 30, true), decade(Math.max(...points.map((row) => row.intensity)), true))], log: true, label: "FLOPs per compulsory byte", format: (v) => digits(v, 1) };
  const y = { domain: [Math.min(decade(top / 3e4), decade(Math.min(...points.map((row) => row.flops)))), Math.max(top * 2.2, 1.6 * Math.max(...points.map((row) => row.flops)))], log: true, label: "useful FLOP/s", format: (v) => rate(v, "").trim() };
  return figure({ id: `${id}.roofline`, title: "Roofline", controls, legend: series,
    note: `${points[0].deviceName}: roofs as measured in this run. ${files.length === 2 ? `Arrows lead from ${files[0]} to ${files[1]}.` : ""}`,
    columns: [...timeColumns, column("intensity", "FLOPs per byte", (row) => row.intensity, { number: true, text: (row) => digits(row.intensity) }),
      column("flops", "FLOP/s", (row) => row.flops, { number: true, text: (row) => rate(row.flops, "FLOP/s") })], rows: points,
    draw: (width) => {
      const a = axes(width, 360, x, y, { left: 52 });
      const end = (flops) => line([[a.px(x.domain[0]), a.py(x.domain[0] * roofs.bytes)], [a.px(flops / roofs.bytes), a.py(flops)], [a.right, a.py(flops)]].map(([px, py]) => [px, Math.min(py, a.bottom)]));
      const start = Math.max(x.domain[0], y.domain[0] / roofs.bytes);
      a.root.append(svg("path.roof", { d: line([[a.px(start), a.py(start * roofs.bytes)], [a.px(ridge), a.py(top)]]) }));
      a.root.append(svg("text", { x: a.px(Math.sqrt(start * ridge)) - 8, y: a.py(Math.sqrt(start * ridge) * roofs.bytes) - 12, "text-anchor": "end" }, `copy ${rate(roofs.bytes, "B/s")}`));
      let above = -Infinity;
      for (const { precision, row } of roofs.products) {
        const py = a.py(row.flops);
        a.root.append(svg("path.roof", { d: line([[a.px(row.flops / roofs.bytes), py], [a.right, py]]) }));
        if (py - above > 13) a.root.append(svg("text", { x: a.px(row.flops / roofs.bytes) + 10, y: py + 14 }, `GEMM ${precision} ${rate(row.flops, "FLOP/s")}`));
        above = py;
      }
      if (files.length === 2) drawMoves(a, points, files);
      for (const row of points) a.root.append(mark(a.px(row.intensity), a.py(row.flops), series.indexOf(row.stage), `${row.label}\n${rate(row.flops, "FLOP/s")}, ${seconds(row.median)}`));
      return a.root;
    } });
}

// From a case of the first file to the same of the second.
function drawMoves(a, points, files) {
  const after = new Map(points.filter((row) => row.file === files[1]).map((row) => [`${row.name} ${row.mode}`, row]));
  a.root.append(svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 6 6", refX: 6, refY: 3, markerWidth: 6, markerHeight: 6, orient: "auto" },
    svg("path.mark.plain", { d: "M0 0L6 3L0 6Z" }))));
  for (const row of points.filter((one) => one.file === files[0])) {
    const next = after.get(`${row.name} ${row.mode}`);
    if (next) a.root.append(svg("path.curve.plain.thin", { d: line([[a.px(row.intensity), a.py(row.flops)], [a.px(next.intensity), a.py(next.flops)]]), "marker-end": "url(#arrow)" }));
  }
}

// A label in lines of at most so many characters.
function wrapped(label, most) {
  const lines = [""];
  for (const word of label.split(" ")) {
    const longer = `${lines[lines.length - 1]} ${word}`.trim();
    if (longer.length <= most || !lines[lines.length - 1]) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

// Dots on a line a row; rows are {label, values, centre, interval, best}.
function stripsFigure(id, title, note, rows, controls, format = seconds) {
  const shown = rows.slice(0, 24), values = shown.flatMap((row) => row.values);
  const log = Math.max(...values) / Math.min(...values) > 4;
  const x = { domain: domainOf(values, log, 0.04), log, label: log ? "time, logarithmic" : "time", format };
  return figure({ id, title, note: `${note}${rows.length > shown.length ? ` The fastest ${shown.length} of ${rows.length}.` : ""}`, controls, columns: [
    column("name", "case", (row) => row.label), column("centre", "median", (row) => row.centre, { text: (row) => format(row.centre), number: true }),
    column("count", "values", (row) => row.values.length, { number: true }),
    column("values", "all", (row) => row.values.map((value) => value.toPrecision(6)).join(" "), { wide: true })], rows,
  draw: (width) => {
    const chars = Math.max(...shown.map((row) => row.label.length)), stacked = width < 560 || chars > 40;
    const lines = Math.max(...shown.map((row) => wrapped(row.label, Math.floor((width - 24) / 6.6)).length));
    const step = stacked ? 20 + 14 * lines : 22, left = stacked ? 8 : chars * 6.5 + 16;
    const a = axes(width, shown.length * step + 62, x, { domain: [0, 1], format: String, ticks: [] }, { left, top: 12, right: 24 });
    shown.forEach((row, i) => {
      const py = stacked ? 4 + (i + 1) * step : 12 + (i + 0.5) * step, best = row.best ? ".good" : ".c0";
      if (stacked) wrapped(row.label, Math.floor((width - 24) / 6.6)).reverse().forEach((part, k) => a.root.append(svg("text.ink", { x: 8, y: py - 9 - 14 * k }, part)));
      else a.root.append(svg("text.ink", { x: left - 8, y: py + 4, "text-anchor": "end" }, row.label));
      a.root.append(svg("line.grid", { x1: left, x2: a.right, y1: py, y2: py }));
      for (const value of row.values) a.root.append(svg(`circle.mark.faint${best}`, { cx: a.px(value), cy: py, r: 3.4 }));
      a.root.append(svg(`line.curve${best}`, { x1: a.px(row.centre), x2: a.px(row.centre), y1: py - 7, y2: py + 7 }, svg("title", {}, `${row.label}: ${format(row.centre)}`)));
    });
    return a.root;
  } });
}

// A choice among groups of rows; make(rows, controls) draws the chosen one.
function byGroup(id, rows, key, make) {
  const groups = [...groupBy(rows, key)].sort((a, b) => b[1].length - a[1].length);
  if (groups.length === 0) return null;
  return changeable((redraw) => {
    const wanted = state.get(id, "group");
    const [name, group] = groups.find(([one]) => one === wanted) ?? groups[0];
    const controls = groups.length < 2 ? [] : [choice("Of", groups.map(([one]) => [one, one]), name, (value) => { state.set(id, "group", value); redraw(); })];
    return make(group, controls, redraw, name);
  });
}

function strips(id, rows) {
  return byGroup(`${id}.strips`, timed(rows), (row) => `${groupName(row)}${row.rank ? ` \u00b7 rank ${row.rank}` : ""}`, (group, controls, _, name) => {
    const names = shortNames(group), sorted = [...group].sort((a, b) => a.median - b.median);
    const several = sorted.some((row) => row.launches.length > 1);
    return stripsFigure(`${id}.strips`, several ? "Launches" : "Samples", `${name}. A dot is ${several ? "the median of a launch" : "one sample"}, the bar their median.`,
      sorted.map((row, i) => ({ label: names.get(row), values: several ? row.launches : row.samples, centre: row.median, best: i === 0 })), el("div.bar", {}, controls));
  });
}

const axesOf = (rows, numeric) => ["rank", ...varyingKeys(rows)].filter((key) => {
  const values = distinct(rows.map((row) => configValue(row, key)));
  return values.length > 1 && (!numeric || (values.length > 2 && values.every((value) => asNumber(value) !== null)));
});

function overAxis(id, rows) {
  const usable = [...groupBy(timed(rows), groupName)].filter(([, group]) => axesOf(group, true).length).flatMap(([, group]) => group);
  return byGroup(`${id}.axis`, usable, groupName, (group, controls, redraw, name) => {
    const keys = axesOf(group, true), wanted = state.get(`${id}.axis`, "key"), key = keys.includes(wanted) ? wanted : keys[0];
    if (keys.length > 1) controls.push(choice("Over", keys.map((one) => [one, one]), key, (value) => { state.set(`${id}.axis`, "key", value); redraw(); }));
    return drawOverAxis(id, name, group.filter((row) => asNumber(configValue(row, key)) !== null), key, controls);
  });
}

function drawOverAxis(id, name, rows, key, controls) {
  const names = shortNames(rows, [key]);
  let series = [...groupBy(rows, (row) => names.get(row))].map(([label, group]) => ({ label, points: [...groupBy(group, (row) => asNumber(configValue(row, key)))]
    .map(([at, same]) => ({ at, row: same.reduce((best, row) => (row.median < best.median ? row : best)) })).sort((a, b) => a.at - b.at) }));
  const total = series.length;
  series = series.sort((a, b) => b.points.length - a.points.length || a.points[0].row.median - b.points[0].row.median).slice(0, COLOURS);
  const points = series.flatMap((one) => one.points), ats = points.map((point) => point.at);
  for (const row of rows) row.label = `${names.get(row)} ${key}=${configValue(row, key)}`;
  const logX = Math.min(...ats) > 0 && Math.max(...ats) / Math.min(...ats) >= 30, medians = points.map((point) => point.row.median);
  const logY = Math.max(...medians) / Math.min(...medians) > 5;
  return figure({ id: `${id}.axis`, title: `Time over ${key}`, note: `${name}${total > series.length ? `; ${series.length} of ${total} series` : ""}`, controls: el("div.bar", {}, controls),
    legend: series.map((one) => one.label), columns: [...timeColumns, column("at", key, (row) => asNumber(configValue(row, key)), { number: true })], rows,
    draw: (width) => {
      const a = axes(width, 300, { domain: domainOf(ats, logX, 0.04), log: logX, label: key, format: (v) => digits(v, Number.isInteger(v) ? String(v).length : 2), ticks: distinct(ats).length < 9 ? distinct(ats).sort((p, q) => p - q) : undefined },
        { domain: logY ? domainOf(medians, true) : [0, Math.max(...medians) * 1.08], log: logY, label: `median time${logY ? ", logarithmic" : ""}`, format: seconds });
      series.forEach((one, i) => {
        const places = one.points.map((point) => [a.px(point.at), a.py(point.row.median)]);
        a.root.append(svg(`path.curve.c${i % COLOURS}`, { d: line(places) }), ...places.map(([x, y], k) => mark(x, y, i, `${one.points[k].row.label}: ${seconds(one.points[k].row.median)}`, 3.6)));
      });
      return a.root;
    } });
}

function heatMap(id, rows) {
  const usable = [...groupBy(timed(rows), (row) => `${row.variant} \u00b7 ${groupName(row)}`)].filter(([, group]) => axesOf(group).length > 1).flatMap(([, group]) => group);
  return byGroup(`${id}.heat`, usable, (row) => `${row.variant} \u00b7 ${groupName(row)}`, (group, controls, redraw, name) => {
    const keys = axesOf(group), pick = (which, other) => { const key = state.get(`${id}.heat`, which); return keys.includes(key) && key !== other ? key : keys.find((one) => one !== other); };
    const down = pick("down"), across = pick("across", down);
    for (const [which, text, key] of [["down", "Down", down], ["across", "Across", across]])
      if (keys.length > 2) controls.push(choice(text, keys.map((one) => [one, one]), key, (value) => { state.set(`${id}.heat`, which, value); redraw(); }));
    return drawHeatMap(id, name, group, down, across, controls);
  });
}

function drawHeatMap(id, name, rows, down, across, controls) {
  const sorted = (key) => distinct(rows.map((row) => configValue(row, key))).sort(compareValues);
  const lines = sorted(down), columns = sorted(across);
  const cells = lines.flatMap((y, i) => columns.map((x, k) => {
    const found = rows.filter((row) => configValue(row, down) === y && configValue(row, across) === x);
    return { x, y, i, k, median: found.length ? Math.min(...found.map((row) => row.median)) : null };
  }));
  const best = Math.min(...cells.filter((cell) => cell.median !== null).map((cell) => cell.median));
  return figure({ id: `${id}.heat`, title: `Time by ${down} and ${across}`, note: `${name}. The fastest of each pair; darker is slower; the best is ${seconds(best)}.`, controls: el("div.bar", {}, controls),
    columns: [column("down", down, (cell) => cell.y), column("across", across, (cell) => cell.x), column("median", "median", (cell) => cell.median, { number: true, text: (cell) => seconds(cell.median) })], rows: cells,
    draw: (width) => {
      const left = Math.max(...lines.map((value) => String(value).length)) * 7 + 20, size = 30, w = (width - left - 6) / columns.length, root = svg("svg", { viewBox: `0 0 ${width} ${lines.length * size + 44}`, role: "img" });
      for (const cell of cells) {
        if (cell.median === null) continue;
        const shade = Math.min(0.62, Math.log(cell.median / best) / Math.log(4) * 0.62), x = left + cell.k * w, y = 24 + cell.i * size;
        root.append(svg("rect.heat", { x: x + 1, y: y + 1, width: w - 2, height: size - 2, rx: 3, "fill-opacity": 0.06 + shade }));
        if (w > 40) root.append(svg("text.ink", { x: x + w / 2, y: y + 19, "text-anchor": "middle" }, cell.median === best ? `${seconds(cell.median)} \u2605` : seconds(cell.median)));
      }
      lines.forEach((value, i) => root.append(svg("text", { x: left - 8, y: 43 + i * size, "text-anchor": "end" }, String(value))));
      columns.forEach((value, k) => root.append(svg("text", { x: left + (k + 0.5) * w, y: 16, "text-anchor": "middle" }, String(value))));
      root.append(svg("text", { x: left, y: lines.length * size + 40 }, `rows: ${down}; columns: ${across}`));
      return root;
    } });
}

function convergence(id, trainings) {
  const usable = trainings.filter((one) => one.curve.length > 1 && one.curve.some((point) => point.test !== null));
  return byGroup(`${id}.curve`, usable, (one) => [one.problem, one.deviceName].filter(Boolean).join(" \u00b7 "), (group, controls, redraw, name) => {
    const by = state.get(`${id}.curve`, "by", "seconds");
    controls.push(choice("Over", [["seconds", "seconds"], ["iteration", "iterations"]], by, (value) => { state.set(`${id}.curve`, "by", value); redraw(); }));
    const all = [...group].sort((a, b) => (a.toTarget ?? a.seconds) - (b.toTarget ?? b.seconds)), shown = all.slice(0, COLOURS);
    const points = shown.flatMap((one) => one.curve.filter((point) => point.test !== null).map((point) => ({ ...point, short: one.short })));
    const values = points.map((point) => point.test).sort((p, q) => p - q), target = shown[0].target;
    const top = Math.min(values[values.length - 1], values[0] + (median(values) - values[0]) * 6 || values[values.length - 1]);
    const xs = points.map((point) => point[by]), log = by === "seconds" && Math.max(...xs) / Math.min(...xs) > 40;
    return figure({ id: `${id}.curve`, title: `Convergence over ${by === "seconds" ? "seconds" : "iterations"}`, note: `${name}; ${(shown[0].metric ?? "test metric").replace("_", " ").toUpperCase().replace("TEST", "test")} after each iteration${all.length > shown.length ? `; ${shown.length} of ${all.length} trainings` : ""}`,
      controls: el("div.bar", {}, controls), legend: shown.map((one) => one.short), rows: points,
      columns: [column("name", "training", (p) => p.short), column("iteration", "iteration", (p) => p.iteration, { number: true }), column("seconds", "seconds", (p) => p.seconds, { number: true, text: (p) => seconds(p.seconds) }),
        column("train", "train", (p) => p.train, { number: true, text: (p) => digits(p.train, 5) }), column("test", "test", (p) => p.test, { number: true, text: (p) => digits(p.test, 5) })],
      draw: (width) => {
        const a = axes(width, 300, { domain: domainOf(xs, log, 0.03), log, label: by === "seconds" ? "seconds of training" : "iteration", format: by === "seconds" ? seconds : (v) => String(v) }, { domain: domainOf([values[0], top, target ?? top]), label: shown[0].metric?.replace("_", " "), format: (v) => digits(v, 4) });
        if (target !== null) a.root.append(svg("line.roof", { x1: a.left, x2: a.right, y1: a.py(target), y2: a.py(target), "stroke-dasharray": "5 4" }), svg("text", { x: a.right, y: a.py(target) - 5, "text-anchor": "end" }, `target ${digits(target, 4)}`));
        shown.forEach((one, i) => {
          const inside = one.curve.filter((point) => point.test !== null && a.py(point.test) >= a.top - 8);
          a.root.append(svg(`path.curve.c${i}`, { d: line(inside.map((p) => [a.px(p[by]), a.py(p.test)])) }), ...inside.map((p) => mark(a.px(p[by]), a.py(p.test), i, `${one.short}, iteration ${p.iteration}: ${digits(p.test, 5)} after ${seconds(p.seconds)}`, 3)));
        });
        return a.root;
      } });
  });
}
