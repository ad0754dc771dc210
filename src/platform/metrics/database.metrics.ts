// Metrics of the database: transactions, conflicts, gates and the pool.
import type { Database } from '../database/database';
import type { GateCounts } from '../database/gate';
import type { MetricFamily, Sample } from './family';
import { counter, gauge, one } from './family';

const GATE = {
  gate: '`all` on MySQL, where reads and writes share a pool; `write`, `read` and `long_read` on SQLite',
};

export function databaseMetrics(db: Database): readonly MetricFamily[] {
  const ofGates = (what: keyof GateCounts): readonly Sample[] =>
    Object.entries(db.counts.gates).map(([gate, counts]) => ({ labels: { gate }, value: counts[what] }));
  return [
    counter({
      name: 'berth_database_commits_total',
      help: 'Write transactions that were committed.',
      read: () => one(db.counts.commits),
    }),
    counter({
      name: 'berth_database_retries_total',
      help: 'Write transactions that were repeated after a deadlock, a lock timeout or a failed certification.',
      read: () => one(db.counts.retries),
    }),
    counter({
      name: 'berth_database_collisions_total',
      help: 'Write transactions that were given up after repeated conflicts.',
      read: () => one(db.counts.collisions),
    }),
    gauge({
      name: 'berth_database_gate_inside',
      help: 'Units of work that use the database.',
      labels: GATE,
      read: () => ofGates('inside'),
    }),
    gauge({
      name: 'berth_database_gate_waiting',
      help: 'Units of work that wait for the database.',
      labels: GATE,
      read: () => ofGates('waiting'),
    }),
    counter({
      name: 'berth_database_gate_refused_total',
      help: 'Units of work that were refused because the queue was full.',
      labels: GATE,
      read: () => ofGates('refused'),
    }),
    counter({
      name: 'berth_database_gate_given_up_total',
      help: 'Units of work whose wait for the database timed out.',
      labels: GATE,
      read: () => ofGates('givenUp'),
    }),
    gauge({
      name: 'berth_database_pool_connections',
      help: 'Open connections to MySQL.',
      labels: { state: '`busy` or `idle`' },
      read: () => {
        const { pool } = db.counts;
        if (pool === null) return [];
        return [
          { labels: { state: 'busy' }, value: pool.busy },
          { labels: { state: 'idle' }, value: pool.idle },
        ];
      },
    }),
  ];
}
