// What the cloud has, uses and could still give. Gauges, so that a trend and the day on which something is full are a
// query: predict_linear(berth_capacity_free{resource_class="VCPU"}[7d], 21*86400) < 0.
import type { CapacityLedger, CapacityTable, CapacityTotals } from '../scheduler/capacity/capacity-ledger';
import { gauge, one } from './family';
import type { Labels, MetricFamily, Sample } from './family';

const MEANINGS: readonly (readonly [keyof CapacityTotals, string])[] = [
  ['capacity', 'What there is: (total - reserved) * allocation_ratio of all providers'],
  ['used', 'What is allocated'],
  ['free', 'What is neither used nor on a host that is down or disabled'],
];
const CLASS = { resource_class: 'the 30 first resource classes, standard ones before custom ones' };
const ZONE = { ...CLASS, zone: 'the availability zone of the host; beyond 50 of them `(other)`' };
const AGGREGATE = {
  ...CLASS,
  host_aggregate: 'the name of the host aggregate; beyond 100 of them `(other)`',
  uuid: 'its uuid, for names need not be unique',
};

export function capacityMetrics(ledger: CapacityLedger): readonly MetricFamily[] {
  const table = (): Promise<CapacityTable> => ledger.table(Date.now());
  const sized = (name: string, help: string, of: (table: CapacityTable) => number): MetricFamily =>
    gauge('first', { name, help, read: async () => one(of(await table())) });
  return [
    ...MEANINGS.flatMap(([what, meaning]) => [
      gauge('first', {
        name: `berth_capacity_${what === 'capacity' ? 'total' : what}`,
        help: `${meaning}, in units of the resource class.`,
        labels: CLASS,
        read: async () => samplesOf((await table()).classes, {}, what),
      }),
      gauge('first', {
        name: `berth_zone_capacity_${what === 'capacity' ? 'total' : what}`,
        help: `${meaning}, of the hosts of a zone.`,
        labels: ZONE,
        read: async () => [...(await table()).zones].flatMap(([zone, classes]) => samplesOf(classes, { zone }, what)),
      }),
      gauge('first', {
        name: `berth_host_aggregate_capacity_${what === 'capacity' ? 'total' : what}`,
        help: `${meaning}, of the hosts of a host aggregate.`,
        labels: AGGREGATE,
        read: async () =>
          [...(await table()).aggregates].flatMap(([uuid, { name, classes }]) =>
            samplesOf(classes, { host_aggregate: name, uuid }, what),
          ),
      }),
    ]),
    gauge('first', {
      name: 'berth_hosts',
      help: 'Hosts by whether something may be placed on them.',
      labels: { state: '`up`, `down` (no report, or forced down) or `disabled`' },
      read: async () => Object.entries((await table()).hosts).map(([state, value]) => ({ labels: { state }, value })),
    }),
    sized('berth_providers', 'Resource providers.', ({ providers }) => providers),
    sized('berth_inventories', 'Inventories of resource providers.', ({ inventories }) => inventories),
    sized(
      'berth_capacity_classes_left_out',
      'Resource classes without a capacity of their own here, because there are too many.',
      ({ classesLeftOut }) => classesLeftOut,
    ),
  ];
}

const samplesOf = (
  classes: ReadonlyMap<string, CapacityTotals>,
  labels: Labels,
  what: keyof CapacityTotals,
): readonly Sample[] =>
  [...classes].map(([name, totals]) => ({ labels: { resource_class: name, ...labels }, value: totals[what] }));
