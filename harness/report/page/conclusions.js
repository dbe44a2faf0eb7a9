// SPDX-License-Identifier: Apache-2.0
// Conclusions of comparisons and tunings, in a sentence.
'use strict';

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
  return compared.length === 0 || open.length > most * compared.length + 1e-9 ||
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
  const stories = self ? [] : storiesOf({...comparison, rules}),
        story = self ? '' : `${STORY_NAMES[stories[0].kind]}. `;
  return {
    conclusion,
    stories,
    bad: conclusion === 'failed' || conclusion === 'regression',
    text: `${story}${head} ${countsOf(cases)}.`
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
