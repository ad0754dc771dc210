// Sums that followed a cloud through its changes are those of one that was never another.
import type { Inventory, Provider, Tree } from '../../candidate-search';
import { seededRandom } from '../../domain/random';
import { finish } from '../../domain/walk';
import type { HostAggregate } from '../../scheduling/host-state/host-state';
import type { CloudHost } from '../cloud/cloud-host';
import { StrandedSums } from '../stranded/stranded-sums';
import { CapacityGroups, GROUPINGS } from './capacity-groups';
import type { HostFigures } from './capacity-groups';

const random = seededRandom(3);
const upTo = (most: number): number => Math.floor(random() * (most + 1));
const some = <T>(items: readonly T[]): readonly T[] => items.filter(() => random() < 0.5);

const LISTS: readonly (readonly HostAggregate[])[] = [
  [],
  [{ uuid: 'a', name: 'a', metadata: {} }],
  [
    { uuid: 'a', name: 'a', metadata: {} },
    { uuid: 'b', name: 'b', metadata: {} },
  ],
];
const LACKS = ['VCPU', 'MEMORY_MB'].map((name) => ({ kind: 'class', name }) as const);
const STATUSES = ['up', 'disabled', 'unreported', 'sharing'] as const;

function treeOf(id: number, most: number): Tree {
  const inventories = some(['CUSTOM_A', 'MEMORY_MB', 'VCPU']).map((resourceClass): Inventory => {
    const capacity = upTo(most);
    return {
      id,
      providerId: id,
      resourceClass,
      total: capacity,
      reserved: 0,
      allocationRatio: 1,
      version: 0,
      capacity,
      used: upTo(4),
      minUnit: 1,
      maxUnit: 1e12,
      stepSize: 1,
    };
  });
  const root = {
    id,
    uuid: `uuid-${id}`,
    name: `host-${id}`,
    parentId: null,
    parentUuid: null,
    isSharing: false,
    rootId: id,
    rootUuid: `uuid-${id}`,
    path: [id],
    traits: new Set(some(['X', 'Y', 'Z'])),
    aggregates: some(['p', 'q']),
    inventories,
  } satisfies Provider;
  return { root, providers: [root], offers: null, aggregates: root.aggregates, text: null };
}

interface Standing {
  readonly host: CloudHost;
  readonly instances: number;
  readonly stranded: object | undefined;
}

/** Few amounts, so that many hosts have as much as each other. */
function standingOf(id: number, most = 5): Standing {
  const status = STATUSES[upTo(3)] ?? 'up';
  const aggregates = LISTS[upTo(2)] ?? [];
  const known = { reported: null, service: null, aggregates };
  const found = some(['VCPU', 'MEMORY_MB']).map((resourceClass) => {
    const amount = upTo(2);
    const lacks = amount === 0 ? null : (LACKS[upTo(1)] ?? null);
    return { resourceClass, amount, isExact: random() < 0.7, lacks };
  });
  return {
    host: { tree: treeOf(id, most), known, zone: [null, 'z1', 'z2'][upTo(2)] ?? null, status, statusReason: null },
    instances: upTo(3),
    stranded: random() < 0.3 ? undefined : found,
  };
}

function followed(groups: CapacityGroups, cloud: ReadonlyMap<number, Standing>): unknown {
  const byRoot = [...cloud.values()].sort((one, other) => one.host.tree.root.id - other.host.tree.root.id);
  const figures: HostFigures = {
    instancesOf: ({ tree }) => cloud.get(tree.root.id)?.instances ?? 0,
    strandedOn: (id) => cloud.get(id)?.stranded,
  };
  finish(
    groups.follow(
      byRoot.map(({ host }) => host),
      figures,
    ),
  );
  return [...groups.keys]
    .sort((one, other) => ((one ?? '') < (other ?? '') ? -1 : 1))
    .map((key) => {
      const { classes, stranded, statuses, ...rest } = groups.group(key, new Set());
      const amounts = [...classes].map(([name, { largestFreeHost, ...sums }]) => [
        name,
        { ...sums, on: largestFreeHost?.tree.root.id ?? null },
      ]);
      return { ...rest, amounts, stranded: sorted(stranded), statuses: sorted(statuses) };
    });
}

const sorted = <V>(map: ReadonlyMap<string, V>): readonly (readonly [string, V])[] =>
  [...map].sort(([one], [other]) => (one < other ? -1 : 1));

const made = (grouping: (typeof GROUPINGS)[number]): CapacityGroups =>
  new CapacityGroups(grouping, () => new StrandedSums());

it.each(GROUPINGS)('by %s, follow whatever changes', (grouping) => {
  const groups = made(grouping);
  const cloud = new Map<number, Standing>();
  for (let step = 0; step < 400; step += 1) {
    for (let changes = upTo(3); changes > 0; changes -= 1) {
      const id = 1 + upTo(12);
      if (random() < 0.3) cloud.delete(id);
      else cloud.set(id, standingOf(id));
    }
    expect([step, followed(groups, cloud)]).toEqual([step, followed(made(grouping), cloud)]);
  }
});

it('lose nothing small beside what is too large to be held exactly', () => {
  const groups = made('total');
  const cloud = new Map([1, 2, 3].map((id) => [id, standingOf(id)]));
  followed(groups, cloud);
  const huge = new Map(cloud);
  huge.set(4, standingOf(4, 1e300));
  followed(groups, huge);
  expect(followed(groups, cloud)).toEqual(followed(made('total'), cloud));
});

it('begin anew behind a walk that was put down', () => {
  const groups = made('trait');
  const cloud = new Map(Array.from({ length: 2_000 }, (_, at) => [at + 1, standingOf(at + 1)]));
  const hosts = [...cloud.values()].map(({ host }) => host);
  const walk = groups.follow(hosts, { instancesOf: () => 0, strandedOn: () => undefined });
  expect(walk.next().done).toBe(false);
  walk.return();
  expect(followed(groups, cloud)).toEqual(followed(made('trait'), cloud));
});
