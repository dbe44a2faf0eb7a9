// SPDX-License-Identifier: Apache-2.0
// Elements, numbers as text, the glossary, and the state that the address holds.
'use strict';

// el("td.number", {title: "x"}, "text", node...): an element with classes, attributes and children.
function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  return fill(document.createElement(tag), classes, attributes, children);
}

function svg(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  return fill(
      document.createElementNS('http://www.w3.org/2000/svg', tag), classes, attributes, children);
}

function fill(node, classes, attributes, children) {
  for (const name of classes) node.classList.add(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on'))
      node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(key, value === true ? '' : value);
  }
  node.append(
      ...children.flat().filter((child) => child !== null && child !== undefined && child !== ''));
  return node;
}

const known = (value) => value !== null && value !== undefined && !Number.isNaN(value);

// The metric of what was let through, and that of exact FP32: of a tuning or of its entry.
function besideExact(accuracy) {
  return `${accuracy.metric.toUpperCase()} ${
      digits(accuracy.test_metric, 5)} where exact FP32 has ${digits(accuracy.exact_metric, 5)}`;
}

function digits(value, count = 3) {
  if (!known(value)) return '';
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.floor(Math.log10(Math.abs(value)));
  if (size < -4 || size > 6) return value.toExponential(count - 1);
  return value.toFixed(Math.max(0, count - 1 - size));
}

function scaled(value, units) {
  if (!known(value)) return '';
  const [factor, unit] = units.find(([one]) => Math.abs(value) >= one) ?? units[units.length - 1];
  return `${digits(value / factor)} ${unit}`;
}

const seconds = (value) => scaled(value, [[1, 's'], [1e-3, 'ms'], [1e-6, '\u00b5s'], [1e-9, 'ns']]);
const rate = (value, what) =>
    scaled(value, [[1e12, `T${what}`], [1e9, `G${what}`], [1e6, `M${what}`], [1, what]]);
const bytes = (value) => scaled(value, [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'B']]);
const joules = (value) => scaled(value, [[1, 'J'], [1e-3, 'mJ'], [1e-6, '\u00b5J']]);
const percent = (value, places = 1) => (known(value) ? `${(value * 100).toFixed(places)} %` : '');
const effect = (ratio) =>
    (known(ratio) ? `${ratio >= 1 ? '+' : '\u2212'}${Math.abs((ratio - 1) * 100).toFixed(2)} %` :
                    '');
const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
const times = (value) => `${digits(value, value < 1.1 || value >= 10 ? 3 : 2)}\u00d7`;

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function groupBy(values, key) {
  const groups = new Map();
  for (const value of values) {
    const name = key(value);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(value);
  }
  return groups;
}

const distinct = (values) => [...new Set(values.filter(known))];

// docs/reference/glossary.md as [[words, meaning]], without its links.
const glossary =
    document.getElementById('glossary')
        .textContent.split('\n')
        .map((line) => line.match(/^\| (.+?) \| (.+) \|$/))
        .filter((match) => match && !['word', '---'].includes(match[1]))
        .map(
            ([
              , words, meaning
            ]) => [words, meaning.replace(/\s*\(\[[^\]]*\]\([^)]*\)\)/g, '').replace(/[`*]/g, '')]);

function meaningOf(word) {
  const found = glossary.find(
      ([words]) => words.split(', ').some((one) => one.toLowerCase() === word.toLowerCase()));
  return found ? found[1] : null;
}

// The reader's choices, by "place.key"; they are the address's part after "#".
const state = {
  values: new URLSearchParams(location.hash.slice(1)),
  get(place, key, otherwise = null) {
    return this.values.get(`${place}.${key}`) ?? otherwise;
  },
  set(place, key, value) {
    if (value === null || value === '')
      this.values.delete(`${place}.${key}`);
    else
      this.values.set(`${place}.${key}`, value);
    history.replaceState(null, '', `#${this.values}`);
  },
};

function download(name, type, text) {
  const link = el('a', {download: name, href: URL.createObjectURL(new Blob([text], {type}))});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// A choice among texts, or [value, text]. The address keeps it at `place`, [id, key], and the
// figure is drawn again.
function choice(label, options, chosen, place, redraw) {
  const items = options.map((one) => [one].flat())
                    .map(
                        ([value, text = value]) => el(
                            'option', {value, selected: String(value) === String(chosen)}, text));
  const onchange = (event) => {
    state.set(...place, event.target.value);
    redraw();
  };
  return el('label', {}, label, el('select', {onchange}, items));
}
