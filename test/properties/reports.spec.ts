// Reports of random small clouds compared with sums over the documents of the Placement API and the registries. The
// sums follow the definition of each field and share no code with the reports. Covers trees, sharing providers,
// inventories above capacity, host aggregates, zones, and services that are disabled or forced down. BERTH_ROUNDS
// raises the number of clouds; BERTH_SEED repeats a run.
import type { Json } from '../e2e/scheduler-cloud';
import { clear, loadWorld } from '../e2e/scheduler-cloud';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { parseWorld } from '../world/world-description';

const ROUNDS = Number(process.env['BERTH_ROUNDS'] ?? 12);
/** The first clouds are fixed, so every kind of host occurs. */
const SAME_ROUNDS = 4;
/** The number of consecutive changes of each cloud. */
const CHANGES = 3;
const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

class Dice {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  upTo(most: number): number {
    return Math.floor(this.next() * (most + 1));
  }

  isOne(chance: number): boolean {
    return this.next() < chance;
  }

  some<T>(items: readonly T[], chance = 0.4): T[] {
    return items.filter(() => this.isOne(chance));
  }
}

const CLASSES = ['VCPU', 'MEMORY_MB', 'CUSTOM_SLOT'];
const TRAITS = ['CUSTOM_A', 'CUSTOM_B', 'HW_NUMA_ROOT'];
const AGGREGATES = ['one', 'two'];

function inventoryOf(dice: Dice, resourceClass: string): string {
  const total = 1 + dice.upTo(15);
  const reserved = dice.isOne(0.3) ? dice.upTo(total) : 0;
  const ratio = dice.isOne(0.3) ? [0.5, 1.5, 4][dice.upTo(2)] : 1;
  const step = dice.isOne(0.2) ? 1 + dice.upTo(2) : 1;
  const most = dice.isOne(0.3) ? 1 + dice.upTo(7) : 100;
  const least = dice.isOne(0.2) ? 1 + dice.upTo(2) : 1;
  const capacity = Math.trunc((total - reserved) * (ratio ?? 1));
  const used = Math.floor(dice.upTo(Math.min(capacity, most)) / step) * step;
  const fits = used >= least && used <= most && used > 0 && dice.isOne(0.6);
  return `${resourceClass}:${total}(reserved=${reserved},ratio=${ratio},step=${step},max=${most},min=${least})${fits ? `/${used}` : ''}`;
}

function lineOf(dice: Dice, name: string, traits: readonly string[], indent = ''): string {
  const inventories = dice.some(CLASSES, 0.6).map((each) => inventoryOf(dice, each));
  const aggregates = dice.some(AGGREGATES, 0.3);
  return [
    `${indent}${name}`,
    ...inventories,
    ...(traits.length > 0 ? [`{${traits.join(' ')}}`] : []),
    ...(aggregates.length > 0 ? [`@${aggregates.join(',')}`] : []),
  ].join(' ');
}

interface RandomCloud {
  readonly world: string;
  readonly hosts: readonly string[];
}

function cloudOf(dice: Dice): RandomCloud {
  const lines: string[] = [];
  const hosts = Array.from({ length: 1 + dice.upTo(5) }, (_, at) => `h${at}`);
  for (const name of hosts) {
    lines.push(lineOf(dice, name, dice.some(TRAITS)));
    for (let at = dice.isOne(0.4) ? dice.upTo(2) : 0; at > 0; at -= 1) {
      lines.push(lineOf(dice, `${name}-c${at}`, dice.some(TRAITS), '  '));
    }
  }
  for (let at = dice.upTo(2); at > 0; at -= 1) {
    const shares = ['MISC_SHARES_VIA_AGGREGATE', ...dice.some(TRAITS)];
    lines.push(lineOf(dice, `pool${at}`, shares));
  }
  return { world: lines.join('\n'), hosts };
}

describe.each(testDatabaseKinds())('reports of random clouds on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.stop());

  const ask = async (
    method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Json> => {
    const answer = await service.request({ method, path, ...(body !== undefined && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const get = (path: string): Promise<Json> => ask('GET', path);

  /** Adds services, host aggregates, and inventories reduced below their usage. */
  async function develop(dice: Dice, { world, hosts }: RandomCloud): Promise<void> {
    const { providers } = parseWorld(world);
    for (const { uuid, inventories } of providers) {
      for (const { resourceClass, used } of inventories) {
        if (used < 2 || !dice.isOne(0.5)) continue;
        const path = `/resource_providers/${uuid}/inventories/${resourceClass}`;
        const { resource_provider_generation: generation } = await get(path);
        await ask('PUT', path, { total: 1 + dice.upTo(used - 2), resource_provider_generation: generation });
      }
    }
    for (const name of dice.some(hosts, 0.6)) {
      const uuid = providers.find((each) => each.name === name)?.uuid;
      await ask('PUT', `/scheduler/hosts/${name}/${name}`, { uuid, instances: [] });
      if (dice.isOne(0.3)) await ask('PATCH', `/scheduler/services/${name}`, { status: 'disabled' });
      if (dice.isOne(0.2)) await ask('PATCH', `/scheduler/services/${name}`, { forced_down: true });
    }
    const zoned = dice.some(hosts, 0.5);
    await ask('POST', '/scheduler/host_aggregates', { name: 'zoned', availability_zone: 'az1', hosts: zoned });
    await ask('POST', '/scheduler/host_aggregates', { name: 'plain', hosts: dice.some(hosts, 0.5) });
  }

  async function sorted(): Promise<void> {
    for (const { uuid, hosts } of (await get('/scheduler/host_aggregates')).host_aggregates) {
      for (const host of hosts) await ask('DELETE', `/scheduler/host_aggregates/${uuid}/hosts/${host}`);
      await ask('DELETE', `/scheduler/host_aggregates/${uuid}`);
    }
    // A host whose provider has allocations cannot be removed.
    const consumers = new Set((await documents()).flatMap((each) => each.consumers as string[]));
    for (const consumer of consumers) await ask('DELETE', `/allocations/${consumer}`);
    for (const { host, node } of (await get('/scheduler/hosts')).hosts) {
      await ask('DELETE', `/scheduler/hosts/${host}/${node}`);
    }
    for (const { host } of (await get('/scheduler/services')).services)
      await ask('DELETE', `/scheduler/services/${host}`);
    await clear(service);
  }

  /** All documents of each provider. */
  async function documents(): Promise<readonly Json[]> {
    const { resource_providers: providers } = await get('/resource_providers');
    const all: Json[] = [];
    for (const provider of providers) {
      const at = `/resource_providers/${provider.uuid}`;
      const { inventories } = await get(`${at}/inventories`);
      const { usages } = await get(`${at}/usages`);
      const { traits } = await get(`${at}/traits`);
      const { aggregates } = await get(`${at}/aggregates`);
      const consumers = Object.keys((await get(`${at}/allocations`)).allocations as object);
      all.push({ ...provider, inventories, usages, traits, aggregates, consumers });
    }
    return all;
  }

  async function brute(): Promise<readonly Json[]> {
    const providers = await documents();
    const { services } = await get('/scheduler/services');
    const { host_aggregates: aggregates } = await get('/scheduler/host_aggregates');
    const { hosts: reported } = await get('/scheduler/hosts');
    return providers
      .filter(({ uuid, root_provider_uuid: root }) => uuid === root)
      .map((root) => {
        const tree = providers.filter(({ root_provider_uuid: of }) => of === root.uuid);
        const own = services.find(({ host }: Json) => host === root.name);
        const isReported = reported.some(({ host }: Json) => host === root.name);
        const memberships = aggregates.filter(({ hosts }: Json) => hosts.includes(root.name));
        const status = ((): string => {
          if (own?.status === 'disabled' || root.traits.includes('COMPUTE_STATUS_DISABLED')) return 'disabled';
          if (own?.forced_down === true) return 'down';
          if (isReported) return 'up';
          return own === undefined && root.traits.includes('MISC_SHARES_VIA_AGGREGATE') ? 'sharing' : 'unreported';
        })();
        const isUsable = ['up', 'unreported', 'sharing'].includes(status);
        const consumers = new Set(tree.flatMap((each) => each.consumers as string[]));
        // Only reported instances count, and these hosts report none; an instance that uses a pool belongs to its own
        // host.
        const instances = isReported || status === 'sharing' ? 0 : consumers.size;
        const classes: Record<string, Json> = {};
        for (const { inventories, usages } of tree) {
          for (const [name, each] of Object.entries(inventories as Record<string, Json>)) {
            const capacity = Math.trunc((each.total - each.reserved) * each.allocation_ratio);
            const used = (usages[name] as number | undefined) ?? 0;
            const free = Math.max(0, capacity - used);
            let largest = 0;
            for (let amount = 1; amount <= free; amount += 1) {
              const isAllowed = amount >= each.min_unit && amount <= each.max_unit && amount % each.step_size === 0;
              if (isAllowed) largest = amount;
            }
            const sum = (classes[name] ??= {
              total: 0,
              reserved: 0,
              capacity: 0,
              used: 0,
              free: 0,
              usable: 0,
              largest: 0,
            });
            for (const [key, more] of Object.entries({
              total: each.total,
              reserved: each.reserved,
              capacity,
              used,
              free,
            })) {
              sum[key] += more;
            }
            if (isUsable) sum.usable += free;
            if (isUsable) sum.largest = Math.max(sum.largest as number, largest);
          }
        }
        return {
          uuid: root.uuid,
          name: root.name,
          status,
          isUsable,
          instances,
          classes,
          providers: tree.length,
          zone:
            memberships.find(({ metadata }: Json) => metadata.availability_zone)?.metadata.availability_zone ?? null,
          hostAggregates: memberships.map(({ uuid }: Json) => uuid as string),
          placementAggregates: [...new Set(tree.flatMap((each) => each.aggregates as string[]))].sort(),
          traits: [...new Set(tree.flatMap((each) => each.traits as string[]))].sort(),
        };
      });
  }

  const GROUPS: Readonly<Record<string, (host: Json) => readonly (string | null)[]>> = {
    total: () => [null],
    availability_zone: ({ zone }) => [zone],
    host_aggregate: ({ hostAggregates }) => (hostAggregates.length === 0 ? [null] : hostAggregates),
    placement_aggregate: ({ placementAggregates: of }) => (of.length === 0 ? [null] : of),
    trait: ({ traits }) => traits,
  };

  function groupsOf(
    hosts: readonly Json[],
    keysOf: (host: Json) => readonly (string | null)[],
  ): Map<string | null, Json> {
    const groups = new Map<string | null, Json>();
    for (const key of new Set(hosts.flatMap(keysOf))) {
      const members = hosts.filter((host) => keysOf(host).includes(key));
      const classes: Record<string, Json> = {};
      for (const name of new Set(members.flatMap((host) => Object.keys(host.classes as object)))) {
        const having = members.flatMap((host) => host.classes[name] ?? []);
        const sum = (field: string): number => having.reduce((total, each) => total + (each[field] as number), 0);
        const fields = ['total', 'reserved', 'capacity', 'used', 'free', 'usable'];
        classes[name] = {
          ...(Object.fromEntries(fields.map((field) => [field, sum(field)])) as object),
          largest_free: Math.max(...having.map(({ largest }) => largest as number)),
        };
      }
      const usable = members.filter(({ isUsable }) => isUsable as boolean).length;
      const statuses: Record<string, number> = {};
      for (const { status } of members) statuses[status as string] = (statuses[status as string] ?? 0) + 1;
      const instances = members.reduce((sum, host) => sum + (host.instances as number), 0);
      groups.set(key, {
        hosts: members.length,
        hosts_usable: usable,
        statuses,
        instances,
        resource_classes: classes,
      });
    }
    return groups;
  }

  /** Changes one object of the cloud, so reports reuse their caches for all others. */
  async function change(dice: Dice, { hosts }: RandomCloud): Promise<void> {
    const { resource_providers: providers } = await get('/resource_providers');
    const { uuid, name } = providers[dice.upTo(providers.length - 1)];
    const at = `/resource_providers/${uuid}`;
    switch (dice.upTo(4)) {
      case 0: {
        const { resource_provider_generation: generation } = await get(`${at}/traits`);
        await ask('PUT', `${at}/traits`, { resource_provider_generation: generation, traits: dice.some(TRAITS) });
        break;
      }
      case 1: {
        const { inventories, resource_provider_generation: generation } = await get(`${at}/inventories`);
        const [held] = Object.keys(inventories as object);
        if (held === undefined) break;
        const total = 1 + dice.upTo(20);
        await ask('PUT', `${at}/inventories/${held}`, { total, resource_provider_generation: generation });
        break;
      }
      case 2: {
        const consumers = Object.keys((await get(`${at}/allocations`)).allocations as object);
        for (const consumer of dice.some(consumers, 0.7)) await ask('DELETE', `/allocations/${consumer}`);
        break;
      }
      case 3: {
        const { services } = await get('/scheduler/services');
        if (services.length === 0) break;
        const { host } = services[dice.upTo(services.length - 1)];
        await ask('PATCH', `/scheduler/services/${host}`, {
          status: dice.isOne(0.5) ? 'disabled' : 'enabled',
          forced_down: dice.isOne(0.3),
        });
        break;
      }
      default: {
        if (!hosts.includes(name as string)) break;
        const { host_aggregates: aggregates } = await get('/scheduler/host_aggregates');
        const plain = aggregates.find((each: Json) => each.name === 'plain');
        const isIn = plain.hosts.includes(name);
        const path = `/scheduler/host_aggregates/${plain.uuid}/hosts`;
        await (isIn ? ask('DELETE', `${path}/${name}`) : ask('POST', path, { host: name }));
      }
    }
  }

  const seen = { overfull: 0, statuses: new Set<string>() };

  /** Checks that each report equals the sums of the documents. */
  async function agree(reported: string): Promise<void> {
    const hosts = await brute();
    for (const [grouping, keysOf] of Object.entries(GROUPS)) {
      const expected = groupsOf(hosts, keysOf);
      const { groups } = await get(`/reports/capacity?group_by=${grouping}`);
      const shown = new Map<string | null, Json>();
      for (const { key, name: _, resource_classes: classes, ...rest } of groups as Json[]) {
        // Stranded amounts have their own model (stranded.spec).
        for (const [name, { largest_free_host: on, stranded: _stranded, ...amounts }] of Object.entries(
          classes as Record<string, Json>,
        )) {
          const holder = hosts.find(({ uuid }) => uuid === on?.uuid);
          // The named host has the largest amount; null if no host has any.
          expect([reported, name, holder?.classes[name].largest ?? 0]).toEqual([reported, name, amounts.largest_free]);
          classes[name] = amounts;
        }
        shown.set(key as string | null, { ...rest, resource_classes: classes });
      }
      expect([reported, grouping, shown]).toEqual([reported, grouping, expected]);
    }
    const { hosts: rows } = await get('/reports/hosts');
    for (const host of hosts) {
      const row = rows.find(({ uuid }: Json) => uuid === host.uuid);
      seen.statuses.add(host.status as string);
      expect([reported, row]).toMatchObject([
        reported,
        {
          name: host.name,
          status: host.status,
          availability_zone: host.zone,
          providers: host.providers,
          traits: host.traits.length,
          placement_aggregates: host.placementAggregates,
        },
      ]);
      expect(row.host_aggregates.map(({ uuid }: Json) => uuid as string)).toEqual(host.hostAggregates);
      for (const [name, { usable: _u, largest: _l, ...sums }] of Object.entries(host.classes as Record<string, Json>)) {
        if (sums.used > sums.capacity) seen.overfull += 1;
        expect([reported, row.resource_classes[name]]).toEqual([reported, sums]);
      }
      expect(Object.keys(row.resource_classes as object)).toHaveLength(Object.keys(host.classes as object).length);
    }
    expect(rows).toHaveLength(hosts.length);
  }

  it(`equal the sums of the documents (BERTH_SEED=${SEED})`, async () => {
    const [same, other] = [new Dice(1), new Dice(SEED)];
    for (let round = 0; round < Math.max(ROUNDS, SAME_ROUNDS); round += 1) {
      const dice = round < SAME_ROUNDS ? same : other;
      const cloud = cloudOf(dice);
      await loadWorld(service, cloud.world);
      await develop(dice, cloud);
      const reported = `round ${round} of seed ${SEED}\n${cloud.world}`;
      await agree(reported);
      for (let changes = 1; changes <= CHANGES; changes += 1) {
        await change(dice, cloud);
        await agree(`after ${changes} changes, ${reported}`);
      }
      await sorted();
    }
    // Coverage: the clouds must contain these cases.
    expect(seen.overfull).toBeGreaterThan(0);
    expect(seen.statuses.size).toBeGreaterThan(3);
  });
});
