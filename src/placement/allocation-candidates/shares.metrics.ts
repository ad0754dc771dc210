// Metrics of the queues in which clients wait; the client with the least usage goes first.
import type { FairGate } from '../../platform/event-loop/fair-gate';
import type { Admission } from '../../platform/http/admission';
import type { MetricFamily, Sample } from '../../platform/metrics/family';
import { counter, gauge } from '../../platform/metrics/family';
import { largeSearchFigures } from './large-searches';

const GATE = {
  gate: '`weighed`: requests that search, decide, explain or simulate; `large_searches`: those of them with many candidates',
};

export function shareMetrics(admission: Pick<Admission, 'figures'>): readonly MetricFamily[] {
  const ofGates = (what: keyof FairGate['figures']): readonly Sample[] => [
    { labels: { gate: 'weighed' }, value: admission.figures[what] },
    { labels: { gate: 'large_searches' }, value: largeSearchFigures()[what] },
  ];
  return [
    gauge({
      name: 'berth_share_gate_inside',
      help: 'Requests that are under way.',
      labels: GATE,
      read: () => ofGates('inside'),
    }),
    gauge({
      name: 'berth_share_gate_waiting',
      help: 'Requests that wait for their client’s turn.',
      labels: GATE,
      read: () => ofGates('waiting'),
    }),
    counter({
      name: 'berth_share_gate_refused_total',
      help: 'Requests that were answered 429: too many of their client waited, or they waited too long.',
      labels: GATE,
      read: () => ofGates('refused'),
    }),
  ];
}
