// Metrics of the queue in which clients wait; the client with the least usage goes first.
import type { FairGate } from '../event-loop/fair-gate';
import type { Admission } from '../http/admission';
import type { MetricFamily, Sample } from './family';
import { counter, gauge } from './family';

const LABELS = { gate: '`weighed`: requests that search, decide, explain or simulate' };

export function shareMetrics(admission: Pick<Admission, 'figures'>): readonly MetricFamily[] {
  const read = (what: keyof FairGate['figures']) => (): readonly Sample[] => [
    { labels: { gate: 'weighed' }, value: admission.figures[what] },
  ];
  return [
    gauge({
      name: 'berth_share_gate_inside',
      help: 'Requests in progress.',
      labels: LABELS,
      read: read('inside'),
    }),
    gauge({
      name: 'berth_share_gate_waiting',
      help: 'Requests that wait for the share of their client.',
      labels: LABELS,
      read: read('waiting'),
    }),
    counter({
      name: 'berth_share_gate_refused_total',
      help: 'Requests that were refused with 429, because too many of the client waited or the wait was too long.',
      labels: LABELS,
      read: read('refused'),
    }),
  ];
}
