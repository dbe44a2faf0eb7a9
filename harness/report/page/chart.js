// SPDX-License-Identifier: Apache-2.0
// Axes, scales, legends and the frame of a figure; figures.js draws with them.
'use strict';

const COLOURS = 8;

function scaleOf(domain, range, log = false) {
  const at = log ? Math.log10 : Number;
  const [low, high] = domain.map(at);
  const span = high - low || 1;
  return (value) => range[0] + ((at(value) - low) / span) * (range[1] - range[0]);
}

function linearTicks([low, high], count) {
  const raw = (high - low) / count || 1, size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((one) => one * size >= raw) * size;
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i)
    ticks.push(i * step);
  return ticks;
}

function logTicks([low, high], count) {
  const decades = Math.log10(high / low);
  const steps = decades < 0.8    ? [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8] :
      decades * 3 <= count * 1.6 ? [1, 2, 5] :
                                   [1];
  const every = Math.max(1, Math.ceil(decades / count)), ticks = [];
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); ++e)
    if (e % every === 0)
      for (const step of steps) {
        const tick = Number(`${step}e${e}`);
        if (tick >= low * 0.9999 && tick <= high * 1.0001) ticks.push(tick);
      }
  return ticks.length > 2 ? ticks : linearTicks([low, high], count);
}

// A domain with a little air around the values.
function domainOf(values, log = false, air = 0.06) {
  const finite = values.filter(Number.isFinite);
  let low = Math.min(...finite), high = Math.max(...finite);
  if (log) {
    const factor = Math.max((high / low) ** air, 1.04);
    return [low / factor, high * factor];
  }
  const more = (high - low || Math.abs(high) || 1) * air;
  return [low - more, high + more];
}

// "4.00 ms" is "4 ms" on an axis.
const shortTick = (text) => text.replace(/\.0+(?=\s)/, '');

// Axes in a drawing of `width`; x and y are {domain, log, label, format, ticks}. Returns its scales
// and layers.
function axes(width, height, x, y, margin = {}) {
  const m = {top: 22, right: 24, bottom: 40, left: 62, ...margin};
  const root = svg('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img'});
  const px = scaleOf(x.domain, [m.left, width - m.right], x.log),
        py = scaleOf(y.domain, [height - m.bottom, m.top], y.log);
  const room = Math.max(2, Math.floor((width - m.left - m.right) / 85));
  const xTicks = x.ticks ?? (x.log ? logTicks : linearTicks)(x.domain, room);
  const yTicks = y.ticks ?? (y.log ? logTicks : linearTicks)(y.domain, 5);
  for (const tick of yTicks)
    root.append(
        svg('line.grid', {x1: m.left, x2: width - m.right, y1: py(tick), y2: py(tick)}),
        svg('text', {x: m.left - 7, y: py(tick) + 4, 'text-anchor': 'end'},
            shortTick(y.format(tick))));
  let last = -Infinity;
  for (const tick of xTicks) {
    root.append(
        svg('line.axis',
            {x1: px(tick), x2: px(tick), y1: height - m.bottom, y2: height - m.bottom + 4}));
    if (px(tick) - last < 46) continue;
    last = px(tick);
    root.append(
        svg('text', {x: last, y: height - m.bottom + 17, 'text-anchor': 'middle'},
            shortTick(x.format(tick))));
  }
  root.append(
      svg('line.axis',
          {x1: m.left, x2: width - m.right, y1: height - m.bottom, y2: height - m.bottom}),
      svg('text', {x: (m.left + width - m.right) / 2, y: height - 5, 'text-anchor': 'middle'},
          x.label),
      svg('text', {x: 4, y: 12}, y.label ?? ''));
  return {
    root,
    px,
    py,
    left: m.left,
    right: width - m.right,
    top: m.top,
    bottom: height - m.bottom
  };
}

// A mark whose shape tells apart what its colour may not: circle, square, triangle, diamond.
function mark(x, y, index, title, size = 4.2) {
  const classes = `.mark.c${index % COLOURS}`, s = size;
  const shapes = [
    () => svg(`circle${classes}`, {cx: x, cy: y, r: s}),
    () => svg(`rect${classes}`, {x: x - s * 0.9, y: y - s * 0.9, width: s * 1.8, height: s * 1.8}),
    () =>
        svg(`path${classes}`,
            {d: `M${x} ${y - s * 1.2}L${x + s * 1.15} ${y + s * 0.85}H${x - s * 1.15}Z`}),
    () => svg(
        `path${classes}`,
        {d: `M${x} ${y - s * 1.3}L${x + s * 1.3} ${y}L${x} ${y + s * 1.3}L${x - s * 1.3} ${y}Z`}),
  ];
  const node = shapes[index % shapes.length]();
  if (title) node.append(svg('title', {}, title));
  return node;
}

function legend(names) {
  if (names.length < 2) return null;
  return el(
      'ul.legend', {},
      ...names.map(
          (name, i) =>
              el('li', {}, svg('svg', {viewBox: '0 0 12 12', 'aria-hidden': 'true'}, mark(6, 6, i)),
                 name)));
}

const line = (points) =>
    points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

// A title, a drawing that is redrawn for its width, and the numbers behind it as a table.
// options: id, title, note, controls, legend, draw(width) -> svg, columns and rows of the table.
function figure(options) {
  const place = el('div.drawing');
  let drawn = 0;
  const redraw = () => {
    const width = Math.max(300, Math.round(place.clientWidth || 600));
    if (width === drawn) return;
    drawn = width;
    const drawing = options.draw(width);
    drawing.setAttribute(
        'aria-label', `${options.title}. ${options.note ?? ''} The table below has its numbers.`);
    place.replaceChildren(drawing);
  };
  new ResizeObserver(redraw).observe(place);
  const save =
      el('button.picture', {
        type: 'button',
        'aria-label': `Download ${options.title} as SVG`,
        onclick: () => download(
            `${options.id}.svg`, 'image/svg+xml',
            pictureOf(place.firstChild, options.title, options.legend ?? []))
      },
         'SVG');
  const numbers = el('details', {}, el('summary', {}, `Numbers behind this figure`));
  numbers.addEventListener('toggle', () => {
    if (numbers.open && numbers.children.length === 1)
      numbers.append(new DataTable({
                       id: options.id,
                       title: options.title,
                       columns: options.columns.map((one) => ({...one, quiet: false})),
                       rows: options.rows
                     }).node);
  });
  return el(
      'figure', {}, save,
      el('figcaption', {}, options.title, options.note ? el('span.soft', {}, options.note) : ''),
      options.controls ?? '', legend(options.legend ?? []), place, numbers);
}

// A figure whose choices redraw it whole. make(redraw) returns a figure.
function changeable(make) {
  const holder = el('div');
  const redraw = () => holder.replaceChildren(make(redraw));
  redraw();
  return holder;
}
