// SPDX-License-Identifier: Apache-2.0
// Sentences of answers: what is fastest, near its ceiling, first at its target.
'use strict';

// The first sentence of a suite's description that asks something.
function questionOf(description) {
  const found = (description ?? '').match(/[^.?]*\?/);
  return found ? found[0].trim() : (description ?? '').split('. ')[0];
}

// The first settings of a name; those left out are in the table.
const shortened = (settings) =>
    settings.slice(0, 3).join(', ') + (settings.length > 3 ? ', \u2026' : '');

const DIFFERS = 1.02;  // a lead below it is none
const CLOSE = 0.001;   // how near a metric counts as good as the lowest
const MARGIN = 0.005;  // of exact ALS's lowest metric: a target where none is declared
const MAX_GROUPS = 3;  // that have a sentence each

// Reference rates answer last, also where a suite measures them as cases.
const REFERENCE_STAGES = [
  'fma', 'mma', 'copy', 'read', 'gather_l1', 'gather_l2', 'gather_memory', 'gather_copy', 'spin',
  'gemm_batched', 'factorize_batched'
];
const isReference = (stage) => REFERENCE_STAGES.includes(stage);

const metricName = (metric) => (metric ?? 'test metric').replace('_', ' ').replace('rmse', 'RMSE');
// "netflix, rank 100", or the file of a training without a name for its ratings.
const placeOf = (one) => (one.problem || fileStem(one.file)).replace('/rank:', ', rank ');
const isExact = (training) => training.short.split(/[- ]/).includes('exact');
const isDefault = (training) => training.short.split(' ')[0] === 'default';
const least = (list, value) =>
    list.reduce((best, one) => (best === null || value(one) < value(best) ? one : best), null);

// Trainings that may be compared by their metric; the largest groups first.
const comparable = (trainings, more = () => '') =>
    [...groupBy(trainings, (one) => `${one.problem} ${one.metric} ${one.objective} ${more(one)}`)
         .values()]
        .sort((a, b) => b.length - a.length);
const bySameDevice = (one) => one.device ?? one.deviceName;

// Stages of cases, reference rates last.
const byStage = (cases) => [...groupBy(cases, (row) => row.stage)].sort(
    (a, b) => isReference(a[0]) - isReference(b[0]) || b[1].length - a[1].length);

// The fastest of a group of rows, and by how much.
function winOf(group) {
  const sorted = [...group].sort((a, b) => a.median - b.median), names = shortNames(group);
  const several = distinct(group.map((row) => row.variant)).length > 1;
  const other =
      several ? sorted.find((row) => row.variant !== sorted[0].variant) : sorted[sorted.length - 1];
  return {
    several,
    name: several ? sorted[0].variant : shortened(names.get(sorted[0]).split(' ').slice(1)),
    lead: other.median / sorted[0].median,
    seconds: sorted[0].median,
    place: [placeOf(sorted[0]), sorted[0].part].filter(Boolean).join(', ')
  };
}

// Which variant is fastest on a stage, how often, what it takes, and by how much it leads.
function fastestSentence(stage, rows) {
  const groups =
      [...groupBy(rows, (row) => `${groupName(row)} ${row.rank} ${row.file}`).values()].filter(
          (group) => group.length > 1);
  if (groups.length === 0) return null;
  const wins = groups.map(winOf);
  const [[name, won], ...others] =
      [...groupBy(wins, (win) => win.name)].sort((a, b) => b[1].length - a[1].length);
  const lead = median(won.map((win) => win.lead)), several = won[0].several;
  if (lead < DIFFERS && others.length === 0)
    return `${stage}: ${several ? 'variants' : 'settings'} differ by less than ${
        percent(DIFFERS - 1, 0)}.`;
  const all = won.map((win) => win.seconds),
        taken = all.length > 1 ? rangeText([Math.min(...all), Math.max(...all)]) : seconds(all[0]);
  const rest = others.slice(0, 2).map(
      ([other, own]) =>
          `; ${other} in ${own.length} (${own[0].place}${own.length > 1 ? ', \u2026' : ''})`);
  return `${stage}: ${name} is fastest${
      groups.length > 1 ? ` in ${won.length} of ${groups.length} groups` :
                          ''}, ${taken}, ${times(lead)} as fast as ${
      several ? 'the next variant' : 'the slowest setting'}${rest.join('')}.`;
}

// Time of an iteration of the fastest training that is as good as the best.
function iterationSentence(group) {
  const lowest = Math.min(...group.map((one) => one.test ?? Infinity)),
        near = group.filter((one) => one.test <= lowest * (1 + CLOSE)),
        fast = least(near.length ? near : group, (one) => one.perIteration),
        slow = group.find((one) => isExact(one) && one !== fast) ??
      least(group, (one) => -one.perIteration);
  const beside = slow === fast ?
      '' :
      `, ${times(slow.perIteration / fast.perIteration)} as fast as ${slow.short}`;
  return `${placeOf(fast)}: ${fast.short} takes ${seconds(fast.perIteration)} an iteration${
      beside}; ${metricName(fast.metric)} ${digits(fast.test, 4)}${
      group.length > 1 ? `, within ${percent(CLOSE)} of the lowest of ${group.length}` : ''}.`;
}

// Target of trainings: the one that is declared, else near the metric of exact FP32.
function targetOf(group) {
  const declared = group.find((one) => known(one.target));
  if (declared) return declared.target;
  const exact = group.filter(isExact);
  return Math.min(...(exact.length ? exact : group).map((one) => one.best)) * (1 + MARGIN);
}

function targetSentence(group) {
  const target = targetOf(group);
  const there =
      group.map((one) => ({one, point: one.curve.find((p) => known(p.test) && p.test <= target)}))
          .filter(({point}) => point)
          .sort((a, b) => a.point.seconds - b.point.seconds);
  const goal = `${placeOf(group[0])}, ${metricName(group[0].metric)} ${digits(target, 4)}`;
  if (there.length === 0) return `${goal}: none of ${plural(group.length, 'training')} reached it.`;
  const after = ({one, point}) =>
      `${one.short} after ${seconds(point.seconds)} (${plural(point.iteration, 'iteration')})`;
  const exact = there.slice(1).find(({one}) => isExact(one));
  return `${goal}: ${after(there[0])} is first${exact ? `, ${after(exact)}` : ''}; ${
      there.length} of ${group.length} reached it.`;
}

const trainingSentences = (trainings) => {
  const aimed = trainings.some((one) => known(one.target));
  return comparable(trainings, aimed ? undefined : bySameDevice)
      .slice(0, MAX_GROUPS)
      .map(aimed ? targetSentence : iterationSentence);
};

const ownRate = (stage) => {
  if (['gather_l1', 'gather_l2', 'gather_memory'].includes(stage)) return 'gathered';
  return stage.includes('copy') || stage === 'read' ? 'bytes' : 'flops';
};

// Each stage's highest rate by storage type: those of stages in the unit of the reference that is
// measured beside them.
function rateSentences({cases}) {
  const reference = cases.find((row) => isReference(row.stage));
  const stages = [...groupBy(cases, (row) => row.stage)].map(([stage, rows]) => {
    const key = isReference(stage) || !reference ? ownRate(stage) : ownRate(reference.stage);
    const types = groupBy(
        rows.filter((row) => row[key] > 0),
        (row) => row.config.precision ?? row.config.factors ?? row.config.matrix ?? '');
    const best = [...types]
                     .map(([type, group]) => [type, Math.max(...group.map((row) => row[key]))])
                     .sort((a, b) => b[1] - a[1]);
    const unit = (type) => (key !== 'flops' ? 'B/s' : type === 'int8' ? 'OP/s' : 'FLOP/s');
    return best.length &&
        `${stage} ${
               best.map(([type, most]) => `${rate(most, unit(type))}${type && ` (${type})`}`)
                   .join(', ')}`;
  });
  return [`Highest rates: ${stages.filter(Boolean).join('; ')}.`];
}

// The largest share of the nearest ceiling that each stage reaches, a sentence a device.
function shareSentences({cases}) {
  const own = cases.filter((row) => !isReference(row.stage)),
        shared = own.filter((row) => known(row.share)),
        unmeasured = distinct(own.flatMap((row) => row.unmeasured));
  if (shared.length === 0 && unmeasured.length)
    return [`No case has a share of a ceiling: ${unmeasured.join(', ')} were not measured.`];
  return [...groupBy(shared, (row) => row.deviceName)].map(([device, rows]) => {
    const best = [...groupBy(rows, (row) => row.stage).values()]
                     .map((group) => least(group, (row) => -row.share))
                     .sort((a, b) => b.share - a.share);
    return `Of the nearest ceiling of ${device}: ${
        best.map(
                (row) => `${row.stage} ${percent(row.share, 0)} (${row.ceiling.of}${
                    row.unmeasured.length ? '?' : ''})`)
            .join(', ')}.`;
  });
}

// How the fastest series of a kind grows from the least rank to the most; null of one rank.
function growthSentence(kind, points) {
  const top = Math.max(...points.map((point) => point.rank));
  const ends = [...groupBy(points, (point) => point.series)]
                   .map(([series, own]) => ({
                          series,
                          first: least(own, (point) => point.rank),
                          last: least(own, (point) => -point.rank)
                        }))
                   .filter(({last}) => last.rank === top);
  const {series, first, last} = least(ends, (one) => one.last.taken);
  if (first.rank === top) return null;
  return `${kind}, ${series}: ${seconds(first.taken)} at rank ${first.rank}, ${
      seconds(last.taken)} at rank ${top}: ${times(last.taken / first.taken)} for ${
      times(top / first.rank)} the rank.`;
}

function growthSentences({cases, trainings}) {
  const kinds = groupBy(
      cases.filter((row) => !isReference(row.stage)),
      (row) => [row.stage, row.part, row.backend].filter(Boolean).join(' '));
  const measured = [...kinds].map(([kind, rows]) => {
    const names = shortNames(rows, ['rank']);
    return growthSentence(
        kind, rows.map((row) => ({series: names.get(row), rank: row.rank, taken: row.median})));
  });
  const trained = [...groupBy(trainings, (one) => one.backend)].map(
      ([backend, own]) => growthSentence(
          `an iteration on ${backend}`,
          own.map((one) => ({series: one.short, rank: one.rank, taken: one.perIteration}))));
  return [...measured, ...trained];
}
