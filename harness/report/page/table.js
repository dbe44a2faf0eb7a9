// SPDX-License-Identifier: Apache-2.0
// A table that sorts, filters, hides columns, opens a row's details and gives itself as CSV and
// JSON.
'use strict';

// A column of a table, which saves and sorts by `value`, the row's member `key` where none is
// given, and shows `text` or `node` of a row. Further options: number, lead, wide, help, and quiet,
// of one that is left for the reader to choose.
function column(key, title, options = {}) {
  const value = options.value ?? ((row) => row[key]);
  const text = (row) => (known(value(row)) ? String(value(row)) : '');
  return {key, title, number: false, help: meaningOf(title), text, ...options, value};
}

const text = (value) => (known(value) ? String(value) : '');
// A column of numbers; show(value) is their text.
function numeric(key, title, show, options = {}) {
  const one = column(key, title, options);
  return {...one, number: true, text: (row) => show(one.value(row))};
}

const saved = (value) =>
    (typeof value === 'number' && !Number.isFinite(value) ? null : value ?? null);

function csvOf(columns, rows) {
  const quoted = (value) => (/[",\n]/.test(value) ? `"${value.replace(/"/g, '""')}"` : value);
  const lines = [
    columns.map((one) => one.key),
    ...rows.map((row) => columns.map((one) => String(saved(one.value(row)) ?? '')))
  ];
  return lines.map((line) => line.map(quoted).join(',')).join('\r\n') + '\r\n';
}

function jsonOf(columns, rows) {
  return JSON.stringify(
      rows.map((row) => Object.fromEntries(columns.map((one) => [one.key, saved(one.value(row))]))),
      null, 1);
}

function compareValues(a, b) {
  if (!known(a) || !known(b)) return known(a) ? -1 : known(b) ? 1 : 0;
  return typeof a === 'number' && typeof b === 'number' ?
      a - b :
      String(a).localeCompare(String(b), 'en', {numeric: true});
}

// options: id (unique in the page), title, columns, rows, shown (keys), sort ("key" or "-key"),
// detail(row), rowClass(row), limit.
class DataTable {
  constructor(options) {
    Object.assign(
        this, {
          limit: 15,
          rowClass: () => '',
          detail: null,
          sort: null,
          shown: options.columns.filter((one) => !one.quiet).map((one) => one.key)
        },
        options);
    this.all = state.get(this.id, 'all') === '1';
    this.body = el('tbody');
    this.head = el('thead');
    this.count = el('span.soft.small', {'aria-live': 'polite'});
    this.more = el('button', {
      type: 'button',
      onclick: () => {
        this.all = !this.all;
        this.keep('all', this.all ? '1' : null);
      }
    });
    this.node =
        el('div.table', {}, this.tools(),
           el('div.scroll', {
             tabindex: 0,
             role: 'region',
             'aria-label': `Table: ${this.title} (${this.id.split('.')[0]})`
           },
              el('table', {}, this.head, this.body)),
           el('div.bar', {}, this.more));
    this.draw();
  }

  keep(key, value) {
    state.set(this.id, key, value);
    this.draw();
  }
  setRows(rows) {
    this.rows = rows;
    this.draw();
  }
  visible() {
    const chosen = state.get(this.id, 'columns')?.split(',') ?? this.shown;
    return this.columns.filter((one) => chosen.includes(one.key));
  }

  tools() {
    const search = el('input', {
      type: 'search',
      placeholder: 'Filter rows',
      'aria-label': `Filter rows of ${this.title}`,
      value: state.get(this.id, 'filter', ''),
      oninput: (event) => this.keep('filter', event.target.value)
    });
    const save = (ending, type, text) =>
        el('button', {
          type: 'button',
          'aria-label': `Download ${this.title} as ${ending.toUpperCase()}`,
          onclick: () => download(`${this.id}.${ending}`, type, text(this.columns, this.matching()))
        },
           ending.toUpperCase());
    return el(
        'div.bar', {}, search, this.count,
        el('span.bar.right', {}, this.columnChoice(), save('csv', 'text/csv', csvOf),
           save('json', 'application/json', jsonOf)));
  }

  columnChoice() {
    const toggle = (key) => {
      const keys = this.visible().map((one) => one.key);
      const chosen = keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key];
      this.keep('columns', (chosen.length ? chosen : [this.columns[0].key]).join(','));
    };
    const boxes = this.columns.map(
        (one) =>
            el('label', {}, el('input', {
                 type: 'checkbox',
                 checked: this.visible().includes(one),
                 onchange: () => toggle(one.key)
               }),
               one.title));
    return el('details.columns', {}, el('summary', {}, 'Columns'), el('div', {}, ...boxes));
  }

  // Words that must all occur in the row; "key=text" and "-word" narrow further.
  matching() {
    const words =
        (state.get(this.id, 'filter', '') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const holds = (row, text) => words.every((word) => {
      const not = word.length > 1 && word.startsWith('-'), plain = not ? word.slice(1) : word;
      const [key, wanted] = plain.split('=');
      const one = wanted !== undefined && this.columns.find((it) => it.key.toLowerCase() === key);
      return (one ? one.text(row).toLowerCase() === wanted : text.includes(plain)) !== not;
    });
    const rows = this.rows.filter(
        (row) => holds(
            row,
            `${row.name ?? ''} ${this.columns.map((one) => one.text(row)).join(' ')}`
                .toLowerCase()));
    const order = state.get(this.id, 'sort', this.sort);
    const by = order && this.columns.find((one) => one.key === order.replace(/^-/, ''));
    if (!by) return rows;
    const sign = order.startsWith('-') ? -1 : 1;
    return rows.sort((a, b) => {
      const [x, y] = [by.value(a), by.value(b)];
      return known(x) && known(y) ? sign * compareValues(x, y) : compareValues(x, y);
    });
  }

  draw() {
    const columns = this.visible(), rows = this.matching(),
          order = state.get(this.id, 'sort', this.sort) ?? '';
    const shown = this.all ? rows : rows.slice(0, this.limit);
    this.head.replaceChildren(el('tr', {}, ...columns.map((one) => this.header(one, order))));
    this.body.replaceChildren(...shown.map((row) => this.line(row, columns)));
    this.count.textContent = rows.length === this.rows.length ?
        plural(rows.length, 'row') :
        `${rows.length} of ${plural(this.rows.length, 'row')}`;
    this.more.hidden = rows.length <= this.limit;
    this.more.textContent = this.all ? `Show ${this.limit} rows` : `Show all ${rows.length} rows`;
  }

  header(one, order) {
    const direction = order === one.key ? 'ascending' :
        order === `-${one.key}` ? 'descending' :
                                  null;
    const mark = direction === 'ascending' ? ' \u2191' :
        direction === 'descending'         ? ' \u2193' :
                                             '';
    const next = direction === 'ascending' ? `-${one.key}` : one.key;
    return el(
        one.number ? 'th.number' : 'th', {scope: 'col', 'aria-sort': direction, title: one.help},
        el('button', {type: 'button', onclick: () => this.keep('sort', next)}, one.title + mark));
  }

  line(row, columns) {
    const line =
        el('tr', {},
           ...columns.map(
               (one, i) =>
                   el('td', {}, i === 0 && this.detail ? this.opener(row, columns.length) : '',
                      one.node?.(row) ?? one.text(row))));
    columns.forEach(
        (one, i) => ['number', 'lead', 'wide'].forEach(
            (name) => one[name] && line.children[i].classList.add(name)));
    line.classList.add(...this.rowClass(row).split(' ').filter(Boolean));
    return line;
  }

  opener(row, span) {
    const button =
        el('button.more', {type: 'button', 'aria-expanded': 'false', 'aria-label': 'Details'},
           '\u25b8');
    button.addEventListener('click', () => {
      const line = button.closest('tr'), open = button.getAttribute('aria-expanded') === 'true';
      if (open)
        line.nextElementSibling.remove();
      else
        line.after(el('tr.detail', {}, el('td', {colspan: span}, this.detail(row))));
      button.setAttribute('aria-expanded', String(!open));
      button.textContent = open ? '\u25b8' : '\u25be';
    });
    return button;
  }
}

// A text to copy into a shell or a file, where there is any.
const code = (text) => text && el('code', {}, text);

// [[term, text or node]] as a list; unknown ones are left out.
function facts(pairs) {
  return el(
      'dl', {},
      ...pairs.filter(([, value]) => known(value) && value !== '')
          .flatMap(
              ([term, value]) => [el('dt', {title: meaningOf(term)}, term), el('dd', {}, value)]));
}
