// Presents the capacity of groups of hosts, with the stranded amounts if they are known.
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
import type { ClassAmounts } from '../../scheduler/cloud/group-sums';
import { ageSeconds } from '../age';
import type { StrandedAmount } from '../stranded/stranded-sums';
import type { CapacityPage, NamedGroup } from './capacity-report.service';

export const ROOT = named('ReportedRoot', closed({ uuid: UUID, name: TEXT }));

const REASON = named('StrandedReason', closed({ lacks: TEXT, hosts: COUNT, amount: COUNT, sentence: TEXT }));

const STRANDED = documentOf<StrandedAmount>('StrandedAmount', {
  amount: [COUNT, ({ amount }) => amount],
  at_most: [FLAG, ({ isExact }) => !isExact],
  hosts: [COUNT, ({ hosts }) => hosts],
  because: [listOf(REASON), ({ because }) => because],
});

interface ShownClass extends ClassAmounts {
  readonly stranded: StrandedAmount | null;
}

const GROUP_CLASS = documentOf<ShownClass>('ReportedCapacityOfClass', {
  total: [COUNT, ({ total }) => total],
  reserved: [COUNT, ({ reserved }) => reserved],
  capacity: [INTEGER, ({ capacity }) => capacity],
  used: [COUNT, ({ used }) => used],
  free: [COUNT, ({ free }) => free],
  usable: [COUNT, ({ usable }) => usable],
  largest_free: [COUNT, ({ largestFree }) => largestFree],
  largest_free_host: [
    orNull(ROOT),
    ({ largestFreeHost: host }) => host && { uuid: host.tree.root.uuid, name: host.tree.root.name },
  ],
  stranded: [orNull(STRANDED.schema), ({ stranded }) => stranded && STRANDED.present(stranded)],
});

interface ShownGroup extends NamedGroup {
  readonly page: CapacityPage;
}

const GROUP = documentOf<ShownGroup>('ReportedCapacity', {
  key: [orNull(TEXT), ({ key }) => key],
  name: [orNull(TEXT), ({ name }) => name],
  hosts: [COUNT, ({ sums }) => sums.hosts],
  hosts_usable: [COUNT, ({ sums }) => sums.hostsUsable],
  statuses: [byName(COUNT), ({ sums }) => Object.fromEntries(sums.statuses)],
  instances: [COUNT, ({ sums }) => sums.amount('instances')],
  resource_classes: [byName(GROUP_CLASS.schema), classesOf],
});

function classesOf({ sums, page: { classes, stranded } }: ShownGroup): object {
  const shown = [...sums.classes].filter(([name]) => classes.length === 0 || classes.includes(name));
  return Object.fromEntries(
    shown.map(([name, of]) => [name, GROUP_CLASS.present({ ...of, stranded: stranded.of(name, sums) })]),
  );
}

export const CAPACITY_REPORT = named(
  'CapacityReport',
  closed({
    at: TIME,
    group_by: TEXT,
    groups: listOf(GROUP.schema),
    stranded: named(
      'StrandedFinding',
      closed({ state: oneOf('current', 'computing'), at: orNull(TIME), age_s: orNull(COUNT), flavors: COUNT }),
    ),
    next_marker: orNull(TEXT),
  }),
);

/** Written as text, group by group. */
export function capacityReportBody(page: CapacityPage): LongBody {
  const { atMs, grouping, groups, newest, next } = page;
  const foundAtMs = newest.finding?.atMs ?? null;
  const stranded = {
    state: newest.state,
    at: presentTime(foundAtMs),
    age_s: ageSeconds(foundAtMs, atMs),
    flavors: newest.finding?.flavors.length ?? 0,
  };
  const present = (group: NamedGroup): string => JSON.stringify(GROUP.present({ ...group, page }));
  const first = { at: presentTime(atMs), group_by: grouping };
  return bodyWithList(first, 'groups', groups, present, () => ({ stranded, next_marker: next }));
}
