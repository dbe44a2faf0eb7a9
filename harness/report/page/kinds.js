// SPDX-License-Identifier: Apache-2.0
// Rendering of tunings, histories and static comparisons.
'use strict';

// Steps and points as people write them: "solve:cg:steps=6", "cg:steps=6".
const settingsText = (config) =>
    Object.entries(config).map(([name, value]) => `${name}=${value}`).join(',');
const stepText =
    ({stage, variant, config}) => [stage, variant, settingsText(config)].filter(Boolean).join(':');
const pipelineText = (steps) => steps.map(stepText).join('/');

// A point of a space in a drawing; those that are chosen are larger and green.
const dot = (x, y, chosen, title) =>
    svg(chosen ? 'circle.mark.good' : 'circle.mark.faint.plain',
        {cx: x, cy: y, r: chosen ? 5 : 3.4}, svg('title', {}, title));

// Best so far over evaluations, with the points of the tie set.
function bestSoFar(id, doc) {
  const ties = new Set((doc.result?.tie_set ?? []).map(stepText));
  let best = Infinity;
  const points =
      (doc.result?.points ?? []).map((one, i) => ({
                                       ...one,
                                       ...one.point,
                                       name: stepText(one.point),
                                       at: i + 1,
                                       median: one.seconds?.length ? median(one.seconds) : null,
                                       tie: ties.has(stepText(one.point))
                                     }));
  for (const point of points) point.best = best = Math.min(best, point.median ?? Infinity);
  const ok = points.filter((point) => point.median !== null);
  const columns = [
    column('variant', 'variant', {lead: true}), numeric('median', 'median', seconds),
    ...parameterColumns(points), column('tie', 'tie set', {value: (p) => (p.tie ? 'yes' : null)}),
    numeric('at', 'evaluation', text), column('outcome', 'outcome'),
    numeric('registers', 'registers', text), column('name', 'point', {quiet: true})
  ];
  const chart = ok.length === 0 ? '' : figure({
    id: `${id}.best`,
    title: 'Best so far',
    note:
        'A dot is a point of the space, the line the best so far; green points tie with the choice.',
    columns,
    rows: points,
    draw: (width) => {
      const a =
          axes(width, 300, {domain: [0, points.length + 1], label: 'evaluations', format: String}, {
            domain: domainOf(ok.map((p) => p.median), true),
            log: true,
            label: 'median time, logarithmic',
            format: seconds
          });
      a.root.append(svg('path.curve.c0', {
        d: line(ok.flatMap(
            (p, i) =>
                [...(i ? [[a.px(p.at), a.py(ok[i - 1].best)]] : []), [a.px(p.at), a.py(p.best)]]))
      }));
      for (const p of ok)
        a.root.append(dot(a.px(p.at), a.py(p.median), p.tie, `${p.name}: ${seconds(p.median)}`));
      return a.root;
    }
  });
  return [
    chart, new DataTable({
             id: `${id}.points`,
             title: 'points',
             columns,
             rows: points,
             sort: 'median',
             limit: 12,
             rowClass: (p) =>
                 (failedOutcome(p.outcome) ? 'failed' :
                      p.tie                ? 'best' :
                                             '')
           }).node,
    ...energyFront(id, doc.result?.energy), ...portabilityOf(id, doc.result?.portability)
  ];
}

// Time against energy, the front as a line, and a table of the points that were measured.
function energyFront(id, front, nameOf = (one) => stepText(one.point)) {
  if (!front?.points.length) return [];
  const rows = front.points.map(
      (one) => ({...one.energy, seconds: one.seconds, name: nameOf(one), front: one.on_front}));
  const columns = [
    column('name', 'point', {lead: true}), numeric('seconds', 'time', seconds),
    numeric('joules', 'energy', joules), numeric('watts', 'power', (v) => `${digits(v)} W`),
    column('front', 'front', {value: (p) => (p.front ? 'yes' : null)})
  ];
  const {source, resolution_seconds: step} = front.points[0].energy;
  const how = source === 'counter' ? 'the device\'s own counter' : 'samples of the device\'s power';
  return [
    figure({
      id: `${id}.energy`,
      title: 'Time and energy',
      note: `A dot is what was measured, the line the front: nothing takes less of both. By ${
          how}, with a new value every ${seconds(step)}.`,
      columns,
      rows,
      draw: (width) => {
        const a = axes(
            width, 300,
            {domain: domainOf(rows.map((p) => p.seconds)), label: 'time', format: seconds}, {
              domain: domainOf(rows.map((p) => p.joules)),
              label: 'energy of an execution',
              format: joules
            });
        const best = rows.filter((p) => p.front);
        a.root.append(
            svg('path.curve.c0', {d: line(best.map((p) => [a.px(p.seconds), a.py(p.joules)]))}));
        for (const p of rows)
          a.root.append(
              dot(a.px(p.seconds), a.py(p.joules), p.front,
                  `${p.name}: ${seconds(p.seconds)}, ${joules(p.joules)}`));
        return a.root;
      }
    }),
    new DataTable(
        {id: `${id}.energies`, title: 'points by energy', columns, rows, sort: 'joules', limit: 12})
        .node
  ];
}

// The pick for several shapes, and what it loses on each.
function portabilityOf(id, found) {
  if (!found) return [];
  const {pick, default: usual} = found;
  return [
    el('h3', {}, 'One pick for all shapes'), facts([
      ['pick', code(pick.point)], ['performance portability', digits(pick.performance_portability)],
      ['of the default', usual.point ? digits(usual.performance_portability) : null]
    ]),
    new DataTable({
      id: `${id}.portability`,
      title: 'the pick on each shape',
      columns: [
        column('platform', 'shape', {lead: true}), numeric('seconds', 'pick', seconds),
        numeric('best_seconds', 'best', seconds),
        numeric('efficiency', 'efficiency', (v) => percent(v, 1)),
        column('best', 'best point there', {wide: true})
      ],
      rows: pick.platforms
    }).node
  ];
}

function playoff(id, doc) {
  const ties = new Map((doc.parts ?? []).map((one) => [one.part, one.ties.map(pipelineText)]));
  const rows = (doc.playoff ?? [])
                   .map((one) => ({
                          label: '',
                          pipelines: new Map(
                              one.pipelines.map(({part, steps}) => [part, pipelineText(steps)])),
                          values: one.total_seconds,
                          centre: median(one.total_seconds),
                          eligible: one.eligible,
                          isDefault: one.is_default,
                          best: one.pipelines.every(
                              ({part, steps}) => ties.get(part)?.includes(pipelineText(steps)))
                        }))
                   .filter((row) => row.values.length)
                   .sort((a, b) => a.centre - b.centre);
  rows.forEach((row, i) => {
    row.label = row.isDefault ? 'default' : `contender ${i + 1}`;
  });
  const chart = rows.length ?
      stripsFigure(
          `${id}.playoff`, 'Playoff',
          'An iteration of each contender, in interleaved rounds. Green ones tie with the choice.',
          rows) :
      '';
  const stages =
      (doc.stages ?? []).map((one) => ({...one, best: one.best[0] && stepText(one.best[0])}));
  const table = new DataTable({
    id: `${id}.stages`,
    title: 'stages that were searched',
    rows: stages,
    columns: [
      column('stage', 'stage', {lead: true}), column('part', 'part'),
      numeric('evaluations', 'evaluations', text), numeric('best_seconds', 'best', seconds),
      numeric('default_seconds', 'default', seconds), column('best', 'best point', {wide: true}),
      column('skipped', 'skipped', {wide: true, quiet: !stages.some((s) => s.skipped)})
    ]
  });
  const chosen = facts(
      (doc.parts ?? []).map((one) => [`choice for ${one.part}`, code(pipelineText(one.pick))]));
  const parts = [
    column('contender', 'contender', {value: (row) => row.label, lead: true}),
    numeric('centre', 'median', seconds),
    column('tie', 'ties', {value: (row) => (row.best ? 'yes' : null)}),
    ...[...ties.keys()].map(
        (part) => column(part, part, {value: (row) => row.pipelines.get(part), wide: true}))
  ];
  return [
    chosen, chart, el('h3', {}, 'Contenders'), new DataTable({
                                                 id: `${id}.contenders`,
                                                 title: 'contenders of the playoff',
                                                 rows,
                                                 columns: parts,
                                                 limit: 8
                                               }).node,
    el('h3', {}, 'Stages'), table.node,
    ...energyFront(
        id, doc.energy,
        ({pipelines}) => pipelines.map(({steps}) => pipelineText(steps)).join(' | '))
  ];
}

// Several files of a kind: a table of their answers, and the chosen one below it.
function chosenFile(id, files, answerOf, nodeOf) {
  if (files.length === 1) return nodeOf(files[0], `${id}.${fileStem(files[0].name)}`);
  const rows = files.map((file) => ({file, name: file.name, answer: answerOf(file.document)}));
  const table = new DataTable({
    id: `${id}.files`,
    title: 'files',
    rows,
    columns: [
      column('name', 'file', {lead: true}),
      column('answer', 'answer', {value: (row) => row.answer.text, wide: true})
    ],
    limit: 12,
    rowClass: (row) => (row.answer.bad ? 'failed' : '')
  });
  return [
    table.node, differencesNode(files.slice(0, 8)), changeable((redraw) => {
      const file = files.find((one) => one.name === state.get(id, 'file')) ??
          rows.find((row) => row.answer.bad)?.file ?? files[0];
      const control = choice('Show', files.map((one) => one.name), file.name, [id, 'file'], redraw);
      return el(
          'div', {}, el('div.bar', {}, control), nodeOf(file, `${id}.${fileStem(file.name)}`));
    })
  ];
}

function kindSection(id, title, question, files, answerOf, nodeOf) {
  const answers = files.map((file) => answerOf(file.document)),
        bad = answers.filter((one) => one.bad);
  const summary = files.length === 1 ?
      answers[0].text :
      `${bad.length ? `${bad.length} of ${files.length} files have findings. ` : ''}${
          (bad[0] ?? answers[0]).text}`;
  return {
    id,
    title,
    question,
    answer: {
      bad: bad.length > 0,
      text: summary,
      disturbed: answers.map((one) => one.disturbed).find(Boolean) ?? null
    },
    node: chosenFile(id, files, answerOf, nodeOf),
    files
  };
}

const creeps = (shift) => Number.isInteger(shift.creep_last_run);

function historyNode(file, id) {
  const doc = file.document, runs = doc.runs ?? [], all = doc.series ?? [],
        shifts = doc.shifts ?? [];
  if (all.length === 0) return [el('p', {}, 'No series yet.')];
  const chart = changeable((redraw) => {
    const chosen = Number(state.get(id, 'series', shifts[0]?.series ?? 0)) || 0,
          series = all[chosen] ?? all[0];
    const points = series.runs.map((run, i) => ({
                                     run,
                                     value: series.ratio_to_controls[i],
                                     commit: runs[run]?.git_commit?.slice(0, 8),
                                     time: runs[run]?.time_utc
                                   }));
    const own = shifts.filter((shift) => shift.series === chosen);
    return figure({
      id: `${id}.series`,
      title: 'History',
      note: 'Time relative to the controls; a vertical line is a shift, two are a creep.',
      rows: points,
      controls:
          el('div.bar', {},
             choice('Series', all.map((one, i) => [i, one.name]), chosen, [id, 'series'], redraw)),
      columns: [
        column('commit', 'commit'), column('time', 'time'),
        numeric('value', 'ratio to controls', (v) => digits(v, 5))
      ],
      draw: (width) => {
        const places = new Map(points.map((p, i) => [i, p.commit ?? String(p.run)]));
        const a = axes(
            width, 300, {
              domain: [-0.5, points.length - 0.5],
              label: 'commit',
              format: (i) => places.get(i) ?? '',
              ticks:
                  points.map((_, i) => i)
                      .filter((i) => i % Math.ceil(points.length / Math.max(1, width / 90)) === 0)
            },
            {
              domain: domainOf(points.map((p) => p.value)),
              label: 'ratio to controls',
              format: (v) => digits(v, 4)
            });
        for (const shift of own) {
          const places = [shift.run, shift.creep_last_run]
                             .map((run) => points.findIndex((p) => p.run === run))
                             .filter((place) => place >= 0);
          for (const place of places)
            a.root.append(
                svg(`line.curve${shift.state === 'faster' ? '.good' : '.bad'}`,
                    {x1: a.px(place - 0.5), x2: a.px(place - 0.5), y1: a.top, y2: a.bottom}));
          if (places.length)
            a.root.append(
                svg('text.ink', {x: a.px(places[0] - 0.5) + 5, y: a.bottom - 8},
                    `${shift.state} ${effect(shift.ratio)}${creeps(shift) ? ' (creep)' : ''}`));
        }
        a.root.append(
            svg('path.curve.c0.thin', {d: line(points.map((p, i) => [a.px(i), a.py(p.value)]))}),
            ...points.map(
                (p, i) => mark(
                    a.px(i), a.py(p.value), 0,
                    `${p.commit ?? ''} ${p.time ?? ''}: ${digits(p.value, 5)}`)));
        return a.root;
      }
    });
  });
  const commitOf = (run) => runs[run]?.git_commit?.slice(0, 10) ?? '';
  // Of a creep the range that git knows: no commit of it is to blame alone.
  const commitsOf = (shift) => {
    if (!creeps(shift)) return commitOf(shift.run);
    const own = all[shift.series].runs, before = commitOf(own[own.indexOf(shift.run) - 1]),
          last = commitOf(shift.creep_last_run);
    return before && last ? `${before}..${last}` : '';
  };
  const columns = [
    column('state', 'state', {node: (s) => badge(s.state === 'alarm' ? 'regression' : s.state)}),
    column('series', 'series', {value: (s) => all[s.series]?.name, wide: true}),
    column('commit', 'commit', {value: commitsOf}), numeric('ratio', 'shift', effect),
    numeric('adjusted_p', 'adjusted p', digits), column('note', 'note', {wide: true})
  ];
  return [
    chart, el('h3', {}, 'Shifts'),
    new DataTable({id: `${id}.shifts`, title: 'shifts', rows: shifts, columns}).node
  ];
}

const answerOfHistory = (doc) => {
  const alarms =
      (doc.shifts ?? []).filter((shift) => shift.state === 'alarm' || shift.state === 'expired');
  return {
    bad: alarms.length > 0,
    text: `${plural(doc.runs?.length ?? 0, 'run')}, ${
        plural(doc.series?.length ?? 0, 'series', 'series')}: ${
        alarms.length ? plural(alarms.length, 'shift') + ' to explain' : 'no shift to explain'}.`
  };
};

const answerOfStatic = (doc) => {
  const findings = (doc.comparisons ?? []).flatMap((one) => one.findings),
        counts = [...groupBy(findings, (one) => one.verdict)].map(
            ([verdict, group]) => `${group.length} ${verdict}`);
  return {
    bad: findings.some((one) => /worse|fail|missing|regress/.test(one.verdict)),
    text: `Machine code of ${plural(findings.length, 'kernel')}: ${
        counts.join(', ') || 'nothing compared'}.`
  };
};

// The gravest first, as the program orders findings.
const STATIC_VERDICTS =
    ['failed', 'missing', 'regressed', 'new', 'improved', 'code-changed', 'same'];
const staticClass = (verdict) =>
    (['failed', 'missing', 'regressed'].includes(verdict) ? '.bad' :
         verdict === 'improved'                           ? '.good' :
         verdict === 'same'                               ? '.plain' :
                                                            '.c1');

// A bar an architecture: how many kernels have each verdict.
function staticBars(id, comparisons) {
  const rows = comparisons.map((one) => ({
                                 arch: one.arch,
                                 all: one.findings.length,
                                 of: groupBy(one.findings, (finding) => finding.verdict)
                               }));
  const seen = STATIC_VERDICTS.filter((verdict) => rows.some((row) => row.of.has(verdict)));
  const most = Math.max(...rows.map((row) => row.all)), step = 30;
  return figure({
    id: `${id}.verdicts`,
    title: 'Kernels by verdict',
    note: `${seen.join(', ')}, from the left; the baseline is of the same architecture.`,
    columns: [
      column('arch', 'architecture', {lead: true}),
      ...seen.map(
          (verdict) =>
              numeric(verdict, verdict, text, {value: (row) => row.of.get(verdict)?.length ?? 0})),
      numeric('all', 'all', text)
    ],
    rows,
    draw: (width) => {
      const a = axes(
          width, rows.length * step + 62, {domain: [0, most], label: 'kernels', format: String},
          {domain: [0, 1], format: String, ticks: []}, {left: 76, top: 12, right: 24});
      rows.forEach((row, i) => {
        const top = 12 + i * step;
        a.root.append(svg('text.ink', {x: 68, y: top + 18, 'text-anchor': 'end'}, row.arch));
        let count = 0;
        for (const verdict of seen) {
          const own = row.of.get(verdict)?.length ?? 0, x = a.px(count);
          if (own === 0) continue;
          count += own;
          a.root.append(
              svg(`rect.mark.faint${staticClass(verdict)}`,
                  {x, y: top + 4, width: Math.max(1, a.px(count) - x - 1), height: step - 8},
                  svg('title', {}, `${row.arch}: ${own} ${verdict}`)));
          const label = `${own} ${verdict}`;
          if (a.px(count) - x > label.length * 7)
            a.root.append(svg('text.ink', {x: x + 6, y: top + 19}, label));
        }
      });
      return a.root;
    }
  });
}

function staticNode(file, id) {
  const comparisons = (file.document.comparisons ?? []).filter((one) => one.findings.length);
  if (comparisons.length === 0) return [el('p', {}, 'Nothing was compared.')];
  const rows = comparisons.flatMap(
      (one) => one.findings.map(
          (finding) => ({
            ...finding,
            order: STATIC_VERDICTS.indexOf(finding.verdict),
            arch: one.arch,
            baseline: one.baseline,
            compilers: finding.cross_environment ? `${one.base_compiler} -> ${one.test_compiler}` :
                                                   null
          })));
  rows.sort((a, b) => a.order - b.order);
  const columns = [
    column('verdict', 'verdict', {node: (r) => badge(r.verdict)}), column('arch', 'architecture'),
    column('kernel', 'kernel', {wide: true}), column('detail', 'detail', {wide: true}),
    column('compilers', 'compilers differ', {quiet: !rows.some((row) => row.compilers)}),
    column('baseline', 'baseline')
  ];
  return [
    staticBars(id, comparisons),
    new DataTable({
      id: `${id}.findings`,
      title: 'kernels',
      rows,
      columns,
      rowClass: (r) => (staticClass(r.verdict) === '.bad' ? 'failed' : '')
    }).node
  ];
}
