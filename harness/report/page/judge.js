// SPDX-License-Identifier: Apache-2.0
// The judge of docs/explanation/comparing.md, as harness/judge computes it: shift, interval, p,
// adjusted p and verdict.
'use strict';

const judge = (() => {
  const EXACT = 50;
  const distributions = new Map();

  // P(U <= u) of samples of n and m values without ties, u = 0 .. n m: the Gaussian binomial
  // coefficient's sums.
  function uDistribution(n, m) {
    const [few, many] = [Math.min(n, m), Math.max(n, m)], key = `${few},${many}`;
    if (distributions.has(key)) return distributions.get(key);
    const most = n * m, counts = new Float64Array(most + 1);
    counts[0] = 1;
    for (let i = 1; i <= few; ++i) {
      for (let u = most; u >= many + i; --u) counts[u] -= counts[u - many - i];
      for (let u = i; u <= most; ++u) counts[u] += counts[u - i];
    }
    for (let u = 1; u <= most; ++u) counts[u] += counts[u - 1];
    const all = counts[most];
    distributions.set(key, counts.map((count) => count / all));
    return distributions.get(key);
  }

  // A series below 2, a continued fraction above.
  function erfc(x) {
    if (x < 2) {
      let term = x, sum = x;
      for (let k = 1; term > sum * 1e-18 && k < 200; ++k) sum += term *= (2 * x * x) / (2 * k + 1);
      return 1 - (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
    }
    let rest = x;
    for (let k = 200; k >= 1; --k) rest = x + k / 2 / rest;
    return Math.exp(-x * x) / Math.sqrt(Math.PI) / rest;
  }
  const upperTail = (z) => erfc(z / Math.SQRT2) / 2;

  function quantileOfTail(p) {
    let low = 0, high = 40;
    for (let step = 0; step < 100; ++step) {
      const middle = (low + high) / 2;
      if (upperTail(middle) > p)
        low = middle;
      else
        high = middle;
    }
    return low;
  }

  function intervalRank(n, m, confidence) {
    const tail = (1 - confidence) / 2;
    if (n > EXACT || m > EXACT) {
      const spread = Math.sqrt((n * m * (n + m + 1)) / 12);
      return Math.max(0, Math.floor((n * m) / 2 - quantileOfTail(tail) * spread));
    }
    const distribution = uDistribution(n, m);
    let rank = 0;
    while (rank < Math.floor((n * m) / 2) && distribution[rank] <= tail) ++rank;
    return rank;
  }

  // Hodges and Lehmann's shift of logarithms with its distribution-free interval.
  function shiftOf(base, test, confidence) {
    const differences = Float64Array.from(base.flatMap((b) => test.map((t) => t - b))).sort();
    const rank = intervalRank(base.length, test.length, confidence);
    const size = differences.length, upper = differences[size >> 1];
    return {
      estimate: size % 2 ? upper : (differences[(size >> 1) - 1] + upper) / 2,
      low: rank > 0 ? differences[rank - 1] : -Infinity,
      high: rank > 0 ? differences[size - rank] : Infinity,
    };
  }

  // Twice the mean ranks of the pooled values, twice the first sample's sum, and what ties take
  // from the variance.
  function ranksOf(first, second) {
    const pooled = [...first.map((value) => [value, 1]), ...second.map((value) => [value, 0])].sort(
        (a, b) => a[0] - b[0]);
    const ranks = {doubled: [], sum: 0, ties: false, tieTerm: 0};
    for (let begin = 0; begin < pooled.length;) {
      let end = begin;
      while (end < pooled.length && pooled[end][0] === pooled[begin][0]) ++end;
      const size = end - begin;
      ranks.ties ||= size > 1;
      ranks.tieTerm += size ** 3 - size;
      for (let i = begin; i < end; ++i) {
        ranks.doubled.push(begin + 1 + end);
        if (pooled[i][1]) ranks.sum += begin + 1 + end;
      }
      begin = end;
    }
    return ranks;
  }

  // Over all subsets of n of the doubled ranks, the share whose sum is at least as far from the
  // mean.
  function pWithTies(ranks, n) {
    const total = ranks.doubled.reduce((sum, value) => sum + value, 0), size = ranks.doubled.length;
    const ways = Array.from({length: n + 1}, () => new Float64Array(total + 1));
    ways[0][0] = 1;
    ranks.doubled.forEach((value, taken) => {
      for (let k = Math.min(n, taken + 1); k >= 1; --k)
        for (let sum = total; sum >= value; --sum) ways[k][sum] += ways[k - 1][sum - value];
    });
    const distance = (sum) => Math.abs(sum * size - n * total);
    let all = 0, far = 0;
    ways[n].forEach((count, sum) => {
      all += count;
      if (distance(sum) >= distance(ranks.sum)) far += count;
    });
    return Math.min(1, far / all);
  }

  function approximateP(ranks, u, n, m) {
    const size = n + m;
    const variance = ((n * m) / 12) * (size + 1 - ranks.tieTerm / (size * (size - 1)));
    if (variance <= 0) return 1;
    return Math.min(
        1, 2 * upperTail(Math.max(0, Math.abs(u - (n * m) / 2) - 0.5) / Math.sqrt(variance)));
  }

  function mannWhitneyP(base, test) {
    const n = base.length, m = test.length;
    if (n === 0 || m === 0) return 1;
    const ranks = ranksOf(base, test);
    const u = (ranks.sum - n * (n + 1)) / 2;
    if (n > EXACT || m > EXACT) return approximateP(ranks, u, n, m);
    if (ranks.ties) return pWithTies(ranks, n);
    return Math.min(1, 2 * uDistribution(n, m)[Math.trunc(Math.min(u, n * m - u))]);
  }

  function smallestP(n, m) {
    if (n < 1 || m < 1) return 1;
    let ways = 1;
    for (let i = 1; i <= n; ++i) ways *= (m + i) / i;
    return Math.min(1, 2 / ways);
  }

  // Whether one change among `family` tests can have an adjusted p below alpha, and the fewest
  // launches of each side that can.
  const canReach = (n, m, alpha, family) => smallestP(n, m) * family < alpha;
  function launchesToReach(alpha, family) {
    let launches = 1;
    while (!canReach(launches, launches, alpha, family) && launches < 500) ++launches;
    return launches;
  }

  function benjaminiHochberg(values, family) {
    const order = values.map((_, i) => i).sort((a, b) => values[b] - values[a]);
    const adjusted = [];
    let least = 1;
    order.forEach((place, i) => {
      least =
          Math.min(least, (values[place] * Math.max(family, values.length)) / (order.length - i));
      adjusted[place] = least;
    });
    return adjusted;
  }

  // Of logarithms of seconds: ratio, its interval and p. `alpha` makes the confidence 1 - alpha.
  function estimate(base, test, alpha) {
    const shift = shiftOf(base, test, 1 - alpha);
    return {
      base_launches: base.length,
      test_launches: test.length,
      ratio: Math.exp(shift.estimate),
      ratio_low: Math.exp(shift.low),
      ratio_high: Math.exp(shift.high),
      p: mannWhitneyP(base, test)
    };
  }

  const distanceToBound = (c, bound) => Math.abs(Math.log(c.ratio)) - bound;
  const widthOfInterval = (c) => Math.log(c.ratio_high) - Math.log(c.ratio_low);

  // Noise that is larger than the bound cannot be what moved it.
  const CLEAR_OF_NOISE = 10;
  const clearOfNoise = (c, rules, bound) =>
      c.adjusted_p < rules.alpha / CLEAR_OF_NOISE || distanceToBound(c, bound) > widthOfInterval(c);

  // The launches of each side after which the interval would be as wide as is wanted; 0 where they
  // are too many, or no more than there are.
  function foreseen(c, wantedWidth) {
    const launches = Math.min(c.base_launches, c.test_launches);
    const needed = Math.ceil(launches * (widthOfInterval(c) / wantedWidth) ** 2);
    return needed > launches && needed <= 1000 ? needed : 0;
  }

  // An effect of exactly the bound does not lie beyond it.
  const ROUNDING = 1e-12;
  const isBeyond = (log, bound) => log > bound + ROUNDING;

  function verdictOfTime(c, rules, family) {
    const bound = Math.log1p(rules.bound), low = Math.log(c.ratio_low),
          high = Math.log(c.ratio_high), beyond = isBeyond(low, bound) || isBeyond(-high, bound);
    c.launches_needed = 0;
    c.too_few_launches = !canReach(c.base_launches, c.test_launches, rules.alpha, family);
    if (low >= -bound - ROUNDING && high <= bound + ROUNDING) return 'same';
    if (beyond && c.adjusted_p < rules.alpha && clearOfNoise(c, rules, bound))
      return isBeyond(low, bound) ? 'slower' : 'faster';
    const distance = distanceToBound(c, bound);
    c.launches_needed = c.too_few_launches ?
        launchesToReach(rules.alpha, family) :
        foreseen(c, beyond ? distance : 2 * Math.abs(distance));
    return 'undecided';
  }

  // Adjusts the p of all cases as one family, and says what time alone says of each.
  function judgeTimes(cases, rules, least = 0) {
    const family = Math.max(least, cases.length);
    const adjusted = benjaminiHochberg(cases.map((c) => c.p), family);
    cases.forEach((c, i) => {
      c.adjusted_p = adjusted[i];
      c.verdict = c.time_verdict = verdictOfTime(c, rules, family);
    });
  }

  // Controls of one kind as one series: a launch's median over its places, each relative to its own
  // level.
  function poolControls(places, rules) {
    const kinds = groupBy(places, (place) => `${place.device} ${place.kind}`);
    const controls = [...kinds.values()].map((group) => {
      const series = {base: [], test: []};
      for (const place of group) {
        const level = median([...place.base, ...place.test].map(Math.log));
        for (const side of ['base', 'test'])
          place[side].forEach((value, i) => (series[side][i] ??= []).push(Math.log(value) - level));
      }
      const {device, kind} = group[0];
      return {
        name: kind,
        device,
        role: 'control',
        ...estimate(series.base.map(median), series.test.map(median), rules.alpha)
      };
    });
    judgeTimes(controls, rules);
    return controls;
  }

  const moved = (control) => control.verdict === 'slower' || control.verdict === 'faster';

  // Cases {name, device, code, base, test} with the seconds of each launch (base_disturbed and
  // test_disturbed count those that other work made longer), and places of controls with a `kind`.
  function judgeAll(cases, places, rules, family = 0) {
    const controls = poolControls(places, rules);
    const judged = cases.map((c) => ({
                               ...c,
                               base_seconds: median(c.base),
                               test_seconds: median(c.test),
                               ...estimate(c.base.map(Math.log), c.test.map(Math.log), rules.alpha)
                             }));
    judgeTimes(judged, rules, family);
    for (const c of judged) setReason(c, controls, rules);
    return {cases: judged, controls};
  }

  function setReason(c, controls, rules) {
    setEnvironment(c, controls);
    if (rules.in_turn === false) allowForDrift(c, controls, rules);
  }

  // One side was measured after the other: what a drift of the machine may be the reason of is not
  // decided.
  const UNKNOWN_DRIFT = 0.05;
  function allowForDrift(c, controls, rules) {
    if (!moved(c)) return;
    const sign = c.verdict === 'slower' ? 1 : -1,
          end = (one, far) => sign * Math.log((sign > 0) === far ? one.ratio_high : one.ratio_low),
          known = controls.filter((one) => one.device === c.device && one.ratio_low > 0);
    const drift = known.length ? Math.max(0, ...known.map((one) => end(one, true))) :
                                 Math.log1p(UNKNOWN_DRIFT);
    if (end(c, false) > Math.log1p(rules.bound) + drift) return;
    c.reason =
        `${c.verdict}, but a drift of ${effect(Math.exp(drift))} between the runs may be why`;
    c.verdict = c.time_verdict = 'undecided';
  }

  // Other work took part in most launches of the longer side and in few of the shorter one.
  function lengthenedByOtherWork(c) {
    const shareOf = (side) => (c[`${side}_disturbed`] ?? 0) / c[`${side}_launches`];
    const [longer, shorter] = c.ratio > 1 ? ['test', 'base'] : ['base', 'test'];
    return shareOf(longer) >= 0.5 && shareOf(shorter) <= 0.25;
  }

  function setEnvironment(c, controls) {
    if (!moved(c)) return;
    const control = controls.find((one) => one.verdict === c.verdict && one.device === c.device);
    if (c.code === 'same')
      c.reason = `${c.verdict}, but its machine code and launch shape are the same`;
    else if (control)
      c.reason = `${c.verdict}, but so is the control ${control.name} by ${effect(control.ratio)}`;
    else if (lengthenedByOtherWork(c))
      c.reason = `${c.verdict}, but other work ran during the longer launches`;
    else
      return;
    c.verdict = 'environment';
  }

  return {judgeTimes, judgeAll, setReason, moved, lengthenedByOtherWork};
})();
