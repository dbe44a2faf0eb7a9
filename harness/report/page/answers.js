// SPDX-License-Identifier: Apache-2.0
// The result of each group of files, in a sentence.
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

// Which variant is fastest on each stage, how often, and by how much: the sentence of a stage.
function fastestSentence(stage, rows) {
  const groups =
      [...groupBy(rows, (row) => `${groupName(row)} ${row.rank} ${row.file}`).values()].filter(
          (group) => group.length > 1);
  if (groups.length === 0) return null;
  const wins = groups.map((group) => {
    const sorted = [...group].sort((a, b) => a.median - b.median), names = shortNames(group);
    const several = distinct(group.map((row) => row.variant)).length > 1;
    const other = several ? sorted.find((row) => row.variant !== sorted[0].variant) :
                            sorted[sorted.length - 1];
    return {
      name: several ? sorted[0].variant : shortened(names.get(sorted[0]).split(' ').slice(1)),
      lead: other.median / sorted[0].median,
      several
    };
  });
  const [name, won] =
      [...groupBy(wins, (win) => win.name)].sort((a, b) => b[1].length - a[1].length)[0];
  const lead = median(won.map((win) => win.lead)),
        than = won[0].several ? 'the next variant' : 'the slowest setting';
  if (lead < DIFFERS)
    return `${stage}: ${won[0].several ? 'variants' : 'settings'} differ by less than ${
        percent(DIFFERS - 1, 0)}.`;
  return `${stage}: ${name} is fastest${
      groups.length > 1 ? ` in ${won.length} of ${groups.length} groups` :
                          ''}, ${times(lead)} as fast as ${than}.`;
}

const CLOSE = 0.001;  // how near a metric counts as good as the lowest

function trainingSentence(trainings) {
  const ok = trainings.filter((one) => one.outcome === 'ok' && one.curve.length);
  if (ok.length === 0) return null;
  const aimed = ok.filter((one) => one.target !== null),
        reached = aimed.filter((one) => one.toTarget !== null);
  if (aimed.length) {
    if (reached.length === 0)
      return `None of ${plural(aimed.length, 'training')} reached its target.`;
    const first = reached.reduce((best, one) => (one.toTarget < best.toTarget ? one : best));
    return `${reached.length} of ${plural(aimed.length, 'training')} reached the target; ${
        first.short} is first, after ${seconds(first.toTarget)}.`;
  }
  const groups =
      [...groupBy(ok, (one) => `${one.problem} ${one.deviceName} ${one.metric}`).values()].sort(
          (a, b) => b.length - a.length);
  // Trainings that nothing is compared with have a sentence each.
  return groups.slice(0, groups[0].length > 1 ? 1 : 3).map(comparedSentence).join(' ');
}

// Of trainings of one problem on one device by one metric.
function comparedSentence(group) {
  const lowest = Math.min(...group.map((one) => one.test ?? Infinity)),
        near = group.filter((one) => one.test <= lowest * (1 + CLOSE));
  const fast = (near.length ? near : group)
                   .reduce((best, one) => (one.perIteration < best.perIteration ? one : best));
  const metric = (fast.metric ?? 'metric').replace('_', ' ').replace('rmse', 'RMSE');
  if (group.length === 1)
    return `Training on ${fast.problem}: ${seconds(fast.perIteration)} an iteration, ${metric} ${
        digits(fast.test, 4)}.`;
  return `${fast.short} trains fastest, ${seconds(fast.perIteration)} an iteration${
      fast.problem ? ` on ${fast.problem}` :
                     ''}, within ${percent(CLOSE)} of the lowest ${metric}, ${digits(lowest, 4)}.`;
}

function failureText(records) {
  const bad = records.filter((row) => failedOutcome(row.outcome));
  if (bad.length === 0) return null;
  const counts = [...groupBy(bad, (row) => row.outcome)]
                     .map(([outcome, group]) => `${group.length} ${outcome}`)
                     .join(', ');
  return `${bad.length} of ${plural(records.length, 'case')} failed (${counts}): ${
      bad.slice(0, 2).map((row) => row.name).join('; ')}${bad.length > 2 ? ' \u2026' : ''}.`;
}

// Reference rates answer last, also where a suite measures them as cases.
const REFERENCE_STAGES = [
  'fma', 'mma', 'copy', 'read', 'gather_l1', 'gather_l2', 'gather_memory', 'gather_copy', 'spin',
  'gemm_batched', 'factorize_batched'
];
const isReference = (stage) => Number(REFERENCE_STAGES.includes(stage));

function answerOfRun(rows, trainings) {
  const records = [...rows, ...trainings], failed = failureText(records);
  const cases = timed(rows).filter(
      (row) =>
          (row.config.phase ?? 'all') === 'all' && row.mode === (row.record.cold ? 'cold' : 'hot'));
  const stages = [...groupBy(cases, (row) => row.stage)].sort(
      (a, b) => isReference(a[0]) - isReference(b[0]) || b[1].length - a[1].length);
  const sentences = [
    failed, trainingSentence(trainings),
    ...stages.map(([stage, group]) => fastestSentence(stage, group))
  ].filter(Boolean);
  if (sentences.length === 0) sentences.push(`${plural(cases.length, 'case')} measured.`);
  const verified = failed ?
      null :
      `All ${
          plural(
              distinct(
                  records.filter((row) => row.outcome === 'ok').map((row) => row.file + row.name))
                  .length,
              'case')} passed their checks.`;
  return {bad: Boolean(failed), text: sentences.slice(0, 2).join(' '), after: verified};
}

const VERDICTS =
    ['wrong', 'failed', 'missing', 'slower', 'environment', 'undecided', 'faster', 'same', 'new'];

function countsOf(cases) {
  const groups = groupBy(cases, (c) => c.verdict);
  return VERDICTS.filter((verdict) => groups.has(verdict))
      .map((verdict) => `${groups.get(verdict).length} ${verdict}`)
      .join(', ');
}

function conclusionOf(comparison, rules) {
  const {cases, controls} = comparison;
  const compared = cases.filter((c) => c.base_launches > 0 && c.test_launches > 0);
  if (cases.some((c) => ['failed', 'wrong', 'missing'].includes(c.verdict))) return 'failed';
  if (cases.some((c) => c.verdict === 'slower' || c.figures?.some((one) => one.worse)))
    return 'regression';
  const most = rules.max_undecided ?? 0.1;
  const open = cases.filter(
      (c) => c.verdict === 'environment' || (c.verdict === 'undecided' && c.code !== 'same'));
  return compared.length === 0 || open.length > most * compared.length ||
          (most < 1 && open.some((c) => c.too_few_launches)) || controls.some(judge.moved) ?
      'unfit' :
      'clean';
}

function answerOfComparison(comparison, rules, self) {
  const conclusion = conclusionOf(comparison, rules), cases = comparison.cases;
  const worst = cases.filter((c) => c.verdict === 'slower').sort((a, b) => b.ratio - a.ratio)[0];
  const moved = comparison.controls.filter(judge.moved);
  const heads = {
    failed: 'Cases failed or vanished.',
    clean: `No regression at a bound of ${percent(rules.bound, 2)}.`,
    regression: worst ? `Regression: ${worst.name} is ${effect(worst.ratio)} slower.` :
                        'Regression: a figure other than time is worse.',
    unfit: moved.length ? `The environment is unfit: the control ${moved[0].name} moved by ${
                              effect(moved[0].ratio)}.` :
                          'Too much is undecided to say.',
  };
  const head = self ? `A build against itself: ${plural(self.alarms, 'false alarm')} in ${
                          self.comparisons} comparisons.` :
                      heads[conclusion];
  return {
    conclusion,
    bad: conclusion === 'failed' || conclusion === 'regression',
    text: `${head} ${countsOf(cases)}.`
  };
}

function answerOfTuning(doc) {
  const {best, best_seconds: fast, default_seconds: usual, tie_set: ties = []} = doc.result ?? {};
  if (!best) return {bad: true, text: 'No point could be measured.'};
  return {
    bad: false,
    text: `${stepText(best)} takes ${seconds(fast)}${
        usual ? `, ${times(usual / fast)} as fast as the default` :
                ''}; ${plural(ties.length, 'point')} in the tie set.`
  };
}

function answerOfPipelines(doc) {
  const parts = (doc.parts ?? [])
                    .map(
                        (one) => `${one.part} takes ${seconds(one.median_seconds)}, ${
                            times(one.speedup_over_default)} as fast as the default`);
  return {
    bad: parts.length === 0,
    text: parts.length ? `${parts.join('; ')}. ${besideExact(doc.gate)}.` : 'Nothing passed.'
  };
}
