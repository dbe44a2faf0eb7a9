// SPDX-License-Identifier: Apache-2.0
// Figures over parameters: time over one of them, a heat map over two, and convergence.
'use strict';

const axesOf = (rows, numeric) => ['rank', ...varyingKeys(rows)].filter((key) => {
  const values = distinct(rows.map((row) => configValue(row, key)));
  return values.length > 1 &&
      (!numeric || (values.length > 2 && values.every((value) => asNumber(value) !== null)));
});

function overAxis(id, rows) {
  const usable = [...groupBy(timed(rows), groupName)]
                     .filter(([, group]) => axesOf(group, true).length)
                     .flatMap(([, group]) => group);
  return byGroup(`${id}.axis`, usable, groupName, (group, controls, redraw, name) => {
    const keys = axesOf(group, true), wanted = state.get(`${id}.axis`, 'key'),
          key = keys.includes(wanted) ? wanted : keys[0];
    if (keys.length > 1) controls.push(choice('Over', keys, key, [`${id}.axis`, 'key'], redraw));
    return drawOverAxis(
        id, name, group.filter((row) => asNumber(configValue(row, key)) !== null), key, controls);
  });
}

function drawOverAxis(id, name, rows, key, controls) {
  const names = shortNames(rows, [key]);
  let series = [...groupBy(rows, (row) => names.get(row))].map(
      ([label, group]) => ({
        label,
        points: [...groupBy(group, (row) => asNumber(configValue(row, key)))]
                    .map(([at, same]) => ({at, row: least(same, (row) => row.median)}))
                    .sort((a, b) => a.at - b.at)
      }));
  const total = series.length;
  series = series
               .sort(
                   (a, b) => b.points.length - a.points.length ||
                       a.points[0].row.median - b.points[0].row.median)
               .slice(0, COLOURS);
  const points = series.flatMap((one) => one.points), ats = points.map((point) => point.at);
  for (const row of rows) row.label = `${names.get(row)} ${key}=${configValue(row, key)}`;
  const logX = Math.min(...ats) > 0 && Math.max(...ats) / Math.min(...ats) >= 30,
        medians = points.map((point) => point.row.median);
  const logY = Math.max(...medians) / Math.min(...medians) > 5;
  return figure({
    id: `${id}.axis`,
    title: `Time over ${key}`,
    note: `${name}${total > series.length ? `; ${series.length} of ${total} series` : ''}`,
    controls: el('div.bar', {}, controls),
    legend: series.map((one) => one.label),
    columns: [
      ...timeColumns, numeric('at', key, text, {value: (row) => asNumber(configValue(row, key))})
    ],
    rows,
    draw: (width) => {
      const a = axes(
          width, 300, {
            domain: domainOf(ats, logX, 0.04),
            log: logX,
            label: key,
            format: (v) => digits(v, Number.isInteger(v) ? String(v).length : 2),
            ticks: distinct(ats).length < 9 ? distinct(ats).sort((p, q) => p - q) : undefined
          },
          {
            domain: logY ? domainOf(medians, true) : [0, Math.max(...medians) * 1.08],
            log: logY,
            label: `median time${logY ? ', logarithmic' : ''}`,
            format: seconds
          });
      series.forEach((one, i) => {
        const places = one.points.map((point) => [a.px(point.at), a.py(point.row.median)]);
        a.root.append(
            svg(`path.curve.c${i % COLOURS}`, {d: line(places)}),
            ...places.map(
                ([x, y], k) => mark(
                    x, y, i, `${one.points[k].row.label}: ${seconds(one.points[k].row.median)}`,
                    3.6)));
      });
      return a.root;
    }
  });
}

function heatMap(id, rows) {
  const usable = [...groupBy(timed(rows), (row) => `${row.variant} \u00b7 ${groupName(row)}`)]
                     .filter(([, group]) => axesOf(group).length > 1)
                     .flatMap(([, group]) => group);
  return byGroup(
      `${id}.heat`, usable, (row) => `${row.variant} \u00b7 ${groupName(row)}`,
      (group, controls, redraw, name) => {
        const keys = axesOf(group), pick = (which, other) => {
          const key = state.get(`${id}.heat`, which);
          return keys.includes(key) && key !== other ? key : keys.find((one) => one !== other);
        };
        const down = pick('down'), across = pick('across', down);
        for (const [which, text, key] of [['down', 'Down', down], ['across', 'Across', across]])
          if (keys.length > 2)
            controls.push(choice(text, keys, key, [`${id}.heat`, which], redraw));
        return drawHeatMap(id, name, group, down, across, controls);
      });
}

function drawHeatMap(id, name, rows, down, across, controls) {
  const sorted = (key) => distinct(rows.map((row) => configValue(row, key))).sort(compareValues);
  const lines = sorted(down), columns = sorted(across);
  const cells = lines.flatMap((y, i) => columns.map((x, k) => {
    const found =
        rows.filter((row) => configValue(row, down) === y && configValue(row, across) === x);
    return {x, y, i, k, median: found.length ? Math.min(...found.map((row) => row.median)) : null};
  }));
  const best = Math.min(...cells.filter((cell) => cell.median !== null).map((cell) => cell.median));
  return figure({
    id: `${id}.heat`,
    title: `Time by ${down} and ${across}`,
    note: `${name}. The fastest of each pair; darker is slower; the best is ${seconds(best)}.`,
    controls: el('div.bar', {}, controls),
    columns: [
      column('down', down, {value: (cell) => cell.y}),
      column('across', across, {value: (cell) => cell.x}), numeric('median', 'median', seconds)
    ],
    rows: cells,
    draw: (width) => {
      const left = Math.max(...lines.map((value) => String(value).length)) * 7 + 20, size = 30,
            w = (width - left - 6) / columns.length,
            root = svg('svg', {viewBox: `0 0 ${width} ${lines.length * size + 44}`, role: 'img'});
      for (const cell of cells) {
        if (cell.median === null) continue;
        const shade = Math.min(0.62, Math.log(cell.median / best) / Math.log(4) * 0.62),
              x = left + cell.k * w, y = 24 + cell.i * size;
        root.append(svg('rect.heat', {
          x: x + 1,
          y: y + 1,
          width: w - 2,
          height: size - 2,
          rx: 3,
          'fill-opacity': 0.06 + shade
        }));
        if (w > 40)
          root.append(
              svg('text.ink', {x: x + w / 2, y: y + 19, 'text-anchor': 'middle'},
                  cell.median === best ? `${seconds(cell.median)} \u2605` : seconds(cell.median)));
      }
      lines.forEach(
          (value, i) => root.append(
              svg('text', {x: left - 8, y: 43 + i * size, 'text-anchor': 'end'}, String(value))));
      columns.forEach(
          (value, k) => root.append(svg(
              'text', {x: left + (k + 0.5) * w, y: 16, 'text-anchor': 'middle'}, String(value))));
      root.append(
          svg('text', {x: left, y: lines.length * size + 40}, `rows: ${down}; columns: ${across}`));
      return root;
    }
  });
}

// Where a line from one place to another has the height y.
const crossing = ([x0, y0], [x1, y1], y) => [x0 + (x1 - x0) * (y - y0) / (y1 - y0), y];

// As many as there are colours, the fastest; the exact one, which others are held against, is among
// them.
function drawn(trainings) {
  const exact = trainings.find(isExact), first = trainings.slice(0, COLOURS);
  return !exact || first.includes(exact) ? first : [...first.slice(0, -1), exact];
}

function convergence(id, trainings) {
  const usable = trainings.filter(
      (one) => one.curve.length > 1 && one.curve.some((point) => point.test !== null));
  const metrics = distinct(usable.map((one) => one.metric));
  return byGroup(
      `${id}.curve`, usable,
      (one) => [one.problem, one.deviceName, metrics.length > 1 && one.metric?.replace('_', ' ')]
                   .filter(Boolean)
                   .join(' \u00b7 '),
      (group, controls, redraw, name) => {
        const by = state.get(`${id}.curve`, 'by', 'seconds');
        controls.push(choice(
            'Over', ['seconds', ['iteration', 'iterations']], by, [`${id}.curve`, 'by'], redraw));
        const all =
                  [...group].sort((a, b) => (a.toTarget ?? a.seconds) - (b.toTarget ?? b.seconds)),
              shown = drawn(all);
        const points = shown.flatMap(
            (one) => one.curve.filter((point) => point.test !== null)
                         .map((point) => ({...point, short: one.short})));
        const values = points.map((point) => point.test).sort((p, q) => p - q),
              target = shown[0].target;
        const top = Math.min(
            values[values.length - 1],
            values[0] + (median(values) - values[0]) * 6 || values[values.length - 1]);
        const xs = points.map((point) => point[by]),
              log = by === 'seconds' && Math.max(...xs) / Math.min(...xs) > 40;
        return figure({
          id: `${id}.curve`,
          title: `Convergence over ${by === 'seconds' ? 'seconds' : 'iterations'}`,
          note: `${name}; ${
              (shown[0].metric ?? 'test metric')
                  .replace('_', ' ')
                  .toUpperCase()
                  .replace('TEST', 'test')} after each iteration${
              all.length > shown.length ? `; ${shown.length} of ${all.length} trainings` : ''}`,
          controls: el('div.bar', {}, controls),
          legend: shown.map(
              (one) => `${one.short}, ${seconds(one.perIteration)} an iteration${
                  one.disturbed ? ' (disturbed)' : ''}`),
          rows: points,
          columns: [
            column('name', 'training', {value: (p) => p.short}),
            numeric('iteration', 'iteration', text), numeric('seconds', 'seconds', seconds),
            numeric('train', 'train', (v) => digits(v, 5)),
            numeric('test', 'test', (v) => digits(v, 5))
          ],
          draw: (width) => {
            const a = axes(
                width, 300, {
                  domain: domainOf(xs, log, 0.03),
                  log,
                  label: by === 'seconds' ? 'seconds of training' : 'iteration',
                  format: by === 'seconds' ? seconds : (v) => String(v)
                },
                {
                  domain: domainOf([values[0], top, target ?? top]),
                  label: shown[0].metric?.replace('_', ' '),
                  format: (v) => digits(v, 4)
                });
            if (target !== null)
              a.root.append(
                  svg('line.ceiling', {
                    x1: a.left,
                    x2: a.right,
                    y1: a.py(target),
                    y2: a.py(target),
                    'stroke-dasharray': '5 4'
                  }),
                  svg('text', {x: a.right, y: a.py(target) - 5, 'text-anchor': 'end'},
                      `target ${digits(target, 4)}`));
            shown.forEach((one, i) => {
              const curve = one.curve.filter((point) => point.test !== null),
                    place = (p) => [a.px(p[by]), a.py(p.test)],
                    inside = curve.filter((point) => a.py(point.test) >= a.top - 8),
                    before = curve[curve.indexOf(inside[0]) - 1];
              a.root.append(
                  svg(`path.curve.c${i}`, {
                    d: line([
                      ...(before ? [crossing(place(before), place(inside[0]), a.top - 8)] : []),
                      ...inside.map(place)
                    ])
                  }),
                  ...inside.map(
                      (p) => mark(
                          a.px(p[by]), a.py(p.test), i,
                          `${one.short}, iteration ${p.iteration}: ${digits(p.test, 5)} after ${
                              seconds(p.seconds)}`,
                          3)));
            });
            return a.root;
          }
        });
      });
}
