// The client package against the whole service: every function has a route and every route a function; documents are
// converted in both directions; refusals have their class; and a claim survives the loss of its answer.
import type { AddressInfo } from 'node:net';
import type { SessionSettings } from '../../client/src';
import { cached, Client, ERROR_CODES, GenerationConflict, keystone, noauth, pages, Session } from '../../client/src';
import {
  Conflict,
  DuplicateName,
  Forbidden,
  InUse,
  InvalidRequest,
  NotFound,
  NoValidHost,
  Refusal,
  SearchGaveUp,
  TooManyRequests,
  Unauthorized,
  Unavailable,
  VersionRefused,
} from '../../client/src/errors';
import { ERROR_CODES as CODES_OF_SERVICE, wireCodeOf } from '../../src/platform/http/error-codes';
import { testDatabaseKinds } from '../support/databases';
import { IdentityDouble } from '../support/identity-double';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { books } from './scheduler-cloud';

const uuidOf = (number: number): string => `c11e0000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const [HOST, CONSUMER, OTHER] = [uuidOf(1), uuidOf(2), uuidOf(3)];
const OWNER = { project_id: 'project', user_id: 'user' } as const;
const SMALL = { name: 'm1.small', vcpus: 1, memory_mb: 512, root_gb: 0 } as const;
const claimOf = (amount: number, generation: number | null) => ({
  allocations: { [HOST]: { resources: { VCPU: amount } } },
  ...OWNER,
  consumer_generation: generation,
  consumer_type: 'INSTANCE',
});

const listening = async (service: TestService): Promise<string> => {
  await service.app.listen(0, '127.0.0.1');
  return `http://127.0.0.1:${(service.app.getHttpServer().address() as AddressInfo).port}`;
};

describe.each(testDatabaseKinds())('the client on %s', (kind) => {
  let service: TestService;
  let endpoint: string;
  let client: Client;
  beforeEach(async () => {
    service = await startTestService(kind);
    endpoint = await listening(service);
    client = clientOf();
  });
  afterEach(() => service.stop());

  const clientOf = (settings: Partial<SessionSettings> = {}): Client =>
    new Client(new Session({ endpoint, credentials: noauth('admin', { roles: ['admin', 'service'] }), ...settings }));

  /** A provider with eight processors. */
  const makeHost = async (): Promise<void> => {
    const { generation } = await client.providers.create({ name: 'host1', uuid: HOST });
    await client.providers.inventories.replace(HOST, {
      resource_provider_generation: generation,
      inventories: { VCPU: { total: 8 }, MEMORY_MB: { total: 8192 } },
    });
  };

  it('manages a provider', async () => {
    await makeHost();
    const { generation } = await client.providers.get(HOST);
    expect((await client.providers.list({ name: 'host1', in_tree: HOST })).resource_providers).toHaveLength(1);
    const { inventories } = client.providers;
    await inventories.create(HOST, { resource_class: 'DISK_GB', total: 100 });
    const disk = { resource_provider_generation: generation + 1, total: 200 };
    expect(await inventories.update(HOST, 'DISK_GB', disk)).toMatchObject({ total: 200, reserved: 0 });
    expect(await inventories.get(HOST, 'DISK_GB')).toMatchObject({ total: 200, allocation_ratio: 1 });
    await inventories.delete(HOST, 'DISK_GB');
    expect(Object.keys((await inventories.list(HOST)).inventories).sort()).toEqual(['MEMORY_MB', 'VCPU']);

    await client.traits.create('CUSTOM_A');
    await client.traits.create('CUSTOM_A');
    await client.traits.get('CUSTOM_A');
    const again = await client.providers.get(HOST);
    const given = { resource_provider_generation: again.generation, traits: ['CUSTOM_A'] };
    expect(await client.providers.traits.replace(HOST, given)).toMatchObject({ traits: ['CUSTOM_A'] });
    await client.providers.traits.deleteAll(HOST);
    expect((await client.providers.traits.list(HOST)).traits).toEqual([]);

    const { aggregates } = client.providers;
    const { resource_provider_generation: now } = await aggregates.list(HOST);
    await aggregates.replace(HOST, { resource_provider_generation: now, aggregates: [OTHER] });
    expect((await aggregates.list(HOST)).aggregates).toEqual([OTHER]);
    expect(await client.providers.update(HOST, { name: 'host2' })).toMatchObject({ name: 'host2' });
    await inventories.deleteAll(HOST);
    await client.providers.delete(HOST);
    expect((await client.providers.list()).resource_providers).toEqual([]);
  });

  it('claims and releases', async () => {
    await makeHost();
    const found = await client.candidates.list({ resources: { VCPU: 2 }, limit: 5 });
    expect([found.allocation_requests.length, found.incomplete]).toEqual([1, false]);
    await client.allocations.put(CONSUMER, {
      ...found.allocation_requests[0]!,
      ...OWNER,
      consumer_generation: null,
      consumer_type: 'INSTANCE',
    });
    const held = await client.allocations.get(CONSUMER);
    expect(held).toMatchObject({ consumer_generation: 1, allocations: { [HOST]: { resources: { VCPU: 2 } } } });
    expect((await client.providers.usages(HOST)).usages).toEqual({ VCPU: 2, MEMORY_MB: 0 });
    expect((await client.providers.allocations(HOST)).allocations).toHaveProperty(CONSUMER);
    expect((await client.usages.list({ project_id: 'project' })).usages).toMatchObject({ INSTANCE: { VCPU: 2 } });
    await client.allocations.post({ [CONSUMER]: claimOf(3, 1), [OTHER]: claimOf(1, null) });
    const { inventories, resource_provider_generation: generation } = await client.providers.inventories.list(HOST);
    await client.reshaper.reshape({
      inventories: { [HOST]: { inventories, resource_provider_generation: generation } },
      allocations: { [CONSUMER]: claimOf(4, 2) },
    });
    expect((await client.providers.usages(HOST)).usages).toMatchObject({ VCPU: 5 });
    await client.allocations.delete(CONSUMER);
    await client.allocations.delete(OTHER);
    expect(await books(service)).toEqual({ consumers: 0, faults: [] });
  });

  it('requests candidates with groups, and the explanation of one provider', async () => {
    await makeHost();
    const query = {
      groups: { _CPU: { resources: { VCPU: 1 } }, _RAM: { resources: { MEMORY_MB: 9_000 } } },
      groupPolicy: 'none',
      sameSubtree: [['_CPU', '_RAM']],
      rootRequired: ['!COMPUTE_STATUS_DISABLED'],
    } as const;
    expect((await client.candidates.list(query)).allocation_requests).toEqual([]);
    const explained = await client.candidates.explain(query, { provider: HOST });
    expect(JSON.stringify(explained)).toContain(HOST);
  });

  it('manages an instance', async () => {
    const report = { cpu_allocation_ratio: 1, vcpus_total: 8, memory_mb: 8192, local_gb: 100, report_providers: true };
    for (const host of ['h1', 'h2']) await client.hosts.report(host, host, report);
    const flavor = await client.flavors.create({ ...SMALL, id: 'small' });
    await client.flavors.change('small', { generation: flavor.generation, vcpus: 2 });
    await client.flavors.setExtraSpecs('small', { extra_specs: { quota: '1' } });
    const group = await client.serverGroups.create({ name: 'db', policy: 'anti-affinity', ...OWNER });
    const rack = await client.hostAggregates.create({ name: 'rack', availability_zone: 'harbour', hosts: ['h1'] });
    await client.hostAggregates.addHost(rack.uuid, { host: 'h2' });
    await client.hostAggregates.setMetadata(rack.uuid, { metadata: { ssd: 'true' } });
    const { availability_zones: zones } = await client.availabilityZones.list();
    expect(zones).toContainEqual(expect.objectContaining({ name: 'harbour', hosts_total: 2 }));

    const request = {
      ...OWNER,
      instances: [CONSUMER],
      flavor: 'small',
      availability_zone: 'harbour',
      scheduler_hints: { group: group.uuid },
    };
    expect(await client.scheduler.explain(request, { host: 'h1' })).toMatchObject({ outcome: 'placed' });
    expect(await client.scheduler.capacity({ flavor: 'small' })).toMatchObject({ total: 8 });
    const { selections, request_id: requestId } = await client.scheduler.selectDestinations(request);
    const selected = selections[0]!.selected!;
    expect(await client.scheduler.instances.get(CONSUMER)).toMatchObject({ host: selected.host, state: 'placed' });
    await client.scheduler.instances.move(CONSUMER, { type: 'cold_migrate' });
    await client.scheduler.instances.revertMove(CONSUMER);
    await client.scheduler.instances.move(CONSUMER, { type: 'cold_migrate' });
    await client.scheduler.instances.confirmMove(CONSUMER);
    const { host } = await client.scheduler.instances.get(CONSUMER);
    expect(host).not.toBe(selected.host);
    await client.services.change(selected.host, { status: 'disabled', disabled_reason: 'smoke' });
    const failed = client.scheduler.instances.buildFailed(CONSUMER, { host });
    await expect(failed).rejects.toMatchObject({ constructor: NoValidHost, code: 'scheduler.attempts_exhausted' });
    expect((await client.scheduler.instances.list({ state: 'placed' })).instances).toEqual([]);
    expect(requestId).toMatch(/^req-/);
    expect(await client.scheduler.simulate({ request: { ...OWNER, num_instances: 1, flavor: SMALL } })).toMatchObject({
      outcome: 'no_valid_host',
    });
    expect(await books(service)).toEqual({ consumers: 0, faults: [] });
  });

  it('manages a server', async () => {
    const report = { cpu_allocation_ratio: 1, vcpus_total: 8, memory_mb: 8192, local_gb: 100, report_providers: true };
    await client.hosts.report('h1', 'h1', report);
    await client.flavors.create({ ...SMALL, id: 'small' });
    const image = await client.images.create({ name: 'cirros' });
    const { keypair } = await client.keypairs.create({ keypair: { name: 'key' } }, { version: '2.91' });
    expect(keypair.private_key).toMatch(/PRIVATE KEY/);
    expect((await client.keypairs.get('key')).keypair.fingerprint).toBe(keypair.fingerprint);
    const request = {
      name: 'web',
      flavorRef: 'small',
      imageRef: image.uuid,
      networks: 'none',
      key_name: 'key',
    } as const;
    const created = await client.servers.create({ server: request });
    if (!('server' in created)) throw new Error('a reservation');
    const { id } = created.server;
    const { server } = await client.servers.get(id);
    expect([server.status, server['OS-EXT-SRV-ATTR:host'], server.key_name]).toEqual(['ACTIVE', 'h1', 'key']);

    const { servers } = client;
    const statuses: string[] = [];
    for (const act of [servers.stop, servers.start, servers.pause, servers.unpause, servers.suspend, servers.resume]) {
      await act(id);
      statuses.push((await servers.get(id)).server.status);
    }
    for (const act of [servers.shelve, servers.unshelve]) await act(id);
    expect(statuses).toEqual(['SHUTOFF', 'ACTIVE', 'PAUSED', 'ACTIVE', 'SUSPENDED', 'ACTIVE']);
    await servers.reboot(id);
    await servers.reboot(id, 'HARD');
    expect(await servers.act(id, { 'os-getConsoleOutput': {} })).toMatchObject({ output: expect.any(String) });
    expect((await servers.rename(id, 'front')).server.name).toBe('front');
    expect((await servers.change(id, { server: { description: 'first' } })).server.description).toBe('first');
    await servers.metadata.merge(id, { metadata: { tier: 'front' } });
    expect((await servers.metadata.list(id)).metadata).toEqual({ tier: 'front' });
    const [last] = (await servers.actions.list(id)).instanceActions;
    expect((await servers.actions.get(id, last!.request_id)).instanceAction.events).toHaveLength(1);
    expect((await servers.list({ name: 'front' })).servers.map((each) => each.id)).toEqual([id]);
    expect((await servers.details({ all_tenants: true })).servers).toHaveLength(1);

    const { hypervisors } = await client.hypervisors.list({ with_servers: 'true' });
    expect(hypervisors).toMatchObject([{ hypervisor_hostname: 'h1', servers: [{ uuid: id }] }]);
    expect((await client.hypervisors.get(String(hypervisors[0]!.id))).hypervisor.service.host).toBe('h1');
    expect((await client.hypervisors.details()).hypervisors).toHaveLength(1);
    await servers.delete(id);
    await client.keypairs.delete('key');
    expect((await client.keypairs.list()).keypairs).toEqual([]);
    expect(await books(service)).toEqual({ consumers: 0, faults: [] });
  });

  it('throws Compute API refusals by status, with the message of the fault', async () => {
    const refused = client.servers.get(CONSUMER);
    await expect(refused).rejects.toMatchObject({
      constructor: NotFound,
      status: 404,
      detail: `Instance ${CONSUMER} could not be found.`,
    });
    await expect(client.keypairs.create({ keypair: { name: 'key' } })).rejects.toThrow(InvalidRequest);
  });

  it('reads long lists of the scheduler page by page', async () => {
    for (const id of ['a', 'b', 'c']) await client.flavors.create({ ...SMALL, name: id, id });
    const ids: string[] = [];
    for await (const { flavors } of pages(client.flavors.list, { limit: 2 })) ids.push(...flavors.map(({ id }) => id));
    expect(ids).toEqual(['a', 'b', 'c']);
  });

  it('caches a list, and clears the cache when it writes', async () => {
    const traits = cached(client.traits, { ttlMs: 1_000_000 });
    const custom = async (): Promise<unknown> => (await traits.list({ name: 'startswith:CUSTOM_' })).traits;
    expect(await custom()).toEqual([]);
    await client.traits.create('CUSTOM_A');
    expect(await custom()).toEqual([]);
    await traits.create('CUSTOM_B');
    expect(await custom()).toEqual(['CUSTOM_A', 'CUSTOM_B']);
  });

  it('uses the configured version', async () => {
    await makeHost();
    expect(await client.providers.get(HOST)).toHaveProperty('root_provider_uuid', HOST);
    expect(await client.at('1.13').providers.get(HOST)).not.toHaveProperty('root_provider_uuid');
    expect(await client.providers.get(HOST, { version: '1.0' })).not.toHaveProperty('root_provider_uuid');
    await expect(client.at('1.9').candidates.list({ resources: { VCPU: 1 } })).rejects.toThrow(NotFound);
    await expect(client.at('1.9999').traits.list()).rejects.toThrow(VersionRefused);
  });

  it('throws the class of the refusal, without any change', async () => {
    await makeHost();
    await client.allocations.put(CONSUMER, claimOf(1, null));
    const refused: readonly [() => Promise<unknown>, typeof Refusal, object][] = [
      [() => client.providers.create({ name: 'host1' }), DuplicateName, { code: 'placement.duplicate_name' }],
      [() => client.providers.delete(HOST), InUse, { code: 'placement.resource_provider.inuse' }],
      [
        () => client.providers.inventories.replace(HOST, { resource_provider_generation: 9, inventories: {} }),
        GenerationConflict,
        { isOfConsumer: false },
      ],
      [() => client.allocations.put(CONSUMER, claimOf(1, null)), GenerationConflict, { isOfConsumer: true }],
      [() => client.allocations.put(OTHER, claimOf(9, null)), Conflict, { code: 'placement.undefined_code' }],
      [() => client.providers.get(OTHER), NotFound, { status: 404 }],
      [() => client.candidates.list({ resources: { VCPU: 0 } }), InvalidRequest, { status: 400 }],
      [
        () => client.scheduler.selectDestinations({ ...OWNER, num_instances: 1, flavor: { ...SMALL, vcpus: 64 } }),
        NoValidHost,
        { code: 'scheduler.no_candidates', decision: expect.objectContaining({ outcome: 'no_valid_host' }) },
      ],
      [() => client.flavors.get('none'), NotFound, { code: 'scheduler.not_found' }],
      [() => client.flavors.create({ ...SMALL, vcpus: -1 }), InvalidRequest, { code: 'scheduler.invalid_request' }],
    ];
    for (const [call, constructor, facts] of refused) {
      await expect(call()).rejects.toMatchObject({ constructor, requestId: expect.stringMatching(/^req-/), ...facts });
    }
    expect((await client.providers.usages(HOST)).usages).toEqual({ VCPU: 1, MEMORY_MB: 0 });
  });

  /** Sends requests, and loses the answers of the first `count` claims. */
  const losing = (count: number): { readonly fetch: typeof fetch; readonly lost: () => number } => {
    let lost = 0;
    const losingFetch: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (init?.method !== 'PUT' || lost === count) return response;
      await response.text();
      lost += 1;
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
      });
    };
    return { fetch: losingFetch, lost: () => lost };
  };
  const retry = { pauseMs: 1, retriesWithinMs: 1_000_000 };

  it('makes a claim once, however many of its answers are lost', async () => {
    await makeHost();
    const network = losing(2);
    await clientOf({ fetch: network.fetch, retry }).allocations.put(CONSUMER, claimOf(2, null));
    expect(network.lost()).toBe(2);
    expect(await client.allocations.get(CONSUMER)).toMatchObject({ consumer_generation: 1 });
    expect((await client.providers.usages(HOST)).usages).toMatchObject({ VCPU: 2 });
  });

  it("does not take another client's claim for its own", async () => {
    await makeHost();
    await client.allocations.put(CONSUMER, claimOf(1, null));
    const { fetch: losingFetch } = losing(1);
    const call = clientOf({ fetch: losingFetch, retry }).allocations.put(CONSUMER, claimOf(2, null));
    await expect(call).rejects.toThrow(GenerationConflict);
    expect((await client.providers.usages(HOST)).usages).toMatchObject({ VCPU: 1 });
  });
});

describe('the client and the service agree', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService('sqlite');
  });
  afterEach(() => service.stop());

  /** Routes that the client calls differently or leaves to other programs; the stream has its own suite. */
  const LEFT_OUT = [
    'POST /resource_classes',
    'GET /scheduler/capacity',
    'GET /',
    'GET /reports/changes',
    // Refused for all callers, or removed from the newest version.
    'POST /compute/v2.1/servers/:id/remote-consoles',
    'GET /compute/v2.1/os-hypervisors/statistics',
    'GET /compute/v2.1/os-hypervisors/:id/uptime',
    'GET /compute/v2.1/os-hypervisors/:id/search',
    // Forms of what other functions do, and lists without content, for the clients of OpenStack.
    'GET /compute/v2.1/servers/:id/metadata/:key',
    'PUT /compute/v2.1/servers/:id/metadata/:key',
    'GET /compute/v2.1/servers/:id/:part',
  ];
  const OTHERS =
    /^\w+ \/(healthz|readyz|metrics|docs|console|image|identity|network|compute(?!\/v2\.1\/(servers|os-keypairs|os-hypervisors)\b))\b/;

  it('the routes: every function has one, and every route has a function', async () => {
    const asked: string[] = [];
    const noting = (url: string, init: RequestInit): Promise<Response> => {
      asked.push(`${init.method} ${new URL(url).pathname}`);
      return Promise.resolve(new Response('{}'));
    };
    const session = new Session({ endpoint: 'http://berth', credentials: noauth('admin'), fetch: noting });
    const { reports, ...others } = new Client(session, '1.39');
    const { changes: _stream, ...reportsThatEnd } = reports;
    await Promise.all(functionsOf([others, reportsThatEnd]).map((call) => call('x', 'x', {}, {})));
    const routes = [...service.routes].flatMap(([path, methods]) =>
      methods.filter((method) => !['HEAD', 'OPTIONS'].includes(method)).map((method) => `${method} ${path}`),
    );
    const ours = routes.filter((route) => !OTHERS.test(route));
    expect(new Set(asked).size).toBeGreaterThan(80);
    const patternOf = (route: string): RegExp =>
      new RegExp(`^${route.replaceAll(/:\w+/g, '(x|\\[object%20Object\\])')}$`);
    const matches = (route: string, path: string): boolean => patternOf(route).test(path);
    expect(asked.filter((path) => !ours.some((route) => matches(route, path)))).toEqual([]);
    expect(ours.filter((route) => !asked.some((path) => matches(route, path))).sort()).toEqual([...LEFT_OUT].sort());
  });

  it('the error codes, and the meaning of their statuses', () => {
    const inService = Object.entries(CODES_OF_SERVICE).flatMap(([code, { status, inScheduler }]) =>
      [wireCodeOf(code as keyof typeof CODES_OF_SERVICE), ...(inScheduler === undefined ? [] : [inScheduler])].map(
        (wire) => [wire, status] as const,
      ),
    );
    expect(Object.keys(ERROR_CODES).sort()).toEqual([...new Set(inService.map(([code]) => code))].sort());
    const CLASSES = {
      400: InvalidRequest,
      401: Unauthorized,
      403: Forbidden,
      404: NotFound,
      405: Refusal,
      406: VersionRefused,
      409: Conflict,
      413: Refusal,
      415: Refusal,
      429: TooManyRequests,
      503: Unavailable,
    };
    for (const [code, status] of inService) {
      const itsClass: typeof Refusal | undefined = ERROR_CODES[code as keyof typeof ERROR_CODES];
      if (itsClass === undefined) continue;
      expect([code, itsClass === CLASSES[status] || itsClass.prototype instanceof CLASSES[status]]).toEqual([
        code,
        true,
      ]);
    }
    expect(ERROR_CODES['placement.search_gave_up']).toBe(SearchGaveUp);
  });
});

/** Every function of the resources, at any depth. */
function functionsOf(members: object): ((...given: unknown[]) => Promise<unknown>)[] {
  return Object.values(members).flatMap((member: unknown) => {
    if (typeof member === 'function') return [member as (...given: unknown[]) => Promise<unknown>];
    return typeof member === 'object' && member !== null ? functionsOf(member) : [];
  });
}

describe('the client of a service with an Identity service', () => {
  let identity: IdentityDouble;
  let service: TestService;
  beforeEach(async () => {
    identity = await IdentityDouble.start();
    service = await startTestService('sqlite', {
      overrides: {
        api: { auth_strategy: 'keystone' },
        keystone_authtoken: {
          auth_url: identity.url,
          username: 'placement',
          user_domain_name: 'Default',
          password: identity.password,
          project_name: 'service',
          project_domain_name: 'Default',
        },
      },
    });
  });
  afterEach(async () => {
    await service.stop();
    await identity.stop();
  });

  it('logs in by itself; a client with noauth credentials is refused', async () => {
    const endpoint = await listening(service);
    const account = { authUrl: identity.url, username: 'nova', password: identity.password, projectName: 'service' };
    const client = new Client(new Session({ endpoint, credentials: keystone(account) }));
    await client.traits.create('CUSTOM_A');
    expect((await client.traits.list({ name: 'in:CUSTOM_A' })).traits).toEqual(['CUSTOM_A']);
    const anonymous = new Client(new Session({ endpoint, credentials: noauth('admin') }));
    await expect(anonymous.traits.list()).rejects.toMatchObject({ status: 401, name: 'Unauthorized' });
  });
});
