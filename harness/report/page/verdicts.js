// SPDX-License-Identifier: Apache-2.0
// Comparisons: the launches of a file for the judge, the controls of its rules, the interval plot
// and the table.
'use strict';

const SCREENING = 'screening', CONFIRMATION = 'confirmation';

// Cost of a launch of a case: seconds, or of another quantity its value, or the inverse where more
// is better.
const costOf = ({median_seconds: time, median_value: value}, inverse) =>
    (known(time)      ? time :
         known(value) ? (inverse ? 1 / value : value) :
                        null);

// Launch costs by phase, case and build of a file that `ab` or `aa` wrote.
function launchesOf(doc) {
  const inverse = new Set(doc.cases.filter((c) => c.more_is_better).map((c) => c.name));
  const phases = {[SCREENING]: new Map(), [CONFIRMATION]: new Map()};
  for (const launch of doc.launches ?? [])
    for (const one of launch.cases ?? []) {
      const {name} = one, cost = costOf(one, inverse.has(name));
      if (!known(cost)) continue;
      const cases = (phases[launch.phase] ??= new Map());
      if (!cases.has(name)) cases.set(name, {base: [], test: []});
      cases.get(name)[launch.build]?.push(cost);
    }
  return phases;
}

// The controls of the last phase, as that phase decides.
function controlPlaces(cases, doc) {
  const places = [], kinds = new Set((doc.controls ?? []).map((one) => one.name)),
        device = doc.controls?.[0]?.device;
  for (const [name, {base, test}] of cases) {
    const parts = name.split('/'), kind = [...parts.slice(0, 3), parts[parts.length - 1]].join('/');
    if (!kinds.has(kind) || !name.includes('/with:')) continue;
    places.push({
      kind,
      device: doc.controls.find((one) => one.name === kind)?.device ?? device,
      base,
      test
    });
  }
  return places;
}

// A file judged again by `rules`; cases whose launches it does not hold keep their interval and p.
// Every case is screened, as one family; those that were confirmed are then judged by the launches
// of the confirmation alone.
function judgeFile(doc, rules) {
  const phases = launchesOf(doc), design = doc.design;
  const alphas = {
    [SCREENING]: design?.screening_alpha ?? rules.alpha,
    [CONFIRMATION]: rules.alpha / (design?.looks ?? 1)
  };
  const judgePhase = (phase, family) => {
    const cases = doc.cases.filter(
        (c) => phases[phase].get(c.name)?.base.length && phases[phase].get(c.name).test.length);
    return judge.judgeAll(
        cases.map((c) => ({...c, ...phases[phase].get(c.name)})), controlPlaces(phases[phase], doc),
        {...rules, alpha: alphas[phase]}, family);
  };
  const screened = judgePhase(SCREENING, 0),
        confirmed = judgePhase(CONFIRMATION, design?.suspects ?? 0);
  if (design)
    for (const c of screened.cases)
      if (c.verdict !== 'same') c.verdict = c.time_verdict = 'undecided';
  const judged = new Map([...screened.cases, ...confirmed.cases].map((c) => [c.name, c]));
  const cases = doc.cases.map((c) => judged.get(c.name) ?? bounded({...c}));
  let controls = confirmed.controls.length ? confirmed.controls : screened.controls;
  if (judged.size === 0) {
    controls = (doc.controls ?? []).map((one) => bounded({...one}));
    judge.judgeTimes(controls, rules);
    const timed = cases.filter((c) => c.base_launches && c.test_launches);
    judge.judgeTimes(timed, rules);
    for (const c of timed) judge.setReason(c, controls, rules);
  }
  return {cases, controls, setup: doc.setup, moves: judged.size > 0};
}

function bounded(c) {
  c.ratio_low ??= 0;
  c.ratio_high ??= Infinity;
  return c;
}

// Two results of a suite as the judge takes them: cases and controls by name and cache mode that
// both measured.
function pairOf(files) {
  const sides = files.map((file) => {
    const rows = rowsOfRun(file).filter((row) => row.median !== null);
    return new Map(rows.map((row) => [`${row.name}/${row.mode}`, row]));
  });
  const cases = [], places = [];
  for (const [name, row] of sides[0]) {
    const other = sides[1].get(name);
    if (!other) continue;
    if (row.role === 'ceiling')
      places.push({
        kind: `${row.stage}/${row.variant}/${row.backend}/${row.mode}`,
        device: row.device,
        base: row.launches,
        test: other.launches
      });
    else
      cases.push({
        name,
        device: row.device,
        role: 'kernel',
        code: codeOf(row.record, other.record),
        figures: [],
        base: row.launches,
        test: other.launches,
        base_disturbed: disturbedLaunches(row.measurement),
        test_disturbed: disturbedLaunches(other.measurement)
      });
  }
  return {cases, places, setup: setupOf(files)};
}

const PAIR_RULES = {
  bound: 0.005,
  alpha: 0.01,
  max_undecided: 0.1,
  in_turn: false
};

const judgedPair = ({cases, places, setup}, rules = PAIR_RULES) =>
    (cases.length ? {...judge.judgeAll(cases.map((c) => ({...c})), places, rules), setup} : null);

function comparedRuns(id, files, pair) {
  if (pair.cases.length === 0) return null;
  const note = `Base: ${files[0].name}; test: ${files[1].name}.`;
  return el(
      'div', {}, el('h3', {}, 'One against the other'), el('p.small.soft', {}, note),
      judgedNode(`${id}.pair`, PAIR_RULES, (rules) => ({...judgedPair(pair, rules), moves: true})));
}

function codeOf(base, test) {
  const identity = (record) =>
      (record.kernels ?? [])
          .map(
              (k) => [k.code_hash, k.grid, k.block, k.static_shared_bytes + k.dynamic_shared_bytes]
                         .join(' '));
  const [a, b] = [identity(base), identity(test)];
  if (!a.length || !b.length ||
      [...(base.kernels ?? []), ...(test.kernels ?? [])].some((k) => !k.code_hash))
    return 'unknown';
  return a.join() === b.join() ? 'same' : 'changed';
}

function intervalPlot(id, comparison, rules) {
  const cases = comparison.cases
                    .filter((c) => c.base_launches > 0 && c.test_launches > 0 && known(c.ratio))
                    .sort((a, b) => b.ratio - a.ratio),
        shown = cases.slice(0, 40);
  if (shown.length === 0) return '';
  const finite = shown.flatMap((c) => [c.ratio, c.ratio_low, c.ratio_high])
                     .filter((v) => v > 0 && Number.isFinite(v)),
        edge = 1 + rules.bound;
  const x = {
    domain: domainOf([...finite, edge * 1.004, 1 / edge / 1.004], true, 0.03),
    log: true,
    label: 'test / base',
    format: (v) => (Math.abs(v - 1) < 1e-9 ? '0 %' : effect(v))
  };
  x.ticks = linearTicks(x.domain.map((v) => (v - 1) * 100), 5).map((v) => 1 + v / 100);
  return figure({
    id: `${id}.intervals`,
    title: 'Effects with their intervals',
    note: `The band is the bound, ${percent(rules.bound, 2)} either way.${
        shown.length < cases.length ? ` The largest ${shown.length} of ${cases.length}.` : ''}`,
    rows: cases,
    columns: verdictColumns,
    draw: (width) => {
      const left = width < 560 ? 8 : Math.min(width * 0.5, 430), step = width < 560 ? 36 : 21,
            a = axes(
                width, shown.length * step + 60, x, {domain: [0, 1], ticks: [], format: String},
                {left, top: 10, right: 20});
      const [lo, hi] = [a.px(1 / edge), a.px(edge)];
      a.root.prepend(svg('rect.band', {x: lo, y: a.top, width: hi - lo, height: a.bottom - a.top}));
      a.root.append(svg('line.axis', {x1: a.px(1), x2: a.px(1), y1: a.top, y2: a.bottom}));
      shown.forEach((c, i) => {
        const y = 10 + (i + 0.5) * step + (width < 560 ? 8 : 0),
              kind = {slower: '.bad', faster: '.good', same: '.c0'}[c.verdict] ?? '.plain';
        const room = Math.floor((width < 560 ? width - 16 : left - 16) / 6.4),
              name = shortCase(c.name);
        a.root.append(
            svg('text.ink',
                width < 560 ? {x: 8, y: y - 10} : {x: left - 8, y: y + 4, 'text-anchor': 'end'},
                name.length > room ? `${name.slice(0, room - 1)}\u2026` : name,
                svg('title', {}, c.name)));
        if (c.ratio_low > 0 && Number.isFinite(c.ratio_high))
          a.root.append(svg(
              `line.curve${kind}`, {x1: a.px(c.ratio_low), x2: a.px(c.ratio_high), y1: y, y2: y}));
        a.root.append(
            svg(`circle.mark${kind}`, {cx: a.px(c.ratio), cy: y, r: 4},
                svg('title', {}, `${c.name}: ${c.verdict}, ${effect(c.ratio)}`)));
      });
      return a.root;
    }
  });
}

// stage/variant, problem, side and cache mode of a case's name: its configuration is left out.
// Names of programs of others stay as they are.
function shortCase(name) {
  const parts = name.split('/'), backend = (part) => ['cuda', 'cpu'].includes(part);
  if (!parts.some(backend)) return name;
  return parts.filter((part) => !part.includes('=') && !backend(part))
      .map((part) => part.replace(/^(part|rank):/, (_, key) => (key === 'rank' ? 'rank ' : '')))
      .join(' \u00b7 ');
}

// The median of a side: a time, or a value with its unit.
const medianColumn = (side) => column(`${side}_seconds`, side, {
  value: (c) => (c.unit ? c[`${side}_value`] : c[`${side}_seconds`]) ?? null,
  number: true,
  text: (c) => medianText(c, c[`${side}_seconds`], c[`${side}_value`])
});
const medianText = (c, time, value) =>
    (c.unit ? (known(value) ? `${digits(value, 5)} ${c.unit}` : '') :
              (known(time) ? seconds(time) : ''));

const verdictColumns = [
  column('verdict', 'verdict', {
    value: (c) => VERDICTS.indexOf(c.verdict),
    text: (c) => c.verdict,
    node: (c) => badge(c.verdict)
  }),
  column('case', 'case', {value: (c) => shortCase(c.name), lead: true}),
  numeric(
      'effect', 'effect', effect,
      {value: (c) => c.ratio, help: 'test / base, by Hodges and Lehmann'}),
  column('interval', 'interval', {
    value: (c) => c.ratio_low,
    number: true,
    text: (c) =>
        (c.ratio_low > 0 && Number.isFinite(c.ratio_high) ?
             `${effect(c.ratio_low)} to ${effect(c.ratio_high)}` :
             '')
  }),
  numeric('adjusted_p', 'adjusted p', (v) => digits(v, 2)),
  numeric('p', 'p', (v) => digits(v, 2), {quiet: true}), medianColumn('base'), medianColumn('test'),
  column('launches', 'launches', {
    value: (c) => c.base_launches,
    number: true,
    text: (c) => `${c.base_launches}+${c.test_launches}`
  }),
  column('code', 'code'), column('figures', 'figures', {
    value: (c) => (c.figures ?? [])
                      .filter((one) => one.base !== one.test)
                      .map(
                          (one) => `${one.name} ${digits(one.base, 4)} \u2192 ${
                              digits(one.test, 4)}${one.worse ? ' (worse)' : ''}`)
                      .join('; ') ||
        null,
    wide: true,
    quiet: true
  }),
  column('causes', 'causes', {value: (c) => causesText(c) || null, wide: true, quiet: true}),
  column('reason', 'reason', {wide: true, quiet: true}), column('name', 'full name', {quiet: true}),
  numeric(
      'launches_needed', 'launches needed', text,
      {value: (c) => c.launches_needed || null, quiet: true})
];

// Why the time changed, as the file has it.
const causesText = (c) =>
    (c.causes ?? []).map((cause) => `${cause.kind}: ${cause.evidence}`).join('; ');

function verdictDetail(c) {
  const list = (values) =>
      values?.map((cost) => medianText(c, cost, c.more_is_better ? 1 / cost : cost)).join(', ');
  return facts([
    ['case', code(c.name)], ['causes', causesText(c)], ['reason', c.reason],
    ['launches needed', c.launches_needed || null], ['base launches', list(c.base)],
    ['test launches', list(c.test)], ['p', digits(c.p, 4)],
    [
      'figures',
      (c.figures ?? [])
          .map((one) => `${one.name}: ${digits(one.base, 5)} \u2192 ${digits(one.test, 5)}`)
          .join('; ')
    ],
    ['detectable effect', c.detectable_effect && percent(c.detectable_effect, 2)]
  ]);
}

// The controls of bound and alpha, what follows from them, the plot and the table.
function judgedNode(id, ownRules, judgeBy) {
  const rules = {
    ...ownRules,
    bound: Number(state.get(id, 'bound', ownRules.bound)),
    alpha: Number(state.get(id, 'alpha', ownRules.alpha))
  };
  const result = el('p', {'aria-live': 'polite'}), stories = el('div'), plot = el('div'),
        first = judgeBy(rules);
  const options = {
    title: 'compared cases',
    detail: verdictDetail,
    limit: 20,
    rowClass: (c) => (['slower', 'failed', 'wrong', 'missing'].includes(c.verdict) ? 'failed' : ''),
    columns: verdictColumns
  };
  const table = new DataTable({id: `${id}.cases`, rows: first.cases, ...options}),
        controls = new DataTable(
            {id: `${id}.controls`, rows: first.controls, ...options, title: 'controls'});
  const apply = () => {
    const now = judgeBy(rules), answer = answerOfComparison(now, rules);
    result.replaceChildren(badge(answer.conclusion), ` ${answer.text}`);
    stories.replaceChildren(answer.stories.length ? storyList(answer.stories) : '');
    plot.replaceChildren(intervalPlot(id, now, rules));
    table.setRows(now.cases);
    controls.setRows(now.controls);
  };
  const control = (key, label, factor, step) =>
      el('label', {}, label, el('input', {
           type: 'number',
           min: step,
           step,
           value: Number((rules[key] * factor).toPrecision(6)),
           oninput: (event) => {
             const value = Number(event.target.value) / factor;
             if (!(value > 0) || (key === 'alpha' && value >= 1)) return;
             rules[key] = value;
             state.set(id, key, value === ownRules[key] ? null : String(value));
             apply();
           }
         }));
  apply();
  return el(
      'div', {},
      el('div.bar', {}, control('bound', 'Bound in %', 100, 0.05),
         control('alpha', 'alpha', 1, 0.001)),
      first.moves ?
          el('p.small.soft', {},
             'Verdicts are worked out here, from every launch, as the program does.') :
          el('p.small.soft', {},
             'This file holds no launches: intervals stay as they are, verdicts follow bound and alpha.'),
      result, stories, plot, table.node,
      first.controls.length ? el('details', {}, el('summary', {}, 'Controls'), controls.node) : '');
}

function comparisonNode(file, id) {
  const doc = file.document, self = doc.self;
  const notes = [
    ...(doc.differences ?? []).map((one) => `The environments differ: ${one}`),
    ...(doc.not_compared ?? []).map((one) => `Not compared: ${one}`),
    ...(doc.disturbed ?? []).map((one) => `Disturbed by other work on the machine: ${one}`)
  ];
  return [
    self ? el('p', {},
              `${plural(self.alarms, 'false alarm')} in ${self.comparisons} comparisons over ${
                  self.relabelings} ways to label the launches.`) :
           '',
    notes.length ? el('ul.notes', {}, ...notes.map((one) => el('li', {}, one))) : '',
    judgedNode(id, doc.rules, (rules) => judgeFile(doc, rules))
  ];
}

const answerOfComparisonFile = (doc) => ({
  ...answerOfComparison(
      {cases: doc.cases, controls: doc.controls ?? [], setup: doc.setup}, doc.rules ?? {},
      doc.self),
  disturbed: doc.disturbed?.length ?
      `Other work on the machine disturbed ${doc.disturbed.join(' and ')}.` :
      null
});
