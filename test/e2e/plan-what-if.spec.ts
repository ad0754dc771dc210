// Laws of the planned cloud on both databases: what it says fits is accepted by the service when the same move is made
// there, and what it refuses is refused; after each step of a move its figures and states equal those of the service; and
// a rollback restores it exactly.
import { GraphSource } from '../../src/placement/allocation-candidates/graph-source';
import { seededRandom } from '../../src/platform/values/random';
import { cloudOf } from '../../src/scheduler/plans/build-cloud';
import { SnapshotReader } from '../../src/scheduler/plans/snapshot-reader';
import type { WhatIfCloud } from '../../src/scheduler/plans/what-if-cloud';
import type { HostSource } from '../../src/scheduler/ports';
import { HOST_SOURCE } from '../../src/scheduler/ports';
import type { HostState } from '../../src/scheduling-rules/host-state/host-state';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { instance, OWNER, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { operatorOf } from './scheduler-operator';

const [ROUNDS, MOVES] = [Number(process.env['BERTH_ROUNDS'] ?? 2), 6];
const CALLER = { requestId: 'req-plan', globalRequestId: null, principal: undefined, isGone: false };
const HOSTS = ['h0', 'h1', 'h2', 'h3', 'h4', 'h5'];
/** Known by their inventories only. */
const BARE = ['bare0', 'bare1'];
const ALIAS = '{"name": "nic", "vendor_id": "8086", "product_id": "1572", "device_type": "type-PCI"}';
const ENV = {
  BERTH_FILTER_SCHEDULER__ENABLED_FILTERS:
    'AvailabilityZoneFilter,ComputeFilter,ComputeCapabilitiesFilter,NumInstancesFilter,RamFilter,DifferentHostFilter,' +
    'ServerGroupAntiAffinityFilter,ServerGroupAffinityFilter,NUMATopologyFilter,PciPassthroughFilter,IoOpsFilter',
  BERTH_FILTER_SCHEDULER__MAX_INSTANCES_PER_HOST: '7',
  BERTH_PCI__ALIAS: ALIAS,
};

describe.each(testDatabaseKinds())('the planned cloud, on %s', (kind) => {
  let service: TestService;
  let operator: Operator;
  beforeAll(async () => {
    service = await startTestService(kind, { env: ENV });
    operator = operatorOf(service);
  });
  afterAll(() => service.stop());
  afterEach(() => operator.clear());

  const planned = async (): Promise<WhatIfCloud> =>
    cloudOf(await service.app.get(SnapshotReader, { strict: false }).read(CALLER), []);
  const requestsOf = (groups: readonly string[]): readonly object[] => [
    { flavor: { name: 'small', vcpus: 1, memory_mb: 512, root_gb: 1 } },
    { flavor: { name: 'large', vcpus: 4, memory_mb: 2_048, root_gb: 5 } },
    {
      flavor: { name: 'fast', vcpus: 1, memory_mb: 1_024, extra_specs: { 'trait:CUSTOM_FAST': 'required' } },
    },
    {
      flavor: {
        name: 'cells',
        vcpus: 2,
        memory_mb: 1_024,
        extra_specs: { 'hw:numa_nodes': '1', 'hw:cpu_policy': 'dedicated' },
      },
    },
    { flavor: { name: 'nic', vcpus: 1, memory_mb: 512, extra_specs: { 'pci_passthrough:alias': 'nic:1' } } },
    { flavor: { name: 'zoned', vcpus: 1, memory_mb: 1_024 }, availability_zone: 'west' },
    ...groups.map((group) => ({ flavor: { name: 'member', vcpus: 1, memory_mb: 512 }, scheduler_hints: { group } })),
  ];
  it('knows the amounts of an added instance after its first question, also if no host fits', async () => {
    const cloud = await planned();
    const [added] = cloud.add({ name: 'cells', vcpus: 2, memory_mb: 1_024, extra_specs: { 'resources:VGPU': '1' } }, 1);
    expect((await cloud.targets(added ?? -1)).hosts).toEqual([]);
    expect(cloud.instances[added ?? -1]?.amounts).toEqual({ VCPU: 2, MEMORY_MB: 1_024, VGPU: 1 });
  });

  const report = (host: string, random: () => number, instances: readonly object[] | null): Promise<void> =>
    operator.report(host, 16_384, {
      vcpus_total: 16,
      free_ram_mb: 8_192 + 512 * Math.floor(random() * 16),
      numa_topology: {
        cells: [0, 1].map((id) => ({
          id,
          cpuset: [8 * id, 8 * id + 1],
          pcpuset: [8 * id + 2, 8 * id + 3, 8 * id + 4],
          memory: 8_192,
          mempages: [{ size_kb: 4, total: 2_097_152, used: 0 }],
        })),
      },
      pci_device_pools:
        random() < 0.7 ? [{ vendor_id: '8086', product_id: '1572', dev_type: 'type-PCI', count: 2, numa_node: 0 }] : [],
      ...(instances !== null && { instances }),
    });

  /** A random cloud: instances listed by reports and pending, imported ones, groups, traits, zones, a disabled host. */
  async function fill(random: () => number): Promise<void> {
    await operator.ok('PUT', '/traits/CUSTOM_FAST');
    for (const host of HOSTS) await report(host, random, null);
    for (const name of BARE) {
      const { json } = await operator.ok('POST', '/resource_providers', { name });
      const amounts = { VCPU: { total: 8 }, MEMORY_MB: { total: 4_096 }, DISK_GB: { total: 100 } };
      await operator.ok('PUT', `/resource_providers/${json.uuid}/inventories`, {
        resource_provider_generation: 0,
        inventories: amounts,
      });
    }
    for (const host of HOSTS) {
      if (random() < 0.5) continue;
      const traits = await operator.traitsOf(host);
      await operator.setTraits(host, [...traits, 'CUSTOM_FAST']);
    }
    await operator.aggregate('west', ['h0', 'h1', 'h2'], { availability_zone: 'west' });
    const groups = [
      await operator.group('anti-affinity'),
      await operator.group('affinity'),
      await operator.group('soft-anti-affinity'),
      await operator.group('anti-affinity', { max_server_per_host: 2 }),
    ];
    const requests = requestsOf(groups);
    const placed: { uuid: string; host: string }[] = [];
    for (let number = 1; number <= 16; number += 1) {
      const [uuid, request] = [instance(number), requests[Math.floor(random() * requests.length)]];
      const { status, json } = await select(service, { ...request, instances: [uuid] });
      if (status === 200) placed.push({ uuid, host: json.selections[0].selected.host });
    }
    expect(placed.length).toBeGreaterThan(8);
    for (const host of HOSTS) {
      if (random() < 0.4) continue;
      const listed = placed.filter((each) => each.host === host && random() < 0.8).map(({ uuid }) => ({ uuid }));
      await report(host, random, listed);
    }
    const { json } = await operator.ok('GET', '/resource_providers?name=h3');
    const { uuid } = json.resource_providers[0];
    const allocations = { [uuid]: { resources: { VCPU: 1, MEMORY_MB: 256 } } };
    const imported = { ...OWNER, allocations, consumer_generation: null, consumer_type: 'INSTANCE' };
    await operator.ok('PUT', `/allocations/${instance(99)}`, imported);
    await operator.ok('PATCH', '/scheduler/services/h5', { status: 'disabled', disabled_reason: 'law' });
  }

  const statesOf = async (cloud: WhatIfCloud | null): Promise<Record<string, HostState>> => {
    const hosts = cloud?.ports ?? service.app.get<HostSource>(HOST_SOURCE, { strict: false });
    await hosts.refresh();
    const graph = cloud?.ports.current ?? (await service.app.get(GraphSource, { strict: false }).current());
    const trees = new Map(
      graph.rootIds.map((id) => [graph.findTree(id)?.root.uuid ?? '', graph.findTree(id)?.providers ?? []]),
    );
    const states = await hosts.states(trees, { nowMs: Date.now(), novaCompat: false });
    return Object.fromEntries(Array.from(states.values(), (state) => [state.host, state]));
  };
  const usedOf = async (cloud: WhatIfCloud | null): Promise<Record<string, number>> => {
    const graph = cloud?.ports.current ?? (await service.app.get(GraphSource, { strict: false }).current());
    const trees = graph.rootIds.flatMap((id) => graph.findTree(id)?.providers ?? []);
    return Object.fromEntries(
      trees.flatMap(({ name, inventories }) =>
        inventories.map(({ resourceClass, used }) => [`${name} ${resourceClass}`, used]),
      ),
    );
  };
  const shownOf = async (cloud: WhatIfCloud): Promise<object> => ({
    states: await statesOf(cloud),
    figures: await usedOf(cloud),
    used: [...cloud.used],
    places: cloud.instances.map((shown, at) => [shown, cloud.hostOf(at), cloud.targetOf(at)]),
    on: cloud.hosts.map((_, host) => cloud.instancesOn(host)),
  });
  const equals = async (cloud: WhatIfCloud, isMoving: boolean): Promise<void> => {
    expect(await usedOf(cloud)).toEqual(await usedOf(null));
    const [mine, theirs] = [await statesOf(cloud), await statesOf(null)];
    // There the consumer of the move has another uuid than the instance.
    if (isMoving) for (const name of BARE) for (const states of [mine, theirs]) delete states[name];
    expect(mine).toEqual(theirs);
  };

  const move = (uuid: string, host: string): Promise<{ readonly status: number; readonly text: string }> =>
    service.request({
      method: 'POST',
      path: `/scheduler/instances/${uuid}/move`,
      body: { type: 'live_migrate', target: { host } },
    });
  const end = (uuid: string, how: 'confirm' | 'revert'): Promise<unknown> =>
    operator.ok('POST', `/scheduler/instances/${uuid}/${how}_move`);

  it('fits what the service accepts, and stays equal to it', async () => {
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const random = seededRandom(seed);
      await fill(random);
      const cloud = await planned();
      await equals(cloud, false);
      for (let step = 0; step < MOVES; step += 1) {
        const recorded = cloud.instances.flatMap(({ hasRequest }, at) => (hasRequest ? [at] : []));
        const at = recorded[Math.floor(random() * recorded.length)] ?? 0;
        const uuid = cloud.instances[at]?.uuid ?? '';
        const fitting: number[] = [];
        for (const [host, { host: name }] of cloud.hosts.entries()) {
          if (cloud.hostOf(at) === host) continue;
          const fits = await cloud.fits(at, host);
          const { status, text } = await move(uuid, name);
          if (status === 200) await end(uuid, 'revert');
          if ((status === 200) !== fits)
            throw new Error(`seed ${seed}, step ${step}: ${uuid} to ${name}: ${fits}, ${text}`);
          if (fits) fitting.push(host);
        }
        const { hosts, refusal } = await cloud.targets(at);
        expect([...hosts].sort()).toEqual(fitting);
        expect(refusal === null).toBe(fitting.length > 0);
        const [target] = hosts;
        if (target === undefined) continue;
        await undone(cloud, random);
        expect(await cloud.claim(at, target)).toBe(true);
        expect((await move(uuid, cloud.hosts[target]?.host ?? '')).status).toBe(200);
        await equals(cloud, true);
        cloud.release(at);
        await end(uuid, 'confirm');
        await equals(cloud, false);
      }
      const again = await planned();
      expect([...again.used]).toEqual([...cloud.used]);
      expect(again.instances).toEqual(cloud.instances);
      await operator.clear();
    }
  }, 300_000);

  /** Random steps and their rollback leave no trace. */
  async function undone(cloud: WhatIfCloud, random: () => number): Promise<void> {
    const before = await shownOf(cloud);
    const mark = cloud.mark();
    let moved = 0;
    for (let step = 0; step < 4; step += 1) {
      const at = Math.floor(random() * cloud.instances.length);
      if (random() < 0.3) cloud.close(Math.floor(random() * cloud.hosts.length));
      if (random() < 0.2) cloud.add({ vcpus: 1, memory_mb: 256 }, 2);
      const [target] = (await cloud.targets(at)).hosts;
      if (target === undefined || cloud.targetOf(at) !== null || !(await cloud.claim(at, target))) continue;
      moved += 1;
      if (cloud.targetOf(at) !== null && random() < 0.7) cloud.release(at);
    }
    if (moved > 0) expect(await shownOf(cloud)).not.toEqual(before);
    cloud.rollback(mark);
    expect(await shownOf(cloud)).toEqual(before);
  }

  it('and the service count an instance on the source of its move, also if it was released there before', async () => {
    for (const host of ['a', 'b']) await operator.report(host, 8_192);
    const uuid = instance(1);
    expect((await select(service, { instances: [uuid], force_hosts: ['a'] })).status).toBe(200);
    await operator.report('a', 8_192, { instances: [{ uuid }] });
    for (const host of ['b', 'a']) {
      await move(uuid, host);
      await end(uuid, 'confirm');
    }
    expect((await move(uuid, 'b')).status).toBe(200);
    const states = await statesOf(null);
    expect(['a', 'b'].map((host) => [...(states[host]?.instances.keys() ?? [])])).toEqual([[uuid], [uuid]]);
  });

  it('asks for what an imported instance holds, in its zone', async () => {
    await fill(seededRandom(7));
    const cloud = await planned();
    const at = cloud.instances.findIndex(({ uuid }) => uuid === instance(99));
    expect(cloud.instances[at]).toMatchObject({ hasRequest: false, amounts: { VCPU: 1, MEMORY_MB: 256 } });
    const { hosts } = await cloud.targets(at);
    expect(hosts.length).toBeGreaterThan(0);
    expect(await cloud.claim(at, hosts[0] ?? 0)).toBe(true);
    cloud.release(at);
    expect(cloud.instances[at]?.amounts).toEqual({ VCPU: 1, MEMORY_MB: 256 });
  });

  it('says why no host takes an instance, and the change that would help', async () => {
    await operator.report('a', 8_192);
    await operator.report('b', 8_192, { local_gb: 10 });
    const flavor = { vcpus: 1, memory_mb: 2_048, root_gb: 20 };
    expect((await select(service, { instances: [instance(1)], flavor })).status).toBe(200);
    await operator.report('c', 8_192);
    await operator.ok('PATCH', '/scheduler/services/c', { status: 'disabled', disabled_reason: 'broken fan' });
    const cloud = await planned();
    expect(cloud.hosts.map(({ closed }) => closed)).toEqual([
      null,
      null,
      'the compute service is disabled: broken fan',
    ]);
    cloud.close(0);
    const { hosts, refusal } = await cloud.targets(0);
    expect(hosts).toEqual([]);
    expect(refusal?.sentence).toMatch(
      /^0 of 2 hosts fit: 1 has 20 DISK_GB free and 1 is enabled, none has both; closest: c is only disabled \(broken fan, /,
    );
    expect(refusal?.remedy).toBe('without 20 DISK_GB: 1 host');
  });
});
