// SPDX-License-Identifier: Apache-2.0
// The answer of a run: its suite declares which kind of answer its question has, and ANSWERS has
// them all. Times that other work disturbed answer nothing.
'use strict';

const devicesOf = (training) => String(training.device ?? '').split('+').length;

// How many times as fast a problem is on more devices.
function scalingSentences({trainings}) {
  const name = (one) => `${one.problem} ${one.short.split(' on ')[0]} ${one.backend}`;
  return [...groupBy(trainings, name).values()].map((group) => {
    const sorted = [...group].sort((a, b) => devicesOf(a) - devicesOf(b)), [one, ...more] = sorted;
    if (!more.length || devicesOf(one) === devicesOf(more[more.length - 1])) return null;
    return `${placeOf(one)}: ${
        more.map(
                (other) => `${times(one.perIteration / other.perIteration)} on ${
                    devicesOf(other)} devices`)
            .join(', ')} of ${seconds(one.perIteration)} on ${devicesOf(one)}.`;
  });
}

// The tests of two trainings after the last iteration that both have.
function lastCommon(a, b) {
  const at = Math.min(a.curve.length, b.curve.length) - 1;
  return [a.curve[at].test, b.curve[at].test];
}

// How far the default is from the fastest of its problem.
function distanceSentences({trainings}) {
  const found = comparable(trainings, bySameDevice).flatMap((group) => {
    const usual = group.find(isDefault), exact = group.find(isExact);
    if (!usual || group.length < 2) return [];
    const [own, other] = exact ? lastCommon(usual, exact) : [NaN, NaN];
    return [{
      place: placeOf(usual),
      ratio: usual.perIteration / Math.min(...group.map((one) => one.perIteration)),
      off: Math.abs(own / other - 1)
    }];
  });
  if (found.length === 0) return [];
  const worst = least(found, (one) => -one.ratio), offs = found.map((one) => one.off).filter(known);
  return [`An iteration by default takes ${
      times(median(found.map((one) => one.ratio)))} the time of the fastest in the median of ${
      plural(found.length, 'problem')}, and at most ${times(worst.ratio)} (${worst.place})${
      offs.length ? `; its ${metricName(trainings[0].metric)} is within ${
                        percent(Math.max(...offs), 2)} of exact FP32's` :
                    ''}.`];
}

// How accurate each training is: beside exact FP32, else which has the lowest metric.
function accuracySentences({trainings}) {
  const groups = comparable(trainings, bySameDevice).filter((group) => group.length > 1),
        beside = groups.filter((group) => group.some(isExact));
  if (groups.length === 0) return [];
  if (beside.length === 0) {
    const wins = groups.map((group) => {
      const [best, next] = [...group].sort((a, b) => a.best - b.best);
      return {name: best.short, lead: 1 - best.best / next.best, next: next.short};
    });
    const [name, won] =
        [...groupBy(wins, (win) => win.name)].sort((a, b) => b[1].length - a[1].length)[0];
    const leads = won.map((win) => win.lead);
    return [`${name} has the lowest ${metricName(groups[0][0].metric)} in ${won.length} of ${
        plural(groups.length, 'problem')}, ${percent(Math.min(...leads), 2)} to ${
        percent(Math.max(...leads), 2)} below ${won[0].next}.`];
  }
  const ratios = beside.flatMap((group) => {
    const exact = group.find(isExact);
    return group.filter((one) => one !== exact)
        .map((one) => ({name: one.short, ratio: one.test / exact.test}));
  });
  const parts = [...groupBy(ratios, (one) => one.name)].map(([name, own]) => {
    const all = own.map((one) => one.ratio);
    return `${name} ${effect(Math.min(...all))} to ${effect(Math.max(...all))}`;
  });
  return [`${metricName(beside[0][0].metric)} beside exact FP32, over ${
      plural(beside.length, 'problem')}: ${parts.join('; ')}.`];
}

// The seconds of all iterations of another program: as it says, else by the times of its lines.
const secondsOfPeer = (peer) =>
    peer.own ?? (known(peer.perIteration) ? peer.perIteration * peer.iterations : peer.wall);

// The fastest training beside the fastest of the other programs, by each metric.
function programSentences({trainings, peers}) {
  return [...groupBy(trainings, (one) => one.metric)].map(([metric, own]) => {
    const others =
        peers.filter((peer) => `test_${peer.metric}` === metric && peer.outcome === 'ok');
    const fast = least(own, (one) => one.seconds), first = least(others, secondsOfPeer);
    const text = (name, taken, {iterations, test}) => `${name} takes ${seconds(taken)} for ${
        plural(iterations, 'iteration')}, ${metricName(metric)} ${digits(test, 4)}`;
    return `${text(fast.short, fast.seconds, fast)}${
        first ? `; ${text(first.peer, secondsOfPeer(first), first)}, ${
                    others.length > 1 ? `the fastest of ${others.length} other programs` :
                                        'the other program'}` :
                                        ''                        }.`;
  });
}

// Of one file, what a comparison needs; two are judged.
function changeSentences({cases, pair}) {
  if (pair) return [answerOfComparison(pair, PAIR_RULES).text];
  const launches = Math.min(...cases.map((row) => row.launches.length));
  return [`${plural(cases.length, 'case')}, ${
      plural(
          launches, 'launch',
          'launches')} each: give the report a second file of the suite, and it says what changed.`];
}

function fastestSentences({cases, trainings}) {
  const stages =
      byStage(cases).map(([stage, rows]) => fastestSentence(stage, rows)).filter(Boolean);
  return [...stages.slice(0, 2), ...trainingSentences(trainings)];
}

const groupSentences = (sentence, more) => ({trainings}) =>
    comparable(trainings, more).slice(0, MAX_GROUPS).map(sentence);

// By what a suite declares as `answer`.
const ANSWERS = {
  fastest: fastestSentences,
  iteration: groupSentences(iterationSentence, bySameDevice),
  rates: rateSentences,
  shares: shareSentences,
  growth: growthSentences,
  scaling: scalingSentences,
  target: groupSentences(targetSentence),
  distance: distanceSentences,
  accuracy: accuracySentences,
  programs: programSentences,
  change: changeSentences
};

function failureText(records) {
  const bad = records.filter((row) => failedOutcome(row.outcome));
  if (bad.length === 0) return null;
  const counts = [...groupBy(bad, (row) => row.outcome)]
                     .map(([outcome, group]) => `${group.length} ${outcome}`)
                     .join(', ');
  return `${bad.length} of ${plural(records.length, 'case')} failed (${counts}): ${
      bad.slice(0, 2).map((row) => row.name).join('; ')}${bad.length > 2 ? ' \u2026' : ''}.`;
}

// How much other work on the machine disturbed, or null.
function disturbanceText(rows, trainings) {
  const counted = (list, what) => {
    const bad = list.filter((one) => one.disturbed);
    return bad.length ? `${bad.length} of ${plural(list.length, what)}` : null;
  };
  const parts = [
    counted(rows.filter((row) => row.median !== null), 'median'),
    counted(trainings.filter((one) => one.outcome === 'ok'), 'training')
  ].filter(Boolean);
  return parts.length ?
      `Other work on the machine disturbed ${parts.join(' and ')}; they are not ranked.` :
      null;
}

// Of a run whose suite declares this kind; `pair`: two files of it, judged, or null.
function answerOfRun(kind, {rows, trainings, peers, pair}) {
  const own = rows.filter((row) => row.role !== 'ceiling' || row.outcome !== 'ok');
  const records = [...own, ...trainings], failed = failureText(records);
  const primary = timed(rows).filter(
      (row) =>
          (row.config.phase ?? 'all') === 'all' && row.mode === (row.record.cold ? 'cold' : 'hot'));
  const run = {
    pair,
    peers: peers.filter((peer) => !peer.disturbed),
    cases: primary.filter((row) => !row.disturbed),
    trainings: trainings.filter((one) => one.outcome === 'ok' && one.curve.length && !one.disturbed)
  };
  const answered = Object.hasOwn(ANSWERS, kind) ? kind : 'fastest';
  let sentences = ANSWERS[answered](run).filter(Boolean);
  if (sentences.length === 0) sentences = fastestSentences(run);
  if (sentences.length === 0)
    sentences =
        [run.cases.length + run.trainings.length === 0 && primary.length + trainings.length > 0 ?
             'Nothing is ranked.' :
             `${plural(primary.length, 'case')} measured.`];
  const passed =
      distinct(records.filter((row) => row.outcome === 'ok').map((row) => row.file + row.name));
  return {
    kind: answered,
    bad: Boolean(failed),
    text: [failed, ...sentences.slice(0, MAX_GROUPS)].filter(Boolean).join(' '),
    disturbed: disturbanceText(rows, trainings),
    after: failed ? null : `All ${plural(passed.length, 'case')} passed their checks.`
  };
}
