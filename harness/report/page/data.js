// SPDX-License-Identifier: Apache-2.0
// From result files to rows: reads members tolerantly, as older and newer minor versions lack or
// add some.
'use strict';

async function readFiles() {
  const text = document.getElementById('data').textContent.trim();
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}

const documentDevices = (doc) => doc.devices ?? (doc.device ? [doc.device] : []);
const deviceOf = (doc, id) =>
    documentDevices(doc).find((device) => (device.device ?? device.id ?? device.backend) === id);
const deviceNames = (doc) =>
    distinct(documentDevices(doc).map((device) => device.name ?? device.backend));
const failedOutcome = (outcome) => outcome !== 'ok' && outcome !== 'skipped';

// An interval of the median with a confidence of 95 % or more, by order statistics; null for fewer
// than 6 values.
function medianInterval(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const count = sorted.length;
  let below = 0, rank = 0, ways = 0.5 ** count;
  if (count > 1000)
    rank = Math.floor(count / 2 - 0.98 * Math.sqrt(count));
  else
    for (; rank < count / 2; ++rank) {
      below += ways;
      if (below > 0.025) break;
      ways *= (count - rank) / (rank + 1);
    }
  return rank > 0 ? [sorted[rank - 1], sorted[count - rank]] : null;
}

// The program works shares out as it makes the page, so all files have those of today. The ceiling
// of which the case reaches the largest share, and the share of the fastest reference rate whose
// name begins so; or null.
const nearestCeiling = (measurement) =>
    (measurement.shares ?? []).find((share) => share.kind === 'ceiling') ?? null;
const comparisonWith = (measurement, name) =>
    (measurement.shares ?? [])
        .filter((share) => share.of.startsWith(name))
        .reduce((least, share) => (share.share < (least?.share ?? Infinity) ? share : least), null);

// The counters of all kernels of a measurement, or null.
function countersOf(kernels) {
  if (!kernels.length) return null;
  const sum = (key) => kernels.reduce((all, kernel) => all + (kernel[key] ?? NaN), 0);
  const share = (key) =>
      kernels.reduce((all, k) => all + (k[key] ?? NaN) * (k.cycles ?? NaN), 0) / sum('cycles');
  const finite = (value) => (Number.isFinite(value) ? value : null);
  const longest = kernels.reduce((a, b) => (b.seconds > a.seconds ? b : a));
  return {
    l1_hits: finite(sum('l1_hit_bytes') / sum('l1_bytes')),
    l2_hits: finite(sum('l2_hit_bytes') / sum('l2_bytes')),
    units: ['tensor', 'fp32', 'l1', 'l2', 'dram', 'issue'].map(
        (unit) => [unit, finite(share(`${unit}_share`))]),
    stalls: longest.stalls ?? [],
  };
}

function launchMedians(measurement) {
  const launches = measurement.launches ?? [];
  return launches.length ? launches.map((launch) => launch.median_seconds) :
                           [measurement.statistics.median_seconds];
}

// How many launches other work made longer.
function disturbedLaunches(measurement) {
  return (measurement.launches ?? [measurement])
      .filter((launch) => launch.stop_reason === 'disturbed')
      .length;
}

// Whether other processes surely left fewer processors than the threads need.
function crowded({others_share: had, others_error: error = 0, processors, threads}) {
  const crowdingShare = 0.8;
  return had != null && processors != null && threads != null &&
      processors * (1 - had + error) < crowdingShare * Math.min(threads, processors);
}

// Whether other work took more than 2 % of the iterations' time, as the program's own tables mark
// it (harness/record/contention.cpp, training_record.cpp).
function disturbedIterations(iterations) {
  const share = 0.02;
  let taken = 0, wall = 0;
  for (const {wall_seconds: time, processor, others = []} of iterations) {
    const busy = others.reduce((sum, one) => sum + one.busy, 0);
    const waited = processor?.waited_seconds ?? 0;
    const had = processor?.others_share;  // of the processors
    const certain = (had ?? 1) - (processor?.others_error ?? 0);
    wall += time;
    if (others.length ? busy > share :
                        crowded(processor ?? {}) ||
                (certain > share && waited > share * time + Math.min(30e-6, 0.1 * time)))
      taken += others.length ? time * Math.min(1, busy) :
          had != null        ? time * had :
                               Math.min(time, waited);
  }
  return wall > 0 && taken / wall > share;
}

const disturbedTimesCount = (doc) =>
    doc.provenance?.host?.environment?.ALSBENCH_DISTURBED === 'keep';

// Text of a filter for this case alone.
function commandOf(doc, record) {
  if (record.repeat) return record.repeat;
  const name = record.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return `alsbench run ${doc.suite?.name} --filter '^${name}'`;
}

// A problem of sizes is its own data, and has neither a rank nor parts.
const hasSizes = (record) => Object.keys(record.problem?.reading?.sizes ?? {}).length > 0;

function caseRow(file, record) {
  const doc = file.document, sized = hasSizes(record);
  return {
    file: file.name,
    record,
    role: record.role,
    name: record.name,
    stage: record.stage ?? 'training',
    variant: record.variant ?? record.name.split('/')[1],
    backend: record.backend,
    device: record.device,
    deviceName: deviceOf(doc, record.device)?.name ?? record.device,
    problem: record.problem?.name ?? '',
    data: sized ? record.problem.name : record.problem?.dataset ?? record.problem?.path ?? '',
    rank: sized ? null : record.problem?.rank ?? null,
    part: sized ? '' : record.part,
    config: record.config ?? {},
    outcome: record.outcome,
    detail: record.detail,
    disturbed: record.disturbed ?? null,
    mode: null,
    median: null,
    flops: null,
    bytes: null,
    gathered: null,
    samples: [],
    launches: [],
    ceiling: null,
    bound: null,
    registers: record.kernels?.[0]?.registers ?? null,
    memory: record.peak_device_bytes ?? null,
    command: commandOf(doc, record),
  };
}

function measuredRow(row, mode, measurement) {
  const samples = measurement.samples.map((sample) => sample.seconds);
  const ceiling = nearestCeiling(measurement);
  return {
    ...row,
    mode,
    measurement,
    samples,
    launches: launchMedians(measurement),
    ceiling,
    median: measurement.statistics.median_seconds,
    noise: measurement.statistics.relative_iqr,
    disturbed: disturbedLaunches(measurement) > 0,
    interval:
        medianInterval(measurement.launches?.length > 1 ? launchMedians(measurement) : samples),
    flops: measurement.flops_per_second ?? null,
    bytes: measurement.compulsory_bytes_per_second ?? null,
    gathered: measurement.gathered_bytes_per_second ?? null,
    share: ceiling?.share ?? null,
    gemm: comparisonWith(measurement, 'gemm')?.share ?? null,
    copy: comparisonWith(measurement, 'copy')?.share ?? null,
    unmeasured: measurement.unmeasured_ceilings ?? [],
    bound: measurement.bound ?? null,
    counters: countersOf(measurement.counters?.kernels ?? []),
    intensity: row.record.work?.flops_per_compulsory_byte ?? null,
  };
}

// A result's rows: one a case and cache mode; failed and skipped cases have one without a time.
function rowsOfRun(file) {
  const rows = [];
  for (const record of file.document.cases ?? []) {
    if (record.role === 'training' || record.role === 'peer') continue;
    const row = caseRow(file, record);
    const modes = ['cold', 'hot'].filter((mode) => record[mode]?.statistics);
    if (record.outcome !== 'ok' || modes.length === 0)
      rows.push(row);
    else
      for (const mode of modes) rows.push(measuredRow(row, mode, record[mode]));
  }
  return rows;
}

// A training's own name: the rest says where it ran, which has columns.
function shortTraining(name, base) {
  return name.replace(`/${base.backend}/${base.problem}`, '')
      .replace(/^train\//, '')
      .replace('/device:', ' on ');
}

const energyText = ({source, joules: each, watts, executions}) =>
    `${joules(each)} an iteration, at ${digits(watts)} W: ${
        source === 'counter' ?
            'the device\'s counter' :
            'samples of the device\'s power'}, the mean of ${plural(executions, 'iteration')}`;

// One training as a row: of a result's record, or of a file that `train` wrote.
function trainingRow(file, name, training, base) {
  const iterations = training?.launches?.[0]?.iterations ?? [];
  let total = 0;
  const curve = iterations.map((step) => ({
                                 iteration: step.iteration,
                                 seconds: (total += step.seconds ?? 0),
                                 train: step.train_metric,
                                 test: step.test_metric
                               }));
  const target = training?.target ?? null;
  const hit = target === null ?
      null :
      curve.find((point) => point.test !== null && point.test <= target) ?? null;
  const last = curve[curve.length - 1];
  const launch = training?.launches?.[0], {energy, energy_missing} = launch?.result ?? launch ?? {};
  return {
    ...base,
    file: file.name,
    name,
    short: shortTraining(name, base),
    curve,
    metric: training?.metric && `test_${training.metric}`,
    objective: [training?.hyper?.alpha, training?.hyper?.regularisation].join(' '),
    disturbed: !disturbedTimesCount(file.document) && disturbedIterations(iterations),
    target,
    iterations: curve.length,
    seconds: last?.seconds ?? null,
    test: last?.test ?? null,
    best: Math.min(...curve.map((p) => p.test ?? Infinity)),
    perIteration: last ? last.seconds / curve.length : null,
    toTarget: hit?.seconds ?? null,
    joules: energy?.joules ?? null,
    energy: energy ? energyText(energy) : energy_missing,
    pipelines: (training?.pipelines ?? []).map((pipeline) => pipelineText(pipeline.steps))
  };
}

function trainingsOf(file) {
  const doc = file.document;
  if (file.kind === 'training')
    return [trainingRow(file, fileStem(file.name), {...doc.options, launches: [doc]}, {
      outcome: 'ok',
      problem: doc.data?.id,
      backend: doc.device?.backend,
      deviceName: doc.device?.name,
      command: null,
      rank: doc.options?.rank ?? null
    })];
  return (doc.cases ?? [])
      .filter((record) => record.role === 'training')
      .map((record) => trainingRow(file, record.name, record.training, caseRow(file, record)));
}

// Facts of an environment by name, for naming what differs between files.
function environmentOf(file) {
  const doc = file.document, facts = {};
  for (const device of documentDevices(doc)) {
    const place = device.backend === 'cpu' ? 'CPU' : 'GPU';
    facts[place] = device.name;
    facts[`${place} driver`] = device.nvml?.driver_version;
    facts[`${place} power limit`] =
        device.nvml?.power_limit_watts && `${device.nvml.power_limit_watts} W`;
    for (const [name, version] of Object.entries(device.versions ?? {}))
      facts[`${place} ${name === 'driver' ? 'CUDA driver' : name}`] = version;
  }
  const host = doc.provenance?.host ?? {}, build = doc.provenance?.build ?? {};
  Object.assign(facts, {
    'host CPU': host.cpu,
    system: host.system,
    threads: host.hardware_threads,
    version: build.version,
    commit: build.git_commit?.slice(0, 10),
    compiler: build.compiler,
    flags: build.flags?.trim(),
    'suite hash': doc.suite?.hash?.slice(0, 10)
  });
  return facts;
}

// [[name, [value of each file]]] of facts that are not the same in all files that state them.
function environmentDifferences(files) {
  const facts = files.map(environmentOf);
  return distinct(facts.flatMap((one) => Object.keys(one)))
      .map((name) => [name, facts.map((one) => one[name] ?? null)])
      .filter(([, values]) => distinct(values).length > 1);
}
