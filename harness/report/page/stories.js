// SPDX-License-Identifier: Apache-2.0
// The story of a comparison, as harness/judge/report.cpp tells it: another machine, a changed
// method, a real change, too few launches, a change that is not confirmed, or noise.
'use strict';

const STORY_NAMES = {
  machine: 'Other hardware or driver',
  method: 'Changed method',
  change: 'Real change',
  launches: 'Too few launches',
  unconfirmed: 'Cannot tell',
  noise: 'Noise'
};

const changeOf = (c) => Math.abs(Math.log(c.ratio));
const largest = (own, size) => own.reduce((best, c) => (size(c) > size(best) ? c : best));
const shareText = (own, cases, what) => `${own.length} of ${plural(cases.length, 'case')} ${what}`;
const mostText = (most) => `, the most ${most.name} by ${effect(most.ratio)}`;

// "2 of 22 cases slower or faster, the most hermitian/tiled by +5.0 %"; null of none.
function casesStory(cases, what, chosen) {
  const own = cases.filter(chosen);
  if (own.length === 0) return null;
  const hasEffect = (c) => judge.moved(c) || c.verdict === 'environment',
        most = largest(own, (c) => (hasEffect(c) ? changeOf(c) : 0)),
        text = shareText(own, cases, what);
  if (most.verdict === 'undecided') return text;
  return text + (hasEffect(most) ? mostText(most) : `: ${most.name}`);
}

const lacksLaunches = (c) => c.verdict === 'undecided' && Boolean(c.too_few_launches);

// "2 of 3 cases could not be told slower or faster: k (1 + 1 launches) and l (1 + 1); 6 + 6 can
// tell"; null of none.
function launchesStory(cases) {
  const few = cases.filter(lacksLaunches), named = 3;
  if (few.length === 0) return null;
  const names = few.slice(0, named).map(
      (c, i) => `${c.name} (${c.base_launches} + ${c.test_launches}${i === 0 ? ' launches' : ''})`);
  if (few.length > named) names.push(`${few.length - named} more`);
  const last = names.pop(), needed = Math.max(...few.map((c) => c.launches_needed ?? 0));
  return `${few.length} of ${plural(cases.length, 'case')} could not be told slower or faster: ${
      names.length ? `${names.join(', ')} and ${last}` :
                     last}${needed > 0 ? `; ${needed} + ${needed} can tell` : ''}`;
}

const undecided = (c) => c.verdict === 'undecided' && !lacksLaunches(c);

// No noise: all of its interval is an effect that matters.
const beyondBound = (c, bound) =>
    c.ratio_low > 1 + bound || (c.ratio_low > 0 && c.ratio_high < 1 / (1 + bound));

// "2 of 3 cases moved, the most k by +4.4 %, but were not confirmed"; null of none.
function unconfirmedStory(cases, bound) {
  const own = cases.filter((c) => undecided(c) && beyondBound(c, bound));
  if (own.length === 0) return null;
  return `${shareText(own, cases, 'moved')}${mostText(largest(own, changeOf))}, but ${
      own.length === 1 ? 'was' : 'were'} not confirmed`;
}

// Of a comparison, the likeliest first: [{kind, evidence}].
function storiesOf({cases, controls, rules, setup = []}) {
  const told = new Map();
  const add = (kind, evidence) => evidence && told.set(kind, [...(told.get(kind) ?? []), evidence]);
  const tell = (kind, what, chosen) => add(kind, casesStory(cases, what, chosen));
  const differs = (weak) =>
      setup.filter((one) => Boolean(one.weak) === weak)
          .forEach((one) => add(one.story, `${one.name}: ${one.base} \u2192 ${one.test}`));
  const clocked = (c) => judge.moved(c) && c.code !== 'changed' &&
      (c.causes ?? []).some((cause) => cause.kind === 'clock');
  const elsewhere = (c) => c.verdict === 'environment';
  differs(false);
  for (const one of controls.filter(judge.moved))
    add('machine', `the control ${one.name} moved by ${effect(one.ratio)}`);
  tell('machine', 'moved with the clock', clocked);
  tell('change', 'failed or vanished', (c) => ['failed', 'wrong', 'missing'].includes(c.verdict));
  tell('change', 'slower or faster', (c) => judge.moved(c) && !clocked(c));
  tell(
      'change', 'with a worse figure',
      (c) => !judge.moved(c) && (c.figures ?? []).some((one) => one.worse));
  differs(true);
  tell('machine', 'moved with the same machine code', (c) => elsewhere(c) && c.code === 'same');
  add('launches', launchesStory(cases));
  add('unconfirmed', unconfirmedStory(cases, rules.bound));
  tell(
      'noise', 'moved while other work ran',
      (c) => elsewhere(c) && c.code !== 'same' && judge.lengthenedByOtherWork(c));
  tell('noise', 'undecided', (c) => undecided(c) && !beyondBound(c, rules.bound));
  if (told.size === 0) add('noise', 'no case moved by more than launches differ by');
  return [...told].map(([kind, evidence]) => ({kind, evidence: evidence.join('; ')}));
}

const storyList = (stories) =>
    el('ol.stories', {},
       ...stories.map(
           ({kind, evidence}) => el(
               'li', {'data-story': kind}, el('strong', {}, STORY_NAMES[kind]), `: ${evidence}`)));

// Differences of two results, as the record of a comparison has them.
const NO_STORY = ['system', 'threads', 'commit'];
const OF_THE_MACHINE = /^(host CPU|(CPU|GPU)( driver| CUDA driver| power limit)?)$/;
const setupOf = (files) =>
    environmentDifferences(files)
        .filter(([name, values]) => !NO_STORY.includes(name) && values.every((one) => one !== null))
        .map(([name, [base, test]]) => ({
               story: OF_THE_MACHINE.test(name) ? 'machine' : 'method',
               name,
               base: String(base),
               test: String(test)
             }))
        .sort((a, b) => (a.story === 'machine' ? 0 : 1) - (b.story === 'machine' ? 0 : 1));
