// Metrics of the place of nova-scheduler. Without [nova] they have no values.
import type { MetricFamily } from '../platform/metrics/family';
import { counter, gauge, one } from '../platform/metrics/family';
import type { NovaService } from './nova-service';

type Counted = Pick<NovaService, 'isReady' | 'counters' | 'cells'>;

/** Null: the service is not in the place of nova-scheduler. */
export const novaMetrics = (nova: Counted | null): readonly MetricFamily[] => [
  gauge({
    name: 'berth_nova_broker_connected',
    help: '1 while messages of nova are consumed, otherwise 0. `broker` in `/readyz` shows it as well.',
    read: () => (nova === null ? [] : one(Number(nova.isReady))),
  }),
  counter({
    name: 'berth_nova_messages_total',
    help: 'Messages of nova.',
    labels: { kind: '`call`, `cast`, `duplicate`, or `refused` if it could not be read' },
    read: () => {
      if (nova === null) return [];
      const { calls: call, casts: cast, duplicates: duplicate, refused } = nova.counters;
      return Object.entries({ call, cast, duplicate, refused }).map(([kind, value]) => ({ labels: { kind }, value }));
    },
  }),
  gauge({
    name: 'berth_nova_cell_ready',
    help: '1 if the database of the cell can be read, otherwise 0: its hosts are left out.',
    labels: { cell: 'the name of the cell, or its uuid' },
    read: () =>
      (nova?.cells ?? []).map(({ name, uuid, state }) => ({
        labels: { cell: name || uuid },
        value: Number(state === 'ready'),
      })),
  }),
  gauge({
    name: 'berth_nova_cell_age_seconds',
    help: 'Time since the database of the cell was read.',
    labels: { cell: 'the name of the cell, or its uuid' },
    read: () =>
      (nova?.cells ?? []).flatMap(({ name, uuid, readAtMs }) =>
        readAtMs === null ? [] : { labels: { cell: name || uuid }, value: (Date.now() - readAtMs) / 1000 },
      ),
  }),
];
