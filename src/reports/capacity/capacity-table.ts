// Capacity, usage and usable amounts of the cloud for metrics, with a bounded number of names. Summed on request and
// kept for CAPACITY_KEPT_MS, because one scrape reads it several times.
import { Injectable } from '@nestjs/common';
import { RegistriesConfig } from '../../compute/registries.config';
import type { Labels } from '../../platform/metrics/family';
import { byText, compareText } from '../../platform/values/text-order';
import { CloudReader } from '../../scheduler/cloud/cloud-reader';
import type { ClassAmounts, GroupedSums, GroupSums } from '../../scheduler/cloud/group-sums';
import { sumsByGroup } from '../../scheduler/cloud/group-sums';

/** Names with their own series. Further zones and host aggregates are added up; further classes are left out. */
const RESOURCE_CLASSES = 30;
const ZONES_MAX = 50;
const HOST_AGGREGATES = 100;
/** The capacity is computed again at this age. */
const CAPACITY_KEPT_MS = 5_000;

/** In units of the resource class. `usable`: the free amount on hosts that accept new instances. */
export type Amounts = Pick<ClassAmounts, 'capacity' | 'used' | 'usable'>;

/** One group with its labels, by resource class. */
export interface LabelledAmounts {
  readonly labels: Labels;
  readonly classes: ReadonlyMap<string, Amounts>;
}

export interface CapacityTable {
  readonly total: GroupSums | undefined;
  readonly providers: number;
  readonly inventories: number;
  readonly all: readonly LabelledAmounts[];
  readonly zones: readonly LabelledAmounts[];
  readonly aggregates: readonly LabelledAmounts[];
  /** Resource classes without a series because there are too many. */
  readonly classesLeftOut: number;
}

@Injectable()
export class CapacityTables {
  private kept: { readonly table: Promise<CapacityTable>; readonly atMs: number } | undefined;

  constructor(
    private readonly cloud: CloudReader,
    private readonly config: RegistriesConfig,
  ) {}

  current(): Promise<CapacityTable> {
    const atMs = performance.now();
    if (this.kept === undefined || atMs - this.kept.atMs >= CAPACITY_KEPT_MS) {
      const table = this.read();
      this.kept = { table, atMs };
      table.catch(() => (this.kept = undefined));
    }
    return this.kept.table;
  }

  private async read(): Promise<CapacityTable> {
    const { hosts, hostAggregates } = await this.cloud.current();
    const total = (await sumsByGroup(hosts, 'total')).get(null);
    const zones = await sumsByGroup(hosts, 'availability_zone');
    const aggregates = await sumsByGroup(hosts, 'host_aggregate');
    const classes = total?.classes ?? new Map<string, ClassAmounts>();
    const names = [...classes.keys()].sort((a, b) => rank(a) - rank(b) || compareText(a, b));
    const shown = new Set(names.slice(0, RESOURCE_CLASSES));
    const aggregateNames = new Map(hostAggregates.map(({ uuid, name }) => [uuid, name]));
    const labelsOf = (uuid: string | null): Labels | null =>
      uuid === null ? null : { host_aggregate: aggregateNames.get(uuid) ?? '', uuid };
    return {
      total,
      providers: hosts.reduce((sum, { tree }) => sum + tree.providers.length, 0),
      inventories: [...classes.values()].reduce((sum, { inventories }) => sum + inventories, 0),
      all: [{ labels: {}, classes: only(classes, shown) }],
      zones: labelled(zones, shown, {
        labelsOf: (zone) => ({ zone: zone ?? this.config.defaultZone }),
        most: ZONES_MAX,
        others: { zone: OTHER_NAMES },
      }),
      aggregates: labelled(aggregates, shown, {
        labelsOf,
        most: HOST_AGGREGATES,
        others: { host_aggregate: OTHER_NAMES, uuid: '' },
      }),
      classesLeftOut: names.length - shown.size,
    };
  }
}

/** Standard classes first. */
const rank = (resourceClass: string): number => (resourceClass.startsWith('CUSTOM_') ? 1 : 0);

/** The label of groups beyond the limit, which are added up. */
const OTHER_NAMES = '(other)';

const only = (classes: ReadonlyMap<string, Amounts>, shown: ReadonlySet<string>): ReadonlyMap<string, Amounts> =>
  new Map([...classes].filter(([name]) => shown.has(name)));

interface LabelBound {
  /** Null: the group is not shown. */
  readonly labelsOf: (key: string | null) => Labels | null;
  readonly most: number;
  readonly others: Labels;
}

/** Groups with labels, in a stable order. Groups with the same labels are added up, and so are those beyond `most`. */
function labelled(
  groups: GroupedSums,
  shown: ReadonlySet<string>,
  { labelsOf, most, others }: LabelBound,
): readonly LabelledAmounts[] {
  const named = [...groups].flatMap(([key, { classes }]) => {
    const labels = labelsOf(key);
    return labels === null ? [] : [{ labels, classes: only(classes, shown) }];
  });
  const found = new Map<string, { readonly labels: Labels; readonly classes: Map<string, Amounts> }>();
  for (const [at, { labels: own, classes }] of named.sort(byText(({ labels }) => textOf(labels))).entries()) {
    const labels = at < most ? own : others;
    const into = found.get(textOf(labels)) ?? { labels, classes: new Map<string, Amounts>() };
    for (const [name, amounts] of classes) into.classes.set(name, added(into.classes.get(name), amounts));
    found.set(textOf(labels), into);
  }
  return [...found.values()];
}

const textOf = (labels: Labels): string => Object.values(labels).join(' ');

const added = (one: Amounts | undefined, { capacity, used, usable }: Amounts): Amounts => ({
  capacity: capacity + (one?.capacity ?? 0),
  used: used + (one?.used ?? 0),
  usable: usable + (one?.usable ?? 0),
});
