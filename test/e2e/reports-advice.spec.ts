/** @jest-environment node */
// Advice over HTTP on both databases: a cloud with one fault of every kind. Each fault is found, and nothing else;
// after its suggested commands it is gone.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { providerUuid } from '../world/world-description';
import type { Json } from './scheduler-cloud';
import { instance, loadWorld, OWNER, select } from './scheduler-cloud';

jest.mock('../../src/platform/config/limits/reports', () => {
  const actual = jest.requireActual<{ ADVICE_LIMITS: object }>('../../src/platform/config/limits/reports');
  // Computed for every request; no consumer is too young.
  return { ...actual, ADVICE_LIMITS: { ...actual.ADVICE_LIMITS, keptMs: 0, consumerAgeMs: -60_000 } };
});

const WORLD = `
win1   VCPU:16 MEMORY_MB:32768
linux1 VCPU:16 MEMORY_MB:32768
linux2 VCPU:16 MEMORY_MB:32768
  gpu  CUSTOM_GPU:4(min=2,step=2)
`;
const HOSTS = ['win1', 'linux1', 'linux2'];

describe.each(testDatabaseKinds())('advice on %s', (kind) => {
  let service: TestService;
  const call = async (
    method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Json> => {
    const answer = await service.request({ method, path, ...(body !== undefined && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  /** The advice, computed after the request. */
  const advice = async (): Promise<Json[]> => {
    const asked = Date.now();
    for (;;) {
      const { at, age_s: age, advice: found } = await call('GET', '/reports/advice');
      if (age !== null && Date.parse(at as string) >= asked) return found as Json[];
      await pause(5);
    }
  };
  const of = async (name: string): Promise<Json[]> => (await advice()).filter((piece) => piece.kind === name);
  const namesOf = (pieces: Json[]): string[] =>
    pieces.flatMap(({ subjects }) => subjects.map(({ name }: Json) => name));
  const report = (host: string, instances: object[] = []): Promise<Json> =>
    call('PUT', `/scheduler/hosts/${host}/${host}`, { uuid: providerUuid(host), instances });

  beforeAll(async () => {
    service = await startTestService(kind, {
      overrides: {
        berth: { stranded_max_age_seconds: 1 },
        filter_scheduler: { enabled_filters: ['ComputeFilter', 'AggregateImagePropertiesIsolation'] },
      },
    });
    await loadWorld(service, WORLD);
    for (const host of HOSTS) await report(host);
    await call('POST', '/scheduler/flavors', { id: 'small', name: 'small', vcpus: 1, memory_mb: 2_048 });
    await call('PUT', '/scheduler/flavors/gpu', {
      name: 'gpu',
      vcpus: 1,
      memory_mb: 512,
      extra_specs: { 'resources:CUSTOM_GPU': '2' },
    });
  });
  afterAll(() => service.stop());

  /** Runs an operator's command as its API calls. */
  async function carryOut(command: string): Promise<void> {
    const words = command.split(' ');
    const rest = (count: number): string[] => words.slice(count);
    const aggregates = async (name: string): Promise<string> => {
      const { host_aggregates: all } = await call('GET', '/scheduler/host_aggregates');
      return (all as Json[]).find((each) => each.name === name).uuid as string;
    };
    const properties = (given: string[]): Record<string, string> =>
      Object.fromEntries(
        given.flatMap((word, at) =>
          word === '--property' ? [(given[at + 1] ?? '').split('=') as [string, string]] : [],
        ),
      );
    const last = words.at(-1) ?? '';
    if (command.startsWith('openstack resource provider inventory set --amend ')) {
      const path = `/resource_providers/${last}/inventories`;
      const { inventories, resource_provider_generation: generation } = await call('GET', path);
      for (const [at, word] of rest(6).entries()) {
        if (word !== '--resource') continue;
        const [name = '', value = ''] = (words[at + 7] ?? '').split('=');
        const [resourceClass = '', field = ''] = name.split(':');
        inventories[resourceClass][field] = Number(value);
      }
      await call('PUT', path, { resource_provider_generation: generation, inventories });
    } else if (command.startsWith('openstack resource provider allocation delete ')) {
      await call('DELETE', `/allocations/${last}`);
    } else if (command.startsWith('openstack aggregate add host ')) {
      await call('POST', `/scheduler/host_aggregates/${await aggregates(words[4] ?? '')}/hosts`, { host: last });
    } else if (command.startsWith('openstack aggregate set --property ')) {
      await call('PATCH', `/scheduler/host_aggregates/${await aggregates(last)}/metadata`, {
        metadata: properties(words),
      });
    } else if (command.startsWith('openstack aggregate unset --property ')) {
      await call('PATCH', `/scheduler/host_aggregates/${await aggregates(last)}/metadata`, {
        metadata: { [words[4] ?? '']: null },
      });
    } else if (command.startsWith('openstack aggregate create --property ')) {
      await call('POST', '/scheduler/host_aggregates', { name: last, metadata: properties(words) });
    } else if (command.startsWith('openstack flavor create ')) {
      const value = (name: string): number => Number(words[words.indexOf(name) + 1]);
      await call('POST', '/scheduler/flavors', {
        id: last,
        name: last,
        vcpus: value('--vcpus'),
        memory_mb: value('--ram'),
        root_gb: value('--disk'),
        extra_specs: properties(words),
      });
    } else if (command.startsWith('openstack server migrate --live-migration ')) {
      const target = words.includes('--host') ? { target: { host: words[words.indexOf('--host') + 1] } } : {};
      await call('POST', `/scheduler/instances/${last}/move`, { type: 'live_migrate', ...target });
      await call('POST', `/scheduler/instances/${last}/confirm_move`);
    } else if (command.startsWith('berth enable ')) {
      await call('PATCH', `/scheduler/services/${last}`, { status: 'enabled' });
    } else if (command.startsWith('berth instances unpin-zone ')) {
      await call('POST', `/scheduler/instances/${last}/unpin_zone`);
    } else throw new Error(`this suite cannot run ${command}`);
  }

  /** Runs the suggested commands for one kind of advice, after which there is none of that kind. */
  async function fix(name: string): Promise<void> {
    for (const { commands } of await of(name)) for (const command of commands as string[]) await carryOut(command);
    expect(await of(name)).toEqual([]);
  }

  it('is empty for a correct cloud', async () => {
    expect(await advice()).toEqual([]);
  });

  it('finds inventories with more usage than capacity', async () => {
    const consumer = instance(1);
    await call('PUT', `/allocations/${consumer}`, {
      allocations: { [providerUuid('linux1')]: { resources: { VCPU: 10, MEMORY_MB: 20_000 } } },
      ...OWNER,
      consumer_generation: null,
      consumer_type: 'VOLUME',
    });
    const path = `/resource_providers/${providerUuid('linux1')}/inventories`;
    const { resource_provider_generation: generation } = await call('GET', path);
    const inventories = { VCPU: { total: 16 }, MEMORY_MB: { total: 9_000, reserved: 9_000, allocation_ratio: 1.1 } };
    await call('PUT', path, { resource_provider_generation: generation, inventories });
    const [piece, ...others] = await of('overfull_inventory');
    expect(others).toEqual([]);
    expect(piece).toMatchObject({
      severity: 'error',
      count: 1,
      subjects: [{ kind: 'provider', id: providerUuid('linux1'), name: 'linux1' }],
      link: 'hosts?sort=-use:MEMORY_MB',
    });
    expect(piece.sentence).toContain('MEMORY_MB');
    await fix('overfull_inventory');
    await call('DELETE', `/allocations/${consumer}`);
  });

  it('names the instances that leave an over-full provider first', async () => {
    const path = `/resource_providers/${providerUuid('linux1')}/inventories`;
    const before = await call('GET', path);
    const [large, small, web] = [randomUUID(), randomUUID(), randomUUID()];
    for (const [uuid, amount] of [
      [large, 8],
      [small, 3],
    ] as const) {
      await call('PUT', `/allocations/${uuid}`, {
        allocations: { [providerUuid('linux1')]: { resources: { VCPU: amount } } },
        ...OWNER,
        consumer_generation: null,
        consumer_type: 'INSTANCE',
      });
    }
    const flavor = { name: 'cpu', vcpus: 2, memory_mb: 512, extra_specs: { 'resources:MEMORY_MB': '0' } };
    const names = { instances: [web], instance_names: { [web]: 'web-1' } };
    expect((await select(service, { flavor, ...names, force_hosts: ['linux1'] })).status).toBe(200);
    const { resource_provider_generation: generation } = await call('GET', path);
    await call('PUT', path, { resource_provider_generation: generation, inventories: { VCPU: { total: 10 } } });
    const [piece] = await of('overfull_inventory');
    expect(piece.commands).toEqual([`openstack server migrate --live-migration ${small}`]);
    expect(piece.sentence).toContain(`Move first: ${small} (3 VCPU) from linux1`);
    expect(piece.alternatives).toHaveLength(1);
    await call('DELETE', `/allocations/${small}`);
    const { resource_provider_generation: next } = await call('GET', path);
    await call('PUT', path, { resource_provider_generation: next, inventories: { VCPU: { total: 8 } } });
    const [named] = await of('overfull_inventory');
    expect(named.commands).toEqual([`openstack server migrate --live-migration ${web}`]);
    expect(named.sentence).toContain('Move first: web-1 (2 VCPU) from linux1');
    await call('DELETE', `/allocations/${large}`);
    await call('DELETE', `/scheduler/instances/${web}`);
    const { resource_provider_generation: last } = await call('GET', path);
    const [vcpu, memory] = [before.inventories.VCPU.total, before.inventories.MEMORY_MB.total];
    await call('PUT', path, {
      resource_provider_generation: last,
      inventories: { VCPU: { total: vcpu }, MEMORY_MB: { total: memory, allocation_ratio: 4 } },
    });
  });

  it('finds hosts that stopped reporting', async () => {
    await call('PATCH', '/scheduler/services/linux2', { forced_down: true });
    expect(await of('silent_host')).toEqual([]);
    const sql = 'UPDATE scheduler_services SET last_seen_up = ? WHERE host = ?';
    await service.database.write((tx) => tx.run(sql, [Date.now() - 3_600_000, 'linux2']));
    await call('PATCH', '/scheduler/services/linux2', { forced_down: false });
    const [piece] = await of('silent_host');
    expect(piece).toMatchObject({ severity: 'error', count: 1, link: 'hosts?status=silent' });
    expect(piece.sentence).toContain('1 host stopped reporting');
    expect(namesOf([piece])).toEqual(['linux2']);
    await report('linux2');
    expect(await of('silent_host')).toEqual([]);
  });

  it('finds silent hosts whose reports are refused', async () => {
    const path = '/scheduler/hosts/linux2/linux2';
    const report2 = { uuid: randomUUID(), vcpus_total: 1, report_providers: true };
    expect((await service.request({ method: 'PUT', path, body: report2 })).status).toBe(409);
    expect(await of('refused_report')).toEqual([]);
    const sql = 'UPDATE scheduler_services SET last_seen_up = ? WHERE host = ?';
    await service.database.write((tx) => tx.run(sql, [Date.now() - 3_600_000, 'linux2']));
    await call('PATCH', '/scheduler/services/linux2', { forced_down: false });
    const [piece] = await of('refused_report');
    expect(piece.sentence).toContain(
      `linux2: 'uuid' is ${report2.uuid}, but provider ${providerUuid('linux2')} has the`,
    );
    expect(namesOf([piece])).toEqual(['linux2']);
    expect(await of('silent_host')).toEqual([]);
    await report('linux2');
    expect(await of('refused_report')).toEqual([]);
  });

  it('finds a status trait that differs from the service', async () => {
    const path = `/resource_providers/${providerUuid('linux1')}/traits`;
    const { resource_provider_generation: generation } = await call('GET', path);
    await call('PUT', path, { resource_provider_generation: generation, traits: ['COMPUTE_STATUS_DISABLED'] });
    const [piece] = await of('status_trait');
    expect(piece.sentence).toContain('The service of linux1 is enabled');
    await fix('status_trait');
    expect((await call('GET', path)).traits).toEqual([]);
  });

  it('finds instances whose host is not in the zone that they asked for', async () => {
    const zoned = instance(9);
    expect((await select(service, { flavor: 'small', instances: [zoned], availability_zone: 'nova' })).status).toBe(
      200,
    );
    expect(await of('instance_outside_zone')).toEqual([]);
    const sql = 'UPDATE scheduler_instances SET request = REPLACE(request, \'"nova"\', \'"moon"\') WHERE uuid = ?';
    await service.database.write((tx) => tx.run(sql, [zoned]));
    const [piece] = await of('instance_outside_zone');
    expect(piece.sentence).toContain('asked for the zone moon, and its host');
    await fix('instance_outside_zone');
    await call('DELETE', `/scheduler/instances/${zoned}`);
  });

  it('finds flavors that fit on no host', async () => {
    await call('POST', '/scheduler/flavors', { id: 'huge', name: 'huge', vcpus: 1_000, memory_mb: 512 });
    let pieces: Json[] = [];
    // What fits is computed at most every second here. A result of before is from hosts that did not report.
    while (namesOf(pieces).join() !== 'huge') pieces = await of('unplaceable_flavor');
    expect(pieces[0]).toMatchObject({ severity: 'warning', count: 1, link: 'map?flavor=huge' });
    await call('DELETE', '/scheduler/flavors/huge');
    while (pieces.length > 0) pieces = await of('unplaceable_flavor');
  });

  it('finds a peak of refusals', async () => {
    for (let at = 0; at < 5; at += 1) {
      expect((await select(service, { flavor: 'small', num_instances: 1, ignore_hosts: HOSTS })).status).toBe(409);
    }
    let pieces: Json[] = [];
    // Decisions are recorded after the answer.
    while (pieces.length === 0) pieces = await of('refusal_peak');
    expect(pieces[0]).toMatchObject({ severity: 'warning', link: 'decisions?outcome=no_valid_host&hours=1' });
    expect(pieces[0].count).toBeGreaterThanOrEqual(5);
  });

  it('finds providers that no flavor can use', async () => {
    await call('PATCH', '/scheduler/flavors/gpu/extra_specs', { extra_specs: { 'resources:CUSTOM_GPU': '1' } });
    const [piece] = await of('unreached_provider');
    expect(piece).toMatchObject({ severity: 'note', count: 1 });
    expect(namesOf([piece])).toEqual(['gpu']);
    expect(piece.sentence).toContain('CUSTOM_GPU');
    await fix('unreached_provider');
    const flavor = await call('GET', '/scheduler/flavors/only-custom-gpu');
    expect(flavor.extra_specs).toMatchObject({ 'resources:CUSTOM_GPU': '2' });
  });

  it('finds consumers that are unknown to the registries, and no known ones', async () => {
    const claim = (uuid: string, type: string): Promise<Json> =>
      call('PUT', `/allocations/${uuid}`, {
        allocations: { [providerUuid('linux1')]: { resources: { VCPU: 1 } } },
        ...OWNER,
        consumer_generation: null,
        consumer_type: type,
      });
    const [lost, reported, volume] = [randomUUID(), randomUUID(), randomUUID()];
    await claim(lost, 'INSTANCE');
    await claim(reported, 'INSTANCE');
    await claim(volume, 'VOLUME');
    await report('linux1', [{ uuid: reported }]);
    expect((await select(service, { flavor: 'small', instances: [instance(2)] })).status).toBe(200);
    const found = await of('unknown_consumer');
    expect(namesOf(found)).toEqual([lost]);
    expect(found[0]).toMatchObject({ severity: 'warning', subjects: [{ kind: 'consumer', id: lost }] });
    await fix('unknown_consumer');
    for (const uuid of [reported, volume]) await call('DELETE', `/allocations/${uuid}`);
    await call('DELETE', `/scheduler/instances/${instance(2)}`);
    await report('linux1');
  });

  it('finds hosts without a zone, if there are zones', async () => {
    expect(await of('host_without_zone')).toEqual([]);
    const az = { name: 'zone one', availability_zone: 'az1', hosts: ['win1', 'linux1'] };
    const { uuid } = await call('POST', '/scheduler/host_aggregates', az);
    const [piece] = await of('host_without_zone');
    expect(piece).toMatchObject({
      severity: 'warning',
      count: 1,
      commands: ["openstack aggregate add host 'zone one' linux2"],
    });
    expect(namesOf([piece])).toEqual(['linux2']);
    await call('PATCH', `/scheduler/host_aggregates/${uuid}`, { name: 'az1' });
    await fix('host_without_zone');
  });

  it('finds ratios of host aggregates, which nothing reads', async () => {
    const body = { name: 'cheap', hosts: ['linux1'], metadata: { cpu_allocation_ratio: '16' } };
    const { uuid, warnings } = await call('POST', '/scheduler/host_aggregates', body);
    expect(warnings).toEqual([
      {
        field: 'metadata.cpu_allocation_ratio',
        why: expect.stringContaining('has no effect unless AggregateCoreFilter'),
      },
    ]);
    const [piece] = await of('aggregate_ratio_without_effect');
    expect(piece).toMatchObject({
      severity: 'warning',
      count: 1,
      commands: ['openstack aggregate unset --property cpu_allocation_ratio cheap'],
      alternatives: [
        `openstack resource provider inventory set --amend --resource VCPU:allocation_ratio=16 ${providerUuid('linux1')}`,
      ],
    });
    await fix('aggregate_ratio_without_effect');
    await call('DELETE', `/scheduler/host_aggregates/${uuid}/hosts/linux1`);
    await call('DELETE', `/scheduler/host_aggregates/${uuid}`);
  });

  it('finds hosts that an isolation leaves open: Windows images on Linux hosts', async () => {
    await call('POST', '/scheduler/images', { name: 'win', properties: { os_type: 'windows' } });
    const windows = { name: 'windows', metadata: { os_type: 'windows' }, hosts: ['win1'] };
    await call('POST', '/scheduler/host_aggregates', windows);
    const place = (): Promise<{ status: number }> =>
      select(service, {
        flavor: 'small',
        image: 'win',
        dry_run: true,
        num_instances: 1,
        ignore_hosts: ['win1'],
      });
    expect((await place()).status).toBe(200);
    const [piece] = await of('isolation_key_missing');
    expect(piece).toMatchObject({ severity: 'warning', count: 2, key: 'os_type' });
    expect(namesOf([piece]).sort()).toEqual(['linux1', 'linux2']);
    expect(piece.sentence).toContain('os_type');
    // Both hosts are in the zone's aggregate with the Windows host, which must not become one for Linux.
    await fix('isolation_key_missing');
    expect((await place()).status).toBe(409);
    // An earlier test made the flavor gpu ask for an amount that no host gives.
    const others = (await advice()).filter(({ kind: each }) => each !== 'unplaceable_flavor');
    expect(namesOf(others)).toEqual([]);
  });

  it('names an existing aggregate of the hosts', async () => {
    const { host_aggregates: all } = await call('GET', '/scheduler/host_aggregates');
    const { uuid } = (all as Json[]).find(({ name }) => name === 'os-type-linux');
    await call('PATCH', `/scheduler/host_aggregates/${uuid}/metadata`, { metadata: { os_type: null } });
    const [piece] = await of('isolation_key_missing');
    expect(piece.commands).toEqual(['openstack aggregate set --property os_type=linux os-type-linux']);
    await fix('isolation_key_missing');
  });

  it('finds server groups whose members violate their policy', async () => {
    const members = [instance(11), instance(12)];
    const placed = await select(service, { flavor: 'small', instances: members, force_hosts: ['linux1'] });
    expect(placed.status).toBe(200);
    const group = (policy: string): Promise<Json> =>
      call('POST', '/scheduler/server_groups', { name: `of ${policy}`, policy, members });
    const { uuid } = await group('anti-affinity');
    await group('soft-anti-affinity');
    const [piece, ...others] = await of('broken_group_policy');
    expect(others).toEqual([]);
    expect(piece).toMatchObject({
      severity: 'error',
      count: 1,
      subjects: [{ kind: 'server_group', id: uuid, name: 'of anti-affinity' }],
    });
    await fix('broken_group_policy');
    await group('affinity');
    expect(namesOf(await of('broken_group_policy'))).toEqual(['of affinity']);
  });

  it('refuses parameters', async () => {
    expect((await service.request({ path: '/reports/advice?kind=x' })).status).toBe(400);
  });
});
