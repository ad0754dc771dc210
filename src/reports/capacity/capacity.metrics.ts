// Metrics of the capacity of the cloud. They are gauges, so that a query can forecast when a class is exhausted:
// predict_linear(berth_capacity_free{resource_class="VCPU"}[7d], 21*86400) < 0.
import type { MetricFamily, Sample } from '../../platform/metrics/family';
import { gauge, one } from '../../platform/metrics/family';
import { HOST_STATUSES } from '../../scheduler/cloud/host-status';
import type { HistoryService } from '../history/history.service';
import type { Amounts, CapacityTable, CapacityTables, LabelledAmounts } from './capacity-table';

const MEANINGS: readonly (readonly [name: string, what: keyof Amounts, help: string])[] = [
  ['total', 'capacity', 'Capacity: (total - reserved) * allocation_ratio of all providers'],
  ['used', 'used', 'Allocated amounts'],
  ['free', 'usable', 'Amounts that are neither used nor on a host that is down, silent or disabled'],
];
const DAY_SECONDS = 86_400;
const CLASS = { resource_class: 'the 30 first resource classes, standard ones before custom ones' };
const ZONE = { ...CLASS, zone: 'the availability zone of the host; beyond 50 of them `(other)`' };
const AGGREGATE = {
  ...CLASS,
  host_aggregate: 'the name of the host aggregate; beyond 100 of them `(other)`',
  uuid: 'its uuid, because names need not be unique',
};
const GROUPS = [
  ['', 'all', 'in units of the resource class', CLASS],
  ['zone_', 'zones', 'of the hosts of a zone', ZONE],
  ['host_aggregate_', 'aggregates', 'of the hosts of a host aggregate', AGGREGATE],
] as const;

export function capacityMetrics(tables: CapacityTables, history: HistoryService): readonly MetricFamily[] {
  const sized = (name: string, help: string, of: (table: CapacityTable) => number): MetricFamily =>
    gauge({ name, help, read: async () => one(of(await tables.current())) });
  return [
    ...MEANINGS.flatMap(([name, what, meaning]) =>
      GROUPS.map(([prefix, groups, of, labels]) =>
        gauge({
          name: `berth_${prefix}capacity_${name}`,
          help: `${meaning}, ${of}.`,
          labels,
          read: async () => samplesOf((await tables.current())[groups], what),
        }),
      ),
    ),
    gauge({
      name: 'berth_capacity_full_seconds',
      help: 'Time until a resource class is full, at the pace of the last days. Absent if it is not foreseeable.',
      labels: { resource_class: 'the 20 first', bound: '`earliest` or `latest`' },
      read: async () =>
        (await history.forecasts(Date.now())).flatMap(
          ({ resource_class, earliest_days: earliest, latest_days: latest }) =>
            Object.entries({ earliest, latest }).flatMap(([bound, days]) =>
              days === null ? [] : { labels: { resource_class, bound }, value: days * DAY_SECONDS },
            ),
        ),
    }),
    gauge({
      name: 'berth_hosts',
      help: 'Root providers by their status as a host, as in `GET /reports/hosts`.',
      labels: { state: HOST_STATUSES.map((status) => `\`${status}\``).join(', ') },
      read: async () => {
        const { total } = await tables.current();
        return HOST_STATUSES.map((state) => ({ labels: { state }, value: total?.amount(state) ?? 0 }));
      },
    }),
    sized('berth_providers', 'Resource providers.', ({ providers }) => providers),
    sized('berth_inventories', 'Inventories of resource providers.', ({ inventories }) => inventories),
    sized(
      'berth_capacity_classes_left_out',
      'Resource classes that the capacity metrics leave out, because there are too many.',
      ({ classesLeftOut }) => classesLeftOut,
    ),
  ];
}

const samplesOf = (groups: readonly LabelledAmounts[], what: keyof Amounts): readonly Sample[] =>
  groups.flatMap(({ labels, classes }) =>
    Array.from(classes, ([name, amounts]) => ({ labels: { resource_class: name, ...labels }, value: amounts[what] })),
  );
