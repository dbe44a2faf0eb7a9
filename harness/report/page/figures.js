// SPDX-License-Identifier: Apache-2.0
// The roofline and the strips of launches, and how figures name cases. A figure takes rows of
// data.js and returns a node, or null where there is nothing to draw.
'use strict';

const configValue = (row, key) => (key === 'rank' ? row.rank : row.config[key]);
const asNumber = (value) =>
    (known(value) && value !== '' && Number.isFinite(Number(value)) ? Number(value) : null);

// Parameters in which rows differ.
function varyingKeys(rows) {
  const keys = distinct(rows.flatMap((row) => Object.keys(row.config)));
  return keys.filter((key) => distinct(rows.map((row) => row.config[key])).length > 1);
}

// A file's folder where all files have one name, its name elsewhere.
function fileLabel(file, rows) {
  const names = distinct(rows.map((row) => row.file.split('/').pop()));
  return file.split('/')
             .slice(names.length === 1 ? 0 : -1, names.length === 1 ? -1 : undefined)
             .join('/')
             .replace(/\.json(\.gz)?$/, '') ||
      file;
}

// The shortest name that tells each row from the others: variant, then what differs. `without` keys
// are left out.
function shortNames(rows, without = []) {
  const differs = (key) => distinct(rows.map((row) => row[key])).length > 1;
  const perVariant = new Map(
      [...groupBy(rows, (row) => row.variant)].map(([name, group]) => [name, varyingKeys(group)]));
  return new Map(rows.map((row) => {
    const parts = [row.variant];
    for (const key of perVariant.get(row.variant))
      if (!without.includes(key) && key in row.config) parts.push(`${key}=${row.config[key]}`);
    if (differs('backend')) parts.push(row.backend);
    if (differs('rank') && !without.includes('rank')) parts.push(`rank ${row.rank}`);
    if (differs('part') && row.part) parts.push(row.part);
    if (differs('file')) parts.push(fileLabel(row.file, rows));
    return [row, parts.join(' ')];
  }));
}

const groupName =
    (row) => [row.stage, row.data, row.part && `part ${row.part}`, row.backend, row.mode]
                 .filter(Boolean)
                 .join(' \u00b7 ');
const timed = (rows) => rows.filter((row) => row.median !== null && row.role !== 'ceiling');

const timeColumns = [
  column('name', 'case', {value: (row) => row.label, lead: true}),
  numeric('median', 'median', seconds),
  numeric('low', 'from', seconds, {value: (row) => row.interval?.[0]}),
  numeric('high', 'to', seconds, {value: (row) => row.interval?.[1]}),
  numeric('count', 'samples', text, {value: (row) => row.samples.length})
];

// Measured limits of a device: the fastest copy or read, and the fastest products: ceilings of
// arithmetic by type, or, in a file without them, comparisons.
function ceilingsOf(rows, device) {
  const of =
      rows.filter((row) => row.deviceName === device && row.median !== null && !row.disturbed);
  const best = (list, key) =>
      list.reduce((most, row) => (row[key] > (most?.[key] ?? 0) ? row : most), null);
  const memory = best(of.filter((row) => ['copy', 'read'].includes(row.stage)), 'bytes');
  const fastest = (stages) => [...groupBy(
                                   of.filter((row) => stages.includes(row.stage)),
                                   (row) => `${row.stage} ${row.config.precision ?? ''}`.trim())]
                                  .map(([name, group]) => ({name, row: best(group, 'flops')}))
                                  .filter((one) => one.row)
                                  .sort((a, b) => b.row.flops - a.row.flops);
  const ceilings = fastest(['fma', 'mma']);
  return {
    bytes: memory?.bytes ?? null,
    measured: ceilings.length > 0,
    products: ceilings.length > 0 ? ceilings : fastest(['gemm_batched'])
  };
}

function roofline(id, rows) {
  const points = timed(rows).filter(
      (row) =>
          row.flops > 0 && row.intensity > 0 && row.mode === (row.record.cold ? 'cold' : 'hot'));
  const usable = points.filter((row) => {
    const ceilings = ceilingsOf(rows, row.deviceName);
    return ceilings.bytes && ceilings.products.length;
  });
  return byGroup(
      id, usable, (row) => row.deviceName,
      (own, controls, _, device) =>
          drawRoofline(id, rows, device, own, controls.length ? el('div.bar', {}, controls) : null),
      'Device', 'device');
}

function drawRoofline(id, rows, device, points, controls) {
  const ceilings = ceilingsOf(rows, device), top = ceilings.products[0].row.flops,
        ridge = top / ceilings.bytes;
  const series = distinct(points.map((row) => row.stage)), names = shortNames(points);
  const files = distinct(points.map((row) => row.file));
  for (const row of points) row.label = `${row.stage} ${names.get(row)}`;
  const decade = (value, up) => 10 ** (up ? Math.ceil : Math.floor)(Math.log10(value));
  const x = {
    domain: [
      Math.min(decade(ridge / 300), decade(Math.min(...points.map((row) => row.intensity)))),
      Math.max(
          decade(ridge * 30, true), decade(Math.max(...points.map((row) => row.intensity)), true))
    ],
    log: true,
    label: 'FLOPs per compulsory byte',
    format: (v) => digits(v, 1)
  };
  const y = {
    domain: [
      Math.min(decade(top / 3e3), decade(Math.min(...points.map((row) => row.flops)))),
      Math.max(top * 2.2, 1.6 * Math.max(...points.map((row) => row.flops)))
    ],
    log: true,
    label: 'useful FLOP/s',
    format: (v) => rate(v, '').trim()
  };
  return figure({
    id: `${id}.roofline`,
    title: 'Roofline',
    controls,
    legend: series,
    note: `${points[0].deviceName}: ${
        ceilings.measured ?
            'ceilings as measured in this run.' :
            'ceilings of arithmetic were not measured; batched GEMM, which variants may pass, stands in their place.'} ${
        files.length === 2 ? `Arrows lead from ${files[0]}, hollow, to ${files[1]}, filled.` : ''}`,
    columns: [
      timeColumns[0], numeric('intensity', 'FLOPs per byte', digits),
      numeric('flops', 'FLOP/s', (v) => rate(v, 'FLOP/s')), ...timeColumns.slice(1)
    ],
    rows: points,
    draw: (width) => {
      const a = axes(width, 360, x, y, {left: 52});
      const end = (flops) => line([
        [a.px(x.domain[0]), a.py(x.domain[0] * ceilings.bytes)],
        [a.px(flops / ceilings.bytes), a.py(flops)], [a.right, a.py(flops)]
      ].map(([px, py]) => [px, Math.min(py, a.bottom)]));
      const start = Math.max(x.domain[0], y.domain[0] / ceilings.bytes);
      a.root.append(
          svg('path.ceiling',
              {d: line([[a.px(start), a.py(start * ceilings.bytes)], [a.px(ridge), a.py(top)]])}));
      a.root.append(
          svg('text.label', {
            x: a.px(Math.sqrt(start * ridge)) - 8,
            y: a.py(Math.sqrt(start * ridge) * ceilings.bytes) - 12,
            'text-anchor': 'end'
          },
              `copy ${rate(ceilings.bytes, 'B/s')}`));
      let above = -Infinity;
      for (const {name: product, row} of ceilings.products) {
        const py = a.py(row.flops);
        a.root.append(svg(
            'path.ceiling', {d: line([[a.px(row.flops / ceilings.bytes), py], [a.right, py]])}));
        if (py - above > 13)
          a.root.append(
              svg('text.label', {x: a.right, y: py - 5, 'text-anchor': 'end'},
                  `${product} ${rate(row.flops, 'FLOP/s')}`));
        above = py;
      }
      if (files.length === 2)
        drawMoves(a, `arrow-${id.replace(/[^A-Za-z0-9]+/g, '-')}`, points, files);
      for (const row of points) {
        const one = mark(
            a.px(row.intensity), a.py(row.flops), series.indexOf(row.stage),
            `${row.label}\n${rate(row.flops, 'FLOP/s')}, ${seconds(row.median)}`);
        if (files.length === 2 && row.file === files[0]) one.classList.add('hollow');
        a.root.append(one);
      }
      return a.root;
    }
  });
}

const RIM = 6;  // from the middle of a mark to the end of an arrow

// From a case of the first file to the same of the second; `name` is that of the arrow's head. A
// case that hardly moved has none: its marks lie on each other.
function drawMoves(a, name, points, files) {
  const place = (row) => [a.px(row.intensity), a.py(row.flops)];
  const after = new Map(
      points.filter((row) => row.file === files[1]).map((row) => [`${row.name} ${row.mode}`, row]));
  a.root.append(
      svg('defs', {},
          svg('marker', {
            id: name,
            viewBox: '0 0 6 6',
            refX: 5,
            refY: 3,
            markerWidth: 5,
            markerHeight: 5,
            orient: 'auto'
          },
              svg('path.mark.move', {d: 'M0 0L6 3L0 6Z'}))));
  for (const row of points.filter((one) => one.file === files[0])) {
    const next = after.get(`${row.name} ${row.mode}`);
    if (!next) continue;
    const [x, y] = place(row), [toX, toY] = place(next), length = Math.hypot(toX - x, toY - y);
    if (length < 2 * RIM + 4) continue;
    const [dx, dy] = [(toX - x) / length * RIM, (toY - y) / length * RIM];
    a.root.append(
        svg('path.curve.move',
            {d: line([[x + dx, y + dy], [toX - dx, toY - dy]]), 'marker-end': `url(#${name})`}));
  }
}

// A label in lines of at most so many characters.
function wrapped(label, most) {
  const lines = [''];
  for (const word of label.split(' ')) {
    const longer = `${lines[lines.length - 1]} ${word}`.trim();
    if (longer.length <= most || !lines[lines.length - 1])
      lines[lines.length - 1] = longer;
    else
      lines.push(word);
  }
  return lines;
}

// Dots on a line a row; rows are {label, values, centre, interval, best}.
function stripsFigure(id, title, note, rows, controls, format = seconds) {
  const shown = rows.slice(0, 24), values = shown.flatMap((row) => row.values);
  const log = Math.max(...values) / Math.min(...values) > 4;
  const x =
      {domain: domainOf(values, log, 0.04), log, label: log ? 'time, logarithmic' : 'time', format};
  return figure({
    id,
    title,
    note: `${note}${
        rows.length > shown.length ? ` The fastest ${shown.length} of ${rows.length}.` : ''}`,
    controls,
    columns: [
      column('name', 'case', {value: (row) => row.label, lead: true}),
      numeric('centre', 'median', format),
      numeric('count', 'values', text, {value: (row) => row.values.length}),
      column(
          'values', 'all',
          {value: (row) => row.values.map((value) => value.toPrecision(6)).join(' '), wide: true})
    ],
    rows,
    draw: (width) => {
      const chars = Math.max(...shown.map((row) => row.label.length)),
            stacked = width < 560 || chars > 40;
      const lines = Math.max(
          ...shown.map((row) => wrapped(row.label, Math.floor((width - 24) / 6.6)).length));
      const step = stacked ? 20 + 14 * lines : 22, left = stacked ? 8 : chars * 6.5 + 16;
      const a = axes(
          width, shown.length * step + 62, x, {domain: [0, 1], format: String, ticks: []},
          {left, top: 12, right: 24});
      shown.forEach((row, i) => {
        const py = stacked ? 4 + (i + 1) * step : 12 + (i + 0.5) * step,
              best = row.best ? '.good' : '.c0';
        if (stacked)
          wrapped(row.label, Math.floor((width - 24) / 6.6))
              .reverse()
              .forEach(
                  (part, k) => a.root.append(svg('text.ink', {x: 8, y: py - 9 - 14 * k}, part)));
        else
          a.root.append(svg('text.ink', {x: left - 8, y: py + 4, 'text-anchor': 'end'}, row.label));
        a.root.append(svg('line.grid', {x1: left, x2: a.right, y1: py, y2: py}));
        for (const value of row.values)
          a.root.append(svg(`circle.mark.faint${best}`, {cx: a.px(value), cy: py, r: 3.4}));
        a.root.append(
            svg(`line.curve${best}`,
                {x1: a.px(row.centre), x2: a.px(row.centre), y1: py - 7, y2: py + 7},
                svg('title', {}, `${row.label}: ${format(row.centre)}`)));
      });
      return a.root;
    }
  });
}

// A choice among groups of rows; make(rows, controls) draws the chosen one. The address keeps it as
// `kept`.
function byGroup(id, rows, key, make, label = 'Of', kept = 'group') {
  const groups = [...groupBy(rows, key)].sort((a, b) => b[1].length - a[1].length);
  if (groups.length === 0) return null;
  return changeable((redraw) => {
    const wanted = state.get(id, kept), names = groups.map(([one]) => one);
    const [name, group] = groups.find(([one]) => one === wanted) ?? groups[0];
    const controls = groups.length < 2 ? [] : [choice(label, names, name, [id, kept], redraw)];
    return make(group, controls, redraw, name);
  });
}

function strips(id, rows) {
  return byGroup(
      `${id}.strips`, timed(rows),
      (row) => `${groupName(row)}${row.rank ? ` \u00b7 rank ${row.rank}` : ''}`,
      (group, controls, _, name) => {
        const names = shortNames(group), sorted = [...group].sort((a, b) => a.median - b.median);
        const several = sorted.some((row) => row.launches.length > 1),
              best = sorted.find((row) => !row.disturbed);
        return stripsFigure(
            `${id}.strips`, several ? 'Launches' : 'Samples',
            `${name}. A dot is ${
                several ? 'the median of a launch' : 'one sample'}, the bar their median.`,
            sorted.map((row) => ({
                         label: `${names.get(row)}${row.disturbed ? ' (disturbed)' : ''}`,
                         values: several ? row.launches : row.samples,
                         centre: row.median,
                         best: row === best
                       })),
            el('div.bar', {}, controls));
      });
}
