// SPDX-License-Identifier: Apache-2.0
// A section a suite, and one of trainings: {id, title, question, answer, node, files}.
'use strict';

const verdictClass = (verdict) => ({
                                    slower: '.bad-text',
                                    failed: '.bad-text',
                                    wrong: '.bad-text',
                                    missing: '.bad-text',
                                    regression: '.bad-text',
                                    regressed: '.bad-text',
                                    improved: '.good-text',
                                    faster: '.good-text',
                                    same: '.good-text',
                                    clean: '.good-text'
                                  })[verdict] ??
    '.warn-text';
const badge = (text) => el(`span.badge${verdictClass(text)}`, {title: meaningOf(text)}, text);
const fileStem = (name) => name.replace(/\.json(\.gz)?$/, '');
const when = (doc) => doc.provenance?.time_utc?.slice(0, 10);
// "4.58 - 5.17 ms": the unit once where both ends have it.
function rangeText([low, high]) {
  const [from, to] = [seconds(low), seconds(high)], unit = to.split(' ')[1];
  return `${from.endsWith(` ${unit}`) ? from.split(' ')[0] : from} \u2013 ${to}`;
}
const intervalText = (row) =>
    (row.interval ? rangeText(row.interval) :
         row.samples.length > 1 ?
                    `~ ${rangeText([Math.min(...row.samples), Math.max(...row.samples)])}` :
                    '') +
    (row.disturbed ? ' disturbed' : '');

function footOf(files) {
  const parts = [
    distinct(files.flatMap((file) => deviceNames(file.document))).join(', '),
    distinct(files.map((file) => when(file.document))).join(', '),
    files.length > 1 ? `${files.length} files` : files[0].name
  ];
  return parts.filter(Boolean).join(' \u00b7 ');
}

function differencesNode(files) {
  const differences = files.length > 1 ? environmentDifferences(files) : [];
  if (differences.length === 0)
    return files.length > 1 ?
        el('p.small.soft', {}, 'The environments of these files are the same.') :
        '';
  const head =
      el('tr', {}, el('th', {scope: 'col'}, 'differs'),
         ...files.map((file) => el('th', {scope: 'col'}, fileStem(file.name))));
  return el(
      'details', {open: differences.length < 8},
      el('summary', {}, `The environments differ in ${plural(differences.length, 'fact')}`),
      el('div.scroll',
         {tabindex: 0, role: 'region', 'aria-label': 'Differences of the environments'},
         el('table', {}, el('thead', {}, head),
            el('tbody', {},
               ...differences.map(
                   ([name, values]) =>
                       el('tr', {}, el('th', {scope: 'row'}, name),
                          ...values.map(
                              (value) =>
                                  el('td', {}, known(value) ? String(value) : 'not stated'))))))));
}

function caseDetail(row) {
  const check = row.record?.verification, kernels = row.record?.kernels ?? [];
  return facts([
    ['case', code(row.name)],
    ['outcome', row.detail ? `${row.outcome}: ${row.detail}` : row.outcome],
    [
      'median',
      row.median &&
          `${seconds(row.median)}; ${row.interval ? '95 % interval' : 'least and most'} ${
              intervalText(row).replace('~ ', '')}; ${plural(row.samples.length, 'sample')}, ${
              plural(row.launches.length, 'launch', 'launches')}`
    ],
    [
      'disturbed',
      row.disturbed &&
          (typeof row.disturbed === 'string' ? row.disturbed : JSON.stringify(row.disturbed))
    ],
    [
      'nearest ceiling',
      row.ceiling && `${percent(row.ceiling.share)} of ${row.ceiling.of}: ${row.ceiling.row}`
    ],
    [
      'bound by',
      row.bound &&
          `${row.bound.by}, ${
              row.bound.from === 'predicted' ? 'predicted of counted work and measured ceilings' :
                                               'by hardware counters'}`
    ],
    ['units busy', row.counters && unitsText(row.counters)],
    ['warps wait for', row.counters?.stalls.length ? stallsText(row.counters) : null],
    ['no counters', row.measurement?.counters?.refusal?.detail],
    ['ceilings not measured', row.unmeasured?.length ? row.unmeasured.join(', ') : null],
    [
      'comparisons',
      row.measurement?.shares?.filter((share) => share.kind === 'comparison')
              .map((share) => `${percent(share.share)} of ${share.of}`)
              .join('; ') ||
          null
    ],
    [
      'check',
      check && `largest error ${digits(check.max_error)}, tolerance ${digits(check.tolerance)}`
    ],
    [
      'kernels',
      kernels.length ?
          kernels
              .map(
                  (k) => `${k.instance || 'kernel'}: ${k.registers} registers, ${
                      k.static_shared_bytes +
                      k.dynamic_shared_bytes} B shared, occupancy ${percent(k.occupancy, 0)}`)
              .join('; ') :
          null
    ],
    ['peak memory', row.memory && bytes(row.memory)],
    ['log', row.record?.log_tail?.length ? row.record.log_tail.join(' / ') : null],
    ['run it again', code(row.command)]
  ]);
}

// A column for each parameter in which rows differ.
const parameterColumns = (rows) => varyingKeys(rows).map(
    (key) => column(key, key, {value: (row) => asNumber(row.config[key]) ?? row.config[key]}));

// Of cases whose hardware counters were read.
const counterColumns = () =>
    [numeric('dram_difference', 'DRAM off model', percent, {
       value: (row) => row.measurement?.dram?.difference,
       help: 'bytes through device memory that counters saw, over those of the model, less 1'
     }),
     numeric('l2_difference', 'L2 off model', percent, {
       value: (row) => row.measurement?.l2?.difference,
       help: 'bytes asked of L2 that counters saw, over those of the model, less 1'
     }),
     numeric('l1_hits', 'L1 hits', percent, {value: (row) => row.counters?.l1_hits}),
     numeric('l2_hits', 'L2 hits', percent, {value: (row) => row.counters?.l2_hits}),
     column('top_stall', 'top stall', {value: (row) => row.counters?.stalls[0]?.reason})];

// "tensor 12 %, l1 88 %": how busy units are, and what warps wait for.
const unitsText = (counters) => counters.units.filter(([, share]) => known(share))
                                    .map(([unit, share]) => `${unit} ${percent(share, 0)}`)
                                    .join(', ');
const stallsText = (counters) =>
    counters.stalls.map((one) => `${one.reason} ${percent(one.share, 0)}`).join(', ');

const disturbedColumn = (rows) => column(
    'disturbed', 'disturbed',
    {value: (row) => (row.disturbed ? 'yes' : null), quiet: !rows.some((row) => row.disturbed)});

function caseColumns(rows) {
  const same = (value) => distinct(rows.map(value)).length < 2;
  return [
    column('variant', 'variant', {lead: true}),
    numeric(
        'median_seconds', 'median', seconds,
        {value: (row) => row.median, help: 'the middle one of the samples'}),
    ...parameterColumns(rows).map((one, i) => ({...one, quiet: i >= 6})),
    column('problem', 'problem', {quiet: same((row) => row.data)}),
    numeric('rank', 'rank', text, {quiet: same((row) => row.rank)}),
    column('part', 'part', {quiet: same((row) => row.part)}),
    column('backend', 'backend', {quiet: same((row) => row.backend)}),
    column(
        'cache', 'cache',
        {value: (row) => row.mode, help: meaningOf('cold'), quiet: same((row) => row.mode)}),
    column('file', 'file', {value: (row) => fileStem(row.file), quiet: same((row) => row.file)}),
    column('outcome', 'outcome', {
      node: (row) => (failedOutcome(row.outcome) ? badge(row.outcome) : null),
      quiet: same((row) => row.outcome)
    }),
    column('interval', '95 % interval', {
      value: (row) => row.interval?.[0],
      text: intervalText,
      number: true,
      help: 'of the median; after ~ the least and the most of fewer than 6 samples'
    }),
    numeric('noise', 'noise', percent, {help: 'interquartile range over the median', quiet: true}),
    disturbedColumn(rows),
    numeric('flops_per_second', 'FLOP/s', (v) => rate(v, ''), {value: (row) => row.flops}),
    numeric(
        'bytes_per_second', 'B/s', (v) => rate(v, 'B/s'),
        {value: (row) => row.bytes, quiet: true, help: meaningOf('compulsory bytes')}),
    numeric(
        'gathered_bytes_per_second', 'gathered B/s', (v) => rate(v, 'B/s'),
        {value: (row) => row.gathered, quiet: true, help: meaningOf('gathered bytes')}),
    numeric(
        'share_of_ceiling', 'of ceiling', percent,
        {value: (row) => row.share, help: 'share of the nearest ceiling that was measured'}),
    column('nearest_ceiling', 'nearest ceiling', {
      value: (row) => row.ceiling?.of,
      text: (row) => `${row.ceiling?.of ?? ''}${row.unmeasured?.length ? '?' : ''}`,
      help:
          'the measured ceiling of which the case reaches the largest share; ? where others were not measured'
    }),
    column('bound', 'bound by', {
      value: (row) => row.bound?.by,
      text: (row) =>
          (row.bound ? `${row.bound.from === 'predicted' ? '~' : ''}${row.bound.by}` : ''),
      help: `${meaningOf('bound by')}; ~ where it is predicted`
    }),
    ...(rows.some((row) => row.counters) ? counterColumns() : []),
    numeric(
        'share_of_gemm', 'of gemm', percent,
        {value: (row) => row.gemm, quiet: true, help: meaningOf('comparison')}),
    numeric(
        'share_of_copy', 'of copy', percent,
        {value: (row) => row.copy, quiet: true, help: meaningOf('comparison')}),
    numeric('registers', 'registers', text, {quiet: true}),
    numeric('samples', 'samples', text, {value: (row) => row.samples.length || null, quiet: true}),
    column('detail', 'detail', {wide: true, quiet: rows.every((row) => row.outcome === 'ok')}),
    column('name', 'full name', {quiet: true}),
    column('command', 'command', {quiet: true})
  ];
}

function stageTables(id, rows) {
  const stages = [...groupBy(rows, (row) => row.stage)].sort(
      (a, b) => (a[1][0].role === 'ceiling') - (b[1][0].role === 'ceiling'));
  return stages
      .map(([stage, group]) => {
        const best = new Set([
          ...groupBy(
              timed(group).filter((row) => !row.disturbed),
              (row) => `${groupName(row)} ${row.rank}`)
              .values()
        ].map((same) => least(same, (row) => row.median)));
        const table = new DataTable({
          id: `${id}.${stage}`,
          title: `cases of ${stage}`,
          columns: caseColumns(group),
          rows: group,
          detail: caseDetail,
          sort: 'median_seconds',
          limit: 12,
          rowClass: (row) =>
              (failedOutcome(row.outcome) ? 'failed' :
                   best.has(row)          ? 'best' :
                                            '')
        });
        const ceiling = group[0].role === 'ceiling',
              head =
                  el('h3', {title: meaningOf(stage)}, stage,
                     ceiling ? el('span.soft.small', {}, ' reference rate') : '');
        return ceiling ?
            el('details', {}, el('summary', {}, `Reference rate: ${stage}`), table.node) :
            [head, table.node];
      })
      .flat();
}

function trainingTable(id, trainings) {
  if (trainings.length === 0) return [];
  const aimed = trainings.some((one) => one.target !== null);
  const columns = [
    column('name', 'training', {value: (row) => row.short, lead: true}),
    numeric('per_iteration', 'an iteration', seconds, {value: (row) => row.perIteration}),
    column('problem', 'problem'), column('device', 'device', {value: (row) => row.deviceName}),
    column('file', 'file', {
      value: (row) => fileStem(row.file),
      quiet: distinct(trainings.map((one) => one.file)).length < 2
    }),
    column('outcome', 'outcome'), numeric('iterations', 'iterations', text),
    numeric('seconds', 'all', seconds), disturbedColumn(trainings),
    numeric(
        'joules', 'energy of an iteration', joules,
        {quiet: !trainings.some((one) => known(one.joules))}),
    numeric('to_target', 'to target', seconds, {value: (row) => row.toTarget, quiet: !aimed}),
    numeric('metric', 'last metric', (v) => digits(v, 5), {value: (row) => row.test}),
    column(
        'pipelines', 'pipelines',
        {value: (row) => row.pipelines.filter(Boolean).join('  |  '), wide: true, quiet: true})
  ];
  const detail = (row) => facts([
    ['x', code(row.pipelines[0])], ['theta', code(row.pipelines[1])],
    ['outcome', row.detail ? `${row.outcome}: ${row.detail}` : row.outcome], ['target', row.target],
    ['energy', row.energy], ['peak memory', row.memory && bytes(row.memory)],
    ['run it again', code(row.command)]
  ]);
  return [
    el('h3', {}, 'training'), new DataTable({
                                id: `${id}.training`,
                                title: 'trainings',
                                columns,
                                rows: trainings,
                                detail,
                                sort: aimed ? 'to_target' : 'per_iteration',
                                limit: 12,
                                rowClass: (row) => (failedOutcome(row.outcome) ? 'failed' : '')
                              }).node
  ];
}

function runSection(name, files) {
  const rows = files.flatMap(rowsOfRun), trainings = files.flatMap(trainingsOf),
        doc = files[0].document, id = name;
  const peers = files.flatMap(peersOf), pair = files.length === 2 ? pairOf(files) : null;
  const answer =
      answerOfRun(doc.suite?.answer, {rows, trainings, peers, pair: pair && judgedPair(pair)});
  const figures = [
    roofline(id, rows), convergence(id, trainings), strips(id, rows), overAxis(id, rows),
    heatMap(id, rows)
  ].filter(Boolean);
  const node = [
    differencesNode(files), el('div.figures', {}, figures), pair && comparedRuns(id, files, pair),
    ...trainingTable(id, trainings), ...peerTable(id, peers), ...stageTables(id, rows)
  ];
  return {id, title: name, question: questionOf(doc.suite?.description), answer, node, files};
}

function trainSection(files) {
  const trainings = files.flatMap(trainingsOf),
        usable = trainings.filter((one) => one.outcome === 'ok' && one.curve.length),
        fit = usable.filter((one) => !one.disturbed);
  return {
    id: 'trainings',
    title: 'Trainings',
    question: 'How fast do these trainings converge?',
    answer: {
      bad: trainings.some((one) => failedOutcome(one.outcome)),
      text: trainingSentences(fit).join(' ') ||
          (usable.length ? 'Nothing is ranked.' : 'No iterations.'),
      disturbed: disturbanceText([], trainings)
    },
    node: [
      differencesNode(files), el('div.figures', {}, convergence('trainings', trainings) ?? ''),
      ...trainingTable('trainings', trainings)
    ],
    files
  };
}
