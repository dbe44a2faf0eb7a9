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
    column('peer', 'program', {lead: true}), column('version', 'version'),
    column('problem', 'problem'), column('outcome', 'outcome'),
    numeric('iterations', 'iterations', text), column('metric', 'metric'),
    numeric('test', 'of its factors', (v) => digits(v, 5)),
    numeric('per_iteration', 'an iteration', seconds, {value: (row) => row.perIteration}),
    numeric('own_per_iteration', 'as it says', seconds, {value: (row) => row.ownPerIteration}),
    numeric('own_seconds', 'training, as it says', seconds, {value: (row) => row.own}),
    numeric('wall_seconds', 'start to end', seconds, {value: (row) => row.wall}),
    column('disturbed', 'disturbed'), column('warnings', 'warnings', {wide: true})
  ];
  const detail = (row) => facts([
    ['command', code(row.peerCommand)],
    ['outcome', row.detail ? `${row.outcome}: ${row.detail}` : row.outcome],
    ['run it again', code(row.command)]
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
