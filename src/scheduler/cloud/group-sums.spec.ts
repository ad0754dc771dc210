// The sums of each group equal those of its hosts, added one by one.
import type { Inventory, Provider, Tree } from '../../placement/candidate-search';
import { largestAmount } from '../../placement/candidate-search';
import { seededRandom } from '../../platform/values/random';
import type { CloudHost } from './cloud-host';
import type { Grouping } from './group-sums';
import { GROUPINGS, sumsByGroup } from './group-sums';
import { isUsable } from './host-status';
import { classSum, classSums } from './tree-sums';

const random = seededRandom(3);
const upTo = (most: number): number => Math.floor(random() * (most + 1));
const some = <T>(items: readonly T[]): readonly T[] => items.filter(() => random() < 0.5);

const STATUSES = ['up', 'disabled', 'unreported', 'sharing'] as const;

function inventoryOf(id: number, resourceClass: string): Inventory {
  const [total, used] = [upTo(5), upTo(4)];
  const units = { minUnit: 1, maxUnit: 4, stepSize: 1, allocationRatio: 1, reserved: 0 };
  return { id, providerId: id, resourceClass, total, capacity: total, used, version: 0, ...units };
}

function providerOf(id: number, rootId: number): Provider {
  return {
    id,
    uuid: `uuid-${id}`,
    name: `host-${id}`,
    parentId: id === rootId ? null : rootId,
    parentUuid: id === rootId ? null : `uuid-${rootId}`,
    isSharing: false,
    wasReported: false,
    rootId,
    rootUuid: `uuid-${rootId}`,
    path: id === rootId ? [id] : [rootId, id],
    traits: new Set(some(['X', 'Y', 'Z'])),
    aggregates: some(['p', 'q']),
    inventories: some(['CUSTOM_A', 'MEMORY_MB', 'VCPU']).map((name) => inventoryOf(id, name)),
  };
}

function hostOf(id: number): CloudHost {
  const root = providerOf(id, id);
  const providers = random() < 0.3 ? [root, providerOf(id + 1_000, id)] : [root];
  const tree: Tree = { root, providers, offers: null, aggregates: root.aggregates, text: null };
  const aggregates = some(['a', 'b']).map((uuid) => ({ uuid, name: uuid, metadata: {} }));
  return {
    tree,
    known: { reported: null, service: null, aggregates },
    zone: [null, 'z1', 'z2'][upTo(2)] ?? null,
    status: STATUSES[upTo(3)] ?? 'up',
    statusReason: null,
  };
}

const KEYS: Readonly<Record<Grouping, (host: CloudHost) => readonly (string | null)[]>> = {
  total: () => [null],
  availability_zone: ({ zone }) => [zone],
  host_aggregate: ({ known }) => (known.aggregates.length === 0 ? [null] : known.aggregates.map(({ uuid }) => uuid)),
  placement_aggregate: ({ tree }) => (tree.aggregates.length === 0 ? [null] : tree.aggregates),
  trait: ({ tree }) => [...new Set(tree.providers.flatMap(({ traits }) => [...traits]))],
};

it.each(GROUPINGS)('by %s equal those of the hosts', async (grouping) => {
  for (let round = 0; round < 50; round += 1) {
    const hosts = Array.from({ length: upTo(12) }, (_, at) => hostOf(at + 1));
    const groups = await sumsByGroup(hosts, grouping, ({ tree }, sums) => sums.add('ids', tree.root.id));
    expect(new Set(groups.keys())).toEqual(new Set(hosts.flatMap(KEYS[grouping])));
    for (const [key, sums] of groups) {
      const members = hosts.filter((host) => KEYS[grouping](host).includes(key));
      const usable = members.filter(({ status }) => isUsable(status));
      expect([sums.hosts, sums.hostsUsable]).toEqual([members.length, usable.length]);
      for (const [status, count] of sums.statuses) {
        expect(count).toBe(members.filter((host) => host.status === status).length);
      }
      expect(sums.amount('ids')).toBe(members.reduce((sum, { tree }) => sum + tree.root.id, 0));
      const providers = members.flatMap(({ tree }) => tree.providers);
      expect([...sums.classes.keys()]).toEqual([...classSums(providers).keys()]);
      for (const [name, { inventories, usable: free, largestFree, largestFreeHost, ...amounts }] of sums.classes) {
        const having = (of: readonly CloudHost[]): readonly Inventory[] =>
          of.flatMap(({ tree }) =>
            tree.providers.flatMap((each) => each.inventories.filter(({ resourceClass }) => resourceClass === name)),
          );
        expect(amounts).toEqual(classSum(providers, name));
        expect(inventories).toBe(having(members).length);
        expect(free).toBe(
          classSum(
            usable.flatMap(({ tree }) => tree.providers),
            name,
          )?.free ?? 0,
        );
        expect(largestFree).toBe(Math.max(0, ...having(usable).map(largestAmount)));
        const first = usable.find((host) => having([host]).some((each) => largestAmount(each) === largestFree));
        expect(largestFreeHost).toBe(largestFree === 0 ? null : first);
      }
    }
  }
});
