// A host as one row of a table: names, location, status, and the sums of each resource class.
import { presentTime } from '../../compute/registry-page';
import {
  byName,
  COUNT,
  FLAG,
  INTEGER,
  listOf,
  oneOf,
  orNull,
  TEXT,
  TIME,
  UUID,
} from '../../platform/http/answer-schemas';
import type { LongBody } from '../../platform/http/body-bytes';
import { bodyWithList } from '../../platform/http/long-json';
import { documentOf } from '../../platform/http/shown';
import { closed, named } from '../../platform/microversion/versioned-schema';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import { HOST_STATUSES } from '../../scheduler/cloud/host-status';
import { classSums, traitsOf } from '../../scheduler/cloud/tree-sums';
import type { InstanceCounts } from '../cloud/instance-counts';
import { strandedSentence } from '../stranded/bottleneck';
import type { HostStranded } from '../stranded/host-findings';
import type { StrandedAmounts } from '../stranded/stranded-amounts';
import { STRANDED_AGE } from '../stranded/stranded-amounts';

export interface HostPage {
  readonly atMs: number;
  /** All that match. */
  readonly count: number;
  readonly hosts: readonly CloudHost[];
  /** Null: not asked for. */
  readonly stranded: StrandedAmounts | null;
  readonly next: string | null;
}

interface Row extends CloudHost {
  readonly counts: InstanceCounts;
  readonly amounts: StrandedAmounts | null;
}

export const CLASS_SUM = named(
  'ReportedClassSum',
  closed({ total: COUNT, reserved: COUNT, capacity: INTEGER, used: COUNT, free: COUNT }),
);
export const NAMED_AGGREGATE = named('ReportedHostAggregate', closed({ uuid: UUID, name: TEXT }));
const STRANDED = named('HostStrandedAmount', closed({ amount: COUNT, at_most: FLAG, because: orNull(TEXT) }));

const ROW = documentOf<Row>('ReportedHostRow', {
  uuid: [UUID, ({ tree }) => tree.root.uuid],
  name: [TEXT, ({ tree }) => tree.root.name],
  host: [orNull(TEXT), ({ known }) => known.reported?.service.host ?? null],
  node: [orNull(TEXT), ({ known }) => known.reported?.host.node ?? null],
  availability_zone: [orNull(TEXT), ({ zone }) => zone],
  host_aggregates: [listOf(NAMED_AGGREGATE), ({ known }) => known.aggregates.map(({ uuid, name }) => ({ uuid, name }))],
  placement_aggregates: [listOf(UUID), ({ tree }) => tree.aggregates],
  traits: [COUNT, ({ tree }) => traitsOf(tree).size],
  providers: [COUNT, ({ tree }) => tree.providers.length],
  instances: [COUNT, (row) => row.counts.of(row)],
  status: [oneOf(...HOST_STATUSES), ({ status }) => status],
  status_reason: [orNull(TEXT), ({ statusReason }) => statusReason],
  last_seen_up: [orNull(TIME), ({ known }) => presentTime(known.service?.lastSeenUpMs ?? null)],
  resource_classes: [byName(CLASS_SUM), ({ tree }) => Object.fromEntries(classSums(tree.providers))],
  stranded: [orNull(byName(STRANDED)), ({ amounts, tree }) => presentStranded(amounts?.on(tree.root.id))],
});

export const HOST_ROW = ROW.schema;

export const presentRow = (host: CloudHost, counts: InstanceCounts, amounts: StrandedAmounts | null = null): object =>
  ROW.present({ ...host, counts, amounts });

function presentStranded(found: readonly HostStranded[] | undefined): object | null {
  if (found === undefined) return null;
  const held = found.filter(({ amount }) => amount > 0);
  return Object.fromEntries(
    held.map(({ resourceClass, amount, isExact, lacks }) => {
      const because = lacks && strandedSentence(resourceClass, lacks, null);
      return [resourceClass, { amount, at_most: !isExact, because }];
    }),
  );
}

export const HOST_LIST = named(
  'ReportedHosts',
  closed({
    at: TIME,
    count: COUNT,
    hosts: listOf(HOST_ROW),
    stranded: orNull(STRANDED_AGE),
    next_marker: orNull(UUID),
  }),
);

/** A page of the list. */
export function hostPageBody({ atMs, count, hosts, stranded, next }: HostPage, counts: InstanceCounts): LongBody {
  const present = (host: CloudHost): string => JSON.stringify(presentRow(host, counts, stranded));
  const last = { stranded: stranded?.present(atMs) ?? null, next_marker: next };
  return bodyWithList({ at: presentTime(atMs), count }, 'hosts', hosts, present, () => last);
}
