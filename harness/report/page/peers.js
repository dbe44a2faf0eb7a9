// SPDX-License-Identifier: Apache-2.0
// Other programs that a run trained: what they say of themselves and what was seen.
'use strict';

function peersOf(file) {
  return (file.document.cases ?? []).filter((record) => record.role === 'peer').map((record) => {
    const peer = record.peer ?? {};
    return {
      ...caseRow(file, record),
      peer: record.name.split('/')[1],
      version: peer.version,
      iterations: peer.iterations,
      perIteration: peer.iteration_seconds,
      ownPerIteration: peer.own_iteration_seconds,
      own: peer.own_seconds,
      wall: peer.use?.wall_seconds,
      metric: peer.metric ?? '',
      test: peer.score?.test_metric,
      disturbed: peer.disturbed ? 'yes' : null,
      warnings: (peer.warnings ?? []).join('; '),
      peerCommand: (peer.command ?? []).join(' ')
    };
  });
}

function peerTable(id, peers) {
  if (peers.length === 0) return [];
  const columns = [
    column('peer', 'program', (row) => row.peer, {lead: true}),
    column('version', 'version', (row) => row.version),
    column('problem', 'problem', (row) => row.problem),
    column('outcome', 'outcome', (row) => row.outcome),
    numeric('iterations', 'iterations', (row) => row.iterations, text),
    column('metric', 'metric', (row) => row.metric),
    numeric('test', 'of its factors', (row) => row.test, (v) => digits(v, 5)),
    numeric('per_iteration', 'an iteration', (row) => row.perIteration, seconds),
    numeric('own_per_iteration', 'as it says', (row) => row.ownPerIteration, seconds),
    numeric('own_seconds', 'training, as it says', (row) => row.own, seconds),
    numeric('wall_seconds', 'start to end', (row) => row.wall, seconds),
    column('disturbed', 'disturbed', (row) => row.disturbed),
    column('warnings', 'warnings', (row) => row.warnings, {wide: true})
  ];
  const detail = (row) => facts([
    ['command', row.peerCommand && el('code', {}, row.peerCommand)],
    ['outcome', row.detail ? `${row.outcome}: ${row.detail}` : row.outcome],
    ['run it again', row.command && el('code', {}, row.command)]
  ]);
  return [
    el('h3', {}, 'other programs'),
    new DataTable({
      id: `${id}.peers`,
      title: 'other programs',
      rows: peers,
      columns,
      detail,
      sort: 'wall_seconds',
      rowClass: (row) => (failedOutcome(row.outcome) ? 'failed' : '')
    }).node
  ];
}
