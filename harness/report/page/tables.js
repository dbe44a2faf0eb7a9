// SPDX-License-Identifier: Apache-2.0
// Kinds of files that are a table each: all files of a kind are one, and a column names the file.
'use strict';

// "tile=10,bin=32" as {tile: "10", bin: "32"}.
const settingsOf = (text) =>
    Object.fromEntries(text.split(',').filter(Boolean).map((one) => one.split('=')));
const counted = (rows, value) => [...groupBy(rows, value)]
                                     .map(([name, group]) => `${group.length} ${name}`)
                                     .join(', ');
const short = (hash) => hash?.slice(0, 10);
const spills = (kernel) => (kernel.spill_store_bytes ?? 0) + (kernel.spill_load_bytes ?? 0);

const kernelColumns = (rows) =>
    [column('variant', 'variant', {lead: true}),
     ...parameterColumns(rows).map((one) => ({...one, quiet: true})), numeric('rank', 'rank', text),
     column('arch', 'architecture'), column('kernel', 'kernel', {wide: true}),
     column(
         'outcome', 'outcome', {node: (k) => (failedOutcome(k.outcome) ? badge(k.outcome) : null)}),
     numeric('registers', 'registers', text),
     numeric(
         'spills', 'spills', (v) => (v ? bytes(v) : ''),
         {value: spills, help: 'bytes stored and loaded'}),
     numeric(
         'shared', 'shared memory', bytes,
         {value: (k) => (known(k.block) ? k.static_shared_bytes + k.dynamic_shared_bytes : null)}),
     numeric('block', 'threads', text), numeric('occupancy', 'occupancy', (v) => percent(v, 0)),
     column('detail', 'detail', {wide: true}),
     column('code_hash', 'machine code', {value: (k) => short(k.code_hash), quiet: true}),
     column('compiler', 'compiler', {quiet: true})];

function answerOfKernels(rows) {
  const bad = rows.filter((k) => failedOutcome(k.outcome)),
        spilling = rows.filter((k) => spills(k) > 0).sort((a, b) => spills(b) - spills(a));
  const worst = spilling[0];
  return {
    bad: bad.length > 0,
    text: `${
        bad.length ? `${plural(bad.length, 'kernel')} did not compile: ${bad[0].variant} on ${
                         bad[0].arch}. ` :
                     ''}${plural(rows.length, 'kernel')} for ${
        distinct(rows.map((k) => k.arch)).join(', ')}; ${
        worst ? `${spilling.length} spill, most ${worst.variant} on ${worst.arch}, ${
                    bytes(spills(worst))}` :
                'none spills'}.`
  };
}

// An entry of a tuning database, or of what `best` picked of one.
const entryRow = (entry) => ({...entry, deviceName: entry.device?.name});
const rangeOfTimes = (values) =>
    (Math.min(...values) === Math.max(...values) ?
         times(values[0]) :
         `${times(Math.min(...values))} to ${times(Math.max(...values))}`);
const entryColumns = [
  column('what', 'what', {lead: true}), column('part', 'part'), column('data', 'data'),
  numeric('rank', 'rank', text, {value: (e) => e.shape?.rank}), column('objective', 'objective'),
  column('device', 'device', {value: (e) => e.deviceName}),
  numeric('median_seconds', 'median', seconds), numeric('default_seconds', 'default', seconds),
  numeric(
      'speedup', 'over default', (v) => (known(v) ? times(v) : ''),
      {value: (e) => (e.median_seconds > 0 ? e.default_seconds / e.median_seconds : null)}),
  numeric('ties', 'tie set', text, {value: (e) => e.ties?.length}),
  column('pick', 'pick', {value: (e) => pipelineText(e.pick), wide: true})
];
const entryDetail = (e) => facts([
  ['pick', code(pipelineText(e.pick))],
  ['default', e.default_pick && code(pipelineText(e.default_pick))],
  ['shape', e.shape && `${e.shape.rows} x ${e.shape.cols}, ${e.shape.nnz} ratings`],
  ['accuracy', e.accuracy && besideExact(e.accuracy)],
  ['found by', e.search && `${e.search.strategy}, ${plural(e.search.evaluations, 'evaluation')}`],
  ['measured', e.provenance?.time_utc], ['commit', short(e.provenance?.git_commit)]
]);

// One row a commit, GOOD first; what `result` says comes from its comparison with GOOD.
function commitRows(doc) {
  const probes = new Map((doc.probes ?? []).map((probe) => [probe.commit, probe]));
  return (doc.commits ?? []).map((commit, i) => ({
                                   ...probes.get(commit.id),
                                   ...commit,
                                   at: i,
                                   accused: (doc.among ?? []).includes(commit.id),
                                   doc
                                 }));
}

function answerOfBisection(rows) {
  const {conclusion, case: name, ratio, range} = rows[0].doc,
                                        accused = rows.filter(
                                            (row) => row.accused && row.doc === rows[0].doc);
  const slower = `${name} is ${effect(ratio)} slower`;
  const texts = {
    found: `${accused.map((c) => `${short(c.id)} (${c.subject})`)[0]}: ${slower}.`,
    narrowed: `One of ${plural(accused.length, 'commit')}: ${slower}.`,
    clean: `No case is slower in ${range}.`
  };
  return {
    bad: conclusion !== 'clean',
    text: texts[conclusion] ?? `${range}: ${conclusion}; no case was followed.`
  };
}

const strategyRows = (doc) =>
    (doc.spaces ??
     []).flatMap((space) => space.strategies.map((one) => ({...one, ...space, ...one})));

function answerOfStrategies(rows) {
  const firsts = [...groupBy(rows, (row) => row.recording).values()].map(
      (group) => group.filter((row) => known(row.median_evaluations))
                     .sort((a, b) => a.median_evaluations - b.median_evaluations)[0]);
  const [name, won] = [...groupBy(firsts.filter(Boolean), (row) => row.strategy)].sort(
                          (a, b) => b[1].length - a[1].length)[0] ??
      ['none', []];
  return {
    bad: false,
    text: `${name} needs the fewest evaluations on ${won.length} of ${
        plural(firsts.length, 'recorded space')}.`
  };
}

const share = (value) => percent(value, 1);

// rows(doc) of one file, columns(rows) and answer(rows) of all.
const TABLES = {
  static: {
    title: 'Static baselines',
    question: 'What does the compiler make of each kernel?',
    rows: (doc) => (doc.kernels ?? []).map((k) => ({
                                             ...k,
                                             ...k.report,
                                             kernel: `launch ${k.launch}`,
                                             arch: doc.arch,
                                             compiler: doc.compiler
                                           })),
    columns: kernelColumns,
    answer: answerOfKernels,
    sort: '-spills'
  },
  compile: {
    title: 'Compiled kernels',
    question: 'What does the compiler make of each kernel?',
    rows: (doc) => (doc.kernels ?? []).map((k) => ({
                                             ...k,
                                             ...k.report,
                                             kernel: k.instance,
                                             rank: doc.rank,
                                             compiler: `nvrtc ${doc.nvrtc}`
                                           })),
    columns: kernelColumns,
    answer: answerOfKernels,
    sort: '-spills'
  },
  tuned: {
    title: 'Tuning databases',
    question: 'Which configurations are kept for which shapes?',
    rows: (doc) => (doc.entries ?? []).map(entryRow),
    columns: () => entryColumns,
    answer: (rows) => ({
      bad: false,
      text: rows.length === 0 ?
          'No entries yet.' :
          `${plural(rows.length, 'entry', 'entries')} for ${
              distinct(rows.map((e) => e.deviceName)).join(', ')}: ${
              rangeOfTimes(
                  rows.map((e) => e.default_seconds / e.median_seconds))} as fast as the default.`
    }),
    detail: entryDetail
  },
  best: {
    title: 'Best configurations',
    question: 'Which configuration is best for this shape?',
    rows: (doc) => (doc.picks ?? []).map((pick) => ({
                                           ...entryRow(pick.entry ?? {}),
                                           ...pick,
                                           what: doc.what,
                                           objective: doc.objective,
                                           deviceName: doc.device?.name
                                         })),
    columns: () =>
        [...entryColumns, column('level', 'found by'),
         column('stale', 'stale', {value: (row) => (row.stale ? 'yes' : null)}),
         column('reason', 'reason', {wide: true})],
    answer: (rows) => ({
      bad: false,
      text:
          rows.map((row) => {
                const steps = row.pick.map((step) => `${step.stage}/${step.variant}`);
                const gain = row.entry ?
                    `, ${times(row.default_seconds / row.median_seconds)} as fast as the default` :
                    '';
                return `${row.part}: ${steps.join(', ')}${gain} (${row.level})`;
              })
              .join('; ') +
          '.'
    }),
    detail: entryDetail
  },
  bisection: {
    title: 'Bisections',
    question: 'Which commit made a case slower?',
    rows: commitRows,
    columns: () =>
        [numeric('at', 'commit', text),
         column('id', 'hash', {value: (row) => short(row.id), lead: true}),
         column('subject', 'subject', {wide: true}), column('result', 'result'),
         numeric('ratio', 'effect', effect), numeric('ratio_low', 'from', effect),
         numeric('ratio_high', 'to', effect), column('reason', 'reason', {wide: true}),
         column('accused', 'accused', {value: (row) => (row.accused ? 'yes' : null)})],
    answer: answerOfBisection,
    rowClass: (row) => (row.accused ? 'failed' : '')
  },
  strategies: {
    title: 'Search strategies',
    question: 'Which strategy finds a fast configuration soonest?',
    rows: strategyRows,
    columns: () =>
        [column('strategy', 'strategy', {lead: true}), column('tool', 'tool'),
         column('recording', 'recording'), column('device', 'device'),
         numeric('points', 'points', text), numeric('median_evaluations', 'evaluations', text, {
           help: 'median over the seeds until a point near the best was found'
         }),
         numeric('found', 'found within a tenth', share, {
           value: (row) => row.within_tenth / row.seeds,
           help: 'of the seeds, with a tenth of the points'
         }),
         numeric('seeds', 'seeds', text)],
    answer: answerOfStrategies
  },
  doctor: {
    title: 'Machines',
    question: 'Is the machine fit to run and to measure?',
    rows: (doc) => doc.findings ?? [],
    columns: () =>
        [column(
             'health', 'health', {node: (row) => (row.health === 'ok' ? null : badge(row.health))}),
         column('name', 'check', {lead: true}), column('finding', 'finding', {wide: true}),
         column('remedy', 'remedy', {wide: true})],
    answer: (rows) => {
      const bad = rows.find((row) => row.health === 'fail');
      return {
        bad: bad !== undefined,
        text: `${bad ? `${bad.name}: ${bad.finding}. ` : ''}${plural(rows.length, 'check')}: ${
            counted(rows, (row) => row.health)}.`
      };
    },
    rowClass: (row) => (row.health === 'fail' ? 'failed' : '')
  },
  evaluation: {
    title: 'Models on test ratings',
    question: 'How well do these models predict?',
    rows: (doc) => [{...doc.model, ...doc.test, ...doc.ranking, rmse: doc.rmse, mae: doc.mae}],
    columns: () =>
        [column('data', 'trained on', {lead: true}), column('feedback', 'feedback'),
         numeric('rank', 'rank', text), numeric('ratings', 'test ratings', text),
         numeric('cold', 'cold', text), numeric('rmse', 'RMSE', (v) => digits(v, 5)),
         numeric('mae', 'MAE', (v) => digits(v, 5)), numeric('k', 'k', text),
         ...['precision', 'recall'].map((key) => numeric(key, key, (v) => digits(v, 4))),
         ...['ndcg', 'map'].map((key) => numeric(key, key.toUpperCase(), (v) => digits(v, 4)))],
    answer: (rows) => ({
      bad: false,
      text: rows.map(
                    (row) => `${row.data}, rank ${row.rank}: ${
                        known(row.rmse) ? `RMSE ${digits(row.rmse, 5)}` :
                            known(row.ndcg) ? `NDCG at ${row.k} ${digits(row.ndcg, 4)}` :
                                              'no ranking was asked for'}`)
                .slice(0, 3)
                .join('; ') +
          '.'
    })
  },
};

function tableSection(kind, files) {
  const {title, question, rows: rowsOf, columns: columnsOf, answer, ...options} = TABLES[kind];
  const rows =
      files.flatMap((file) => rowsOf(file.document).map((row) => ({...row, file: file.name})));
  const columns =
      [...columnsOf(rows), column('file', 'file', {value: (row) => fileStem(row.file)})];
  // A column that is empty, quiet, or the same in many rows is left for the reader to choose.
  const tells = (one) => {
    const texts = distinct(rows.map((row) => one.text(row)));
    if (one.key === 'file') return files.length > 1;
    return !one.quiet && texts.some(Boolean) &&
        (one.lead || one.number || one.wide || texts.length > 1 || rows.length < 8);
  };
  return {
    id: kind,
    title,
    question,
    answer: rows.length ? answer(rows) : {bad: false, text: 'Nothing is in these files yet.'},
    node: [new DataTable({
             id: `${kind}.rows`,
             title: title.toLowerCase(),
             rows,
             columns,
             shown: columns.filter(tells).map((one) => one.key),
             ...options
           }).node],
    files
  };
}
