// Reports of hosts over HTTP on both databases: the resources of a cloud and of its groups, the status of its hosts,
// and the flavors that fit.
import { setTimeout as pause } from 'node:timers/promises';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { aggregateUuid, providerUuid } from '../world/world-description';
import type { Json } from './scheduler-cloud';
import { loadWorld, OWNER } from './scheduler-cloud';

const WORLD = `
cn1     VCPU:16/4 MEMORY_MB:32768(reserved=768)  {CUSTOM_FAST}      @rack
  numa0 CUSTOM_SLOT:8(ratio=1.5)/2               {HW_NUMA_ROOT}
  numa1 CUSTOM_SLOT:4                            {HW_NUMA_ROOT}
cn2     VCPU:4 MEMORY_MB:4096
pool    DISK_GB:2000(max=500)/10                 {SHARES}           @rack
`;

/** A host report that creates its provider. */
const REPORT = {
  vcpus_total: 8,
  memory_mb: 16384,
  local_gb: 100,
  report_providers: true,
  hypervisor: { type: 'QEMU', version: 7002000, hostname: 'cn3.example' },
};
const INSTANCE = '00000000-0000-4000-8000-0000000000a1';

describe.each(testDatabaseKinds())('reports of hosts on %s', (kind) => {
  let service: TestService;
  const ask = (method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    service.request({ method, path, version: null, ...(body !== undefined && { body }) });
  const done = async (method: 'PUT' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Json> => {
    const answer = await ask(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const get = async (path: string): Promise<Json> => {
    const answer = await ask('GET', path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const names = async (query: string): Promise<string[]> =>
    (await get(`/reports/hosts?${query}`)).hosts.map(({ name }: Json) => name as string);

  beforeAll(async () => {
    service = await startTestService(kind);
    await loadWorld(service, WORLD);
    await done('PUT', '/scheduler/hosts/cn3/cn3', REPORT);
    await done('POST', '/scheduler/host_aggregates', { name: 'row', availability_zone: 'az1', hosts: ['cn3', 'cn2'] });
    await done('POST', '/scheduler/flavors', { id: 'small', name: 'm1.small', vcpus: 1, memory_mb: 512 });
    await done('POST', '/scheduler/flavors', { id: 'big', name: 'm1.big', vcpus: 6, memory_mb: 512 });
    await done('POST', '/scheduler/flavors', {
      id: 'fast',
      name: 'm1.fast',
      vcpus: 1,
      memory_mb: 512,
      extra_specs: { 'trait:CUSTOM_FAST': 'required' },
    });
    await done('POST', '/scheduler/flavors', {
      id: 'pinned',
      name: 'm1.pinned',
      vcpus: 2,
      memory_mb: 512,
      extra_specs: { 'hw:cpu_policy': 'dedicated' },
    });
  });
  afterAll(() => service.stop());

  it('lists every root with the resources of its tree, ordered by name', async () => {
    const { count, hosts, next_marker: next } = await get('/reports/hosts');
    expect([count, next]).toEqual([4, null]);
    expect(hosts.map(({ name, status }: Json) => `${name} ${status}`)).toEqual([
      'cn1 unreported',
      'cn2 unreported',
      'cn3 up',
      'pool sharing',
    ]);
    expect(hosts[0]).toEqual({
      uuid: providerUuid('cn1'),
      name: 'cn1',
      host: null,
      node: null,
      availability_zone: null,
      host_aggregates: [],
      placement_aggregates: [aggregateUuid('rack')],
      traits: 2,
      providers: 3,
      instances: 2,
      status: 'unreported',
      status_reason: null,
      last_seen_up: null,
      resource_classes: {
        CUSTOM_SLOT: { total: 12, reserved: 0, capacity: 16, used: 2, free: 14 },
        MEMORY_MB: { total: 32768, reserved: 768, capacity: 32000, used: 0, free: 32000 },
        VCPU: { total: 16, reserved: 0, capacity: 16, used: 4, free: 12 },
      },
      stranded: null,
    });
    expect(hosts[2]).toMatchObject({ host: 'cn3', node: 'cn3', availability_zone: 'az1', instances: 0 });
    expect(hosts[2].host_aggregates).toEqual([{ uuid: expect.any(String) as string, name: 'row' }]);
    expect(Date.parse(hosts[2].last_seen_up as string)).not.toBeNaN();
  });

  it.each([
    ['name=CN', ['cn1', 'cn2', 'cn3']],
    ['trait=CUSTOM_FAST', ['cn1']],
    ['trait=HW_NUMA_ROOT&trait=!CUSTOM_FAST', []],
    ['trait=!CUSTOM_FAST&trait=!MISC_SHARES_VIA_AGGREGATE', ['cn2', 'cn3']],
    ['host_aggregate=row', ['cn2', 'cn3']],
    [`placement_aggregate=${aggregateUuid('rack')}`, ['cn1', 'pool']],
    ['availability_zone=az1', ['cn2', 'cn3']],
    ['availability_zone=', ['cn1', 'pool']],
    ['resource_class=CUSTOM_SLOT', ['cn1']],
    ['status=up&status=sharing', ['cn3', 'pool']],
    ['flavor=m1.big', ['cn1', 'cn3']],
    ['flavor=fast', ['cn1']],
    ['sort=-name', ['pool', 'cn3', 'cn2', 'cn1']],
    ['sort=free:VCPU', ['cn2', 'cn1', 'cn3', 'pool']],
    ['sort=-use:VCPU', ['cn1', 'cn2', 'cn3', 'pool']],
    ['sort=-instances', ['cn1', 'pool', 'cn2', 'cn3']],
    ['sort=zone', ['cn2', 'cn3', 'cn1', 'pool']],
    ['sort=status', ['cn3', 'cn1', 'cn2', 'pool']],
  ])('lists by %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('finds a host aggregate by every spelling of its uuid', async () => {
    const { hosts } = await get('/reports/hosts?host_aggregate=row');
    const { uuid } = hosts[0].host_aggregates[0];
    for (const spelling of [uuid, uuid.toUpperCase(), uuid.replaceAll('-', ''), `urn:uuid:${uuid}`, `{${uuid}}`]) {
      expect(await names(`host_aggregate=${encodeURIComponent(spelling as string)}`)).toEqual(['cn2', 'cn3']);
    }
  });

  it('pages through the list in any order', async () => {
    const seen: string[] = [];
    for (let marker: string | null = ''; marker !== null;) {
      const page: Json = await get(`/reports/hosts?sort=-name&limit=1${marker === '' ? '' : `&marker=${marker}`}`);
      expect(page.count).toBe(4);
      seen.push(...page.hosts.map(({ name }: Json) => name as string));
      marker = page.next_marker as string | null;
    }
    expect(seen).toEqual(['pool', 'cn3', 'cn2', 'cn1']);
  });

  it.each([
    ['hosts?x=1', "'x' is no query parameter here"],
    ['hosts?limit=0', "'limit' must be an integer from 1 to 5000, not '0'"],
    ['hosts?limit=5001', "'limit' must be"],
    ['hosts?marker=x', "'marker' is not a uuid"],
    [`hosts?marker=${INSTANCE}`, "'marker' names nothing here"],
    ['hosts?sort=size', "'sort' must be one of name"],
    ['hosts?sort=used', "'sort' must be one of name"],
    ['hosts?sort=name:VCPU', "'sort' must be one of name"],
    ['hosts?sort=used:CUSTOM_NOTHING', "'sort' names no resource class: 'CUSTOM_NOTHING'"],
    ['hosts?stranded=MEMORY_GB', "'stranded' names no resource class: 'MEMORY_GB'. Did you mean 'MEMORY_MB'?"],
    ['hosts?trait=HW_CPU_X86_AVX22', "'trait' names no trait: 'HW_CPU_X86_AVX22'. Did you mean 'HW_CPU_X86_AVX2'?"],
    ['hosts?status=gone', "'status' must be one of up"],
    ['hosts?trait=!CUSTOM_NOTHING', "'trait' names no trait: 'CUSTOM_NOTHING'"],
    ['hosts?host_aggregate=nothing', "'host_aggregate' names no host aggregate"],
    ['hosts?placement_aggregate=x', "'placement_aggregate' is not a uuid"],
    ['hosts?flavor=nothing', "'flavor' names no flavor"],
    ['hosts?name=a&name=b', "'name' is given twice"],
    ['map?trait=CUSTOM_FAST&resource_class=VCPU', 'exclude each other'],
    ['map?flavor=', "'flavor' names no flavor"],
    ['map?stranded=VCPU&flavor=big', 'exclude each other'],
    ['map?stranded=CUSTOM_NOPE', "'stranded' names no resource class"],
    ['hosts?stranded=CUSTOM_NOPE', "'stranded' names no resource class"],
    ['hosts?with=all', "'with'"],
    ['capacity?group_by=row', "'group_by' must be one of total"],
    ['capacity?resource_class=x', "'resource_class' names no resource class"],
    ['capacity?group_by=trait&marker=CUSTOM_NOTHING', "'marker' names nothing here"],
    [`hosts/${INSTANCE}?x=1`, "'x' is no query parameter here"],
  ])('refuses %s with the name of the field', async (path, why) => {
    const { status, json } = await ask('GET', `/reports/${path}`);
    expect([status, json.errors[0].code]).toEqual([400, 'scheduler.invalid_request']);
    expect(json.errors[0].detail).toContain(why);
  });

  it('finds no host for an unknown provider', async () => {
    for (const uuid of [INSTANCE, 'cn1', '%00']) {
      const { status, json } = await ask('GET', `/reports/hosts/${uuid}`);
      expect([status, json.errors[0].code]).toEqual([404, 'scheduler.not_found']);
    }
  });

  it('shows every host on the map, with a value on request', async () => {
    const map = await get('/reports/map');
    const reported = map.hosts.map(({ uuid, name, zone, host_aggregates: aggregates, status, ...value }: Json) => [
      uuid,
      name,
      zone,
      aggregates.map((at: number) => map.host_aggregates[at].name),
      status,
      ...Object.keys(value as object),
    ]);
    const { hosts } = await get('/reports/hosts');
    const row = ({ uuid, name, availability_zone: zone, host_aggregates: aggregates, status }: Json): unknown[] => [
      uuid,
      name,
      zone,
      aggregates.map((each: Json) => each.name),
      status,
    ];
    expect([...reported].sort()).toEqual(hosts.map(row).sort());
    expect(map.truncated).toBe(false);
    const values = async (query: string, member: 'share' | 'has' | 'reason'): Promise<object> =>
      Object.fromEntries(
        (await get(`/reports/map?${query}`)).hosts.map((cell: Json) => [cell.name, cell.fits === true || cell[member]]),
      );
    expect(await values('resource_class=VCPU', 'share')).toEqual({ cn1: 0.25, cn2: 0, cn3: 0, pool: null });
    expect(await values('trait=HW_NUMA_ROOT', 'has')).toEqual({ cn1: true, cn2: false, cn3: false, pool: false });
    expect(await values('flavor=big', 'reason')).toEqual({ cn1: true, cn2: 0, cn3: true, pool: 1 });
    expect(await values('flavor=m1.pinned', 'reason')).toEqual({ cn1: true, cn2: true, cn3: true, pool: 0 });
  });

  it('gives the reason of each host that has no room for a flavor', async () => {
    const { hosts, reasons } = await get('/reports/map?flavor=m1.fast');
    const said = hosts.map(({ name, fits, reason }: Json) => [name, fits ? null : reasons[reason].sentence]);
    expect(Object.fromEntries(said)).toEqual({
      cn1: null,
      cn2: 'lacks trait CUSTOM_FAST',
      cn3: 'lacks trait CUSTOM_FAST',
      pool: 'has no MEMORY_MB',
    });
  });

  it('names what a host does not have before what is used up', async () => {
    const gpu = { id: 'gpu', name: 'g1.gpu', vcpus: 1, memory_mb: 1_000_000, extra_specs: { 'resources:VGPU': '1' } };
    await done('POST', '/scheduler/flavors', gpu);
    const { reasons } = await get('/reports/map?flavor=g1.gpu');
    const { flavors } = await get(`/reports/hosts/${providerUuid('cn2')}`);
    await done('DELETE', '/scheduler/flavors/gpu');
    expect(reasons.map(({ sentence }: Json) => sentence as string)).toContain('has no VGPU');
    expect(reasons.map(({ sentence }: Json) => sentence as string)).not.toContain('lacks MEMORY_MB');
    expect(flavors.find(({ name }: Json) => name === 'g1.gpu').hinders).toEqual([
      'can never hold 1000000 MEMORY_MB (capacity 4096)',
      'has no VGPU',
    ]);
  });

  it('shows stranded amounts in the list and on the map', async () => {
    const current = async (path: string): Promise<Json> => {
      for (;;) {
        const json = await get(path);
        if (json.stranded.state === 'current') return json;
        await pause(10);
      }
    };
    // No flavor asks for a slot.
    const { hosts } = await current('/reports/hosts?with=stranded');
    expect(hosts[0].stranded.CUSTOM_SLOT).toEqual({
      amount: 14,
      at_most: false,
      because: 'CUSTOM_SLOT that no flavor asks for',
    });
    expect(hosts[3].stranded).toBeNull();
    expect(await names('stranded=CUSTOM_SLOT')).toEqual(['cn1']);
    expect(await names('sort=-stranded:CUSTOM_SLOT')).toEqual(['cn1', 'cn2', 'cn3', 'pool']);
    const map = await current('/reports/map?stranded=CUSTOM_SLOT');
    expect(map.hosts.map(({ share }: Json) => share)).toEqual([14 / 16, null, null, null]);
  });

  it('sums capacity by groups', async () => {
    let total = await get('/reports/capacity?resource_class=VCPU&resource_class=DISK_GB');
    // Stranded amounts are computed in a task that yields.
    while (total.stranded.state === 'computing') {
      await pause(10);
      total = await get('/reports/capacity?resource_class=VCPU&resource_class=DISK_GB');
    }
    expect(total).toMatchObject({ group_by: 'total', stranded: { state: 'current', flavors: 4 }, next_marker: null });
    expect(total.groups).toHaveLength(1);
    expect(total.groups[0]).toMatchObject({ key: null, name: null, hosts: 4, hosts_usable: 4 });
    expect(total.groups[0].resource_classes.DISK_GB).toEqual({
      total: 2100,
      reserved: 0,
      capacity: 2100,
      used: 10,
      free: 2090,
      usable: 2090,
      largest_free: 500,
      largest_free_host: { uuid: providerUuid('pool'), name: 'pool' },
      stranded: expect.objectContaining({ amount: expect.any(Number), at_most: false }),
    });
    expect(Object.keys(total.groups[0].resource_classes)).toEqual(['DISK_GB', 'VCPU']);
    const zones = await get('/reports/capacity?group_by=availability_zone');
    expect(zones.groups.map(({ key, hosts }: Json) => [key, hosts])).toEqual([
      ['az1', 2],
      [null, 2],
    ]);
    const traits = await get('/reports/capacity?group_by=trait&limit=1&marker=CUSTOM_FAST');
    expect(traits.groups.map(({ name, hosts }: Json) => [name, hosts])).toEqual([['HW_NUMA_ROOT', 1]]);
    const aggregates = await get('/reports/capacity?group_by=host_aggregate');
    expect(aggregates.groups.map(({ name, hosts }: Json) => [name, hosts])).toEqual([
      ['row', 2],
      [null, 2],
    ]);
    const ofPlacement = await get('/reports/capacity?group_by=placement_aggregate');
    expect(ofPlacement.groups.map(({ name, hosts }: Json) => [name, hosts])).toEqual(
      expect.arrayContaining([
        ['row', 2],
        [null, 2],
      ]),
    );
  });

  describe('of one host', () => {
    let request: Json;
    let uuid: string;
    beforeAll(async () => {
      uuid = (await get('/reports/hosts?name=cn3')).hosts[0].uuid as string;
      const instances = { instances: [INSTANCE], instance_names: { [INSTANCE]: 'web' } };
      const body = { ...OWNER, ...instances, flavor: 'm1.small', availability_zone: 'az1' };
      request = await done('POST', '/scheduler/select_destinations', { ...body, force_hosts: ['cn3'] });
      expect(request.selections[0].selected.host).toBe('cn3');
    });

    it('shows the tree, the service, the consumers and the decisions', async () => {
      const detail = await get(`/reports/hosts/${uuid}`);
      expect(detail.host).toMatchObject({ name: 'cn3', instances: 1, status: 'up' });
      expect(detail.service).toMatchObject({
        status: 'enabled',
        disabled_reason: null,
        forced_down: false,
        state: 'up',
      });
      expect(detail.hypervisor).toEqual({ type: 'QEMU', version: 7002000, hostname: 'cn3.example' });
      const provider = await get(`/resource_providers/${uuid}`);
      expect(detail.tree).toMatchObject({ uuid, generation: provider.generation, consumers: 1, children: [] });
      expect(detail.tree.resource_classes.VCPU).toMatchObject({ total: 8, used: 1, min_unit: 1, step_size: 1 });
      expect(detail.consumers).toEqual([
        {
          uuid: INSTANCE,
          consumer_type: expect.any(String) as string,
          project_id: 'project',
          user_id: 'user',
          generation: expect.any(Number) as number,
          instance: {
            name: 'web',
            flavor: 'm1.small',
            image: null,
            availability_zone: 'az1',
            server_group: null,
            decision: expect.stringMatching(/^req-/) as string,
          },
          allocations: { [uuid]: { MEMORY_MB: 512, VCPU: 1 } },
        },
      ]);
      expect([detail.consumers_truncated, detail.flavors_truncated, detail.tree_truncated]).toEqual([
        false,
        false,
        false,
      ]);
    });

    it('shows the results of decisions about it, chosen or not', async () => {
      const hopeless = { ...OWNER, num_instances: 1, flavor: 'fast', availability_zone: 'az1' };
      expect((await ask('POST', '/scheduler/select_destinations', hopeless)).status).toBe(409);
      const deadline = Date.now() + 60_000;
      for (let said: Json[] = []; said.length < 2;) {
        said = (await get(`/reports/hosts/${uuid}`)).decisions as Json[];
        if (said.length >= 2) {
          expect(said).toMatchObject([
            {
              verdict: 'rejected',
              outcome: 'no_valid_host',
              flavor: 'm1.fast',
              project_id: 'project',
              num_instances: 1,
            },
            { verdict: 'selected', outcome: 'placed', flavor: 'm1.small', instance: INSTANCE, instance_name: 'web' },
          ]);
          expect(said[0]).toMatchObject({ by: 'placement', message: expect.stringContaining('CUSTOM_FAST') as string });
        }
        if (Date.now() > deadline) throw new Error(JSON.stringify(said));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });

    it('shows which flavors fit, and the failed constraints of the others', async () => {
      const { flavors } = await get(`/reports/hosts/${providerUuid('cn2')}`);
      const verdict = (name: string): Json => flavors.find((each: Json) => each.name === name);
      expect(verdict('m1.small')).toEqual({ id: 'small', name: 'm1.small', fits: true, hinders: [] });
      expect(verdict('m1.big').hinders).toEqual(['can never hold 6 VCPU (capacity 4)']);
      expect(verdict('m1.fast').hinders).toEqual([expect.stringContaining('CUSTOM_FAST')]);
      expect(verdict('m1.pinned')).toMatchObject({ fits: true });
    });

    it('is found by any provider of its tree, with the resources shared by others', async () => {
      const detail = await get(`/reports/hosts/${providerUuid('numa1')}`);
      expect(detail.tree).toMatchObject({ uuid: providerUuid('cn1'), parent_uuid: null });
      expect(detail.tree.children.map(({ name, consumers }: Json) => [name, consumers])).toEqual([
        ['numa0', 1],
        ['numa1', 0],
      ]);
      expect(detail.shared).toEqual([
        {
          uuid: providerUuid('pool'),
          name: 'pool',
          aggregates: [aggregateUuid('rack')],
          resource_classes: { DISK_GB: { total: 2000, reserved: 0, capacity: 2000, used: 10, free: 1990 } },
        },
      ]);
      expect(detail.service).toBeNull();
    });

    it('accepts nothing while it is disabled, and gives the reason', async () => {
      await done('PATCH', '/scheduler/services/cn3', { status: 'disabled', disabled_reason: 'broken fan' });
      const { host, flavors } = await get(`/reports/hosts/${uuid}`);
      expect(host).toMatchObject({ status: 'disabled', status_reason: 'the compute service is disabled: broken fan' });
      expect(flavors.map(({ fits }: Json) => fits as boolean)).toEqual([false, false, false, false]);
      const disabled = 'the compute service is disabled: broken fan';
      expect(flavors.map(({ name, hinders }: Json) => [name as string, hinders as string[]])).toEqual([
        ['m1.small', [disabled]],
        ['m1.big', [disabled]],
        ['m1.fast', [disabled, expect.stringContaining('CUSTOM_FAST')]],
        ['m1.pinned', [disabled]],
      ]);
      expect(await names('flavor=small')).toEqual(['cn1', 'cn2']);
      const { groups } = await get('/reports/capacity?group_by=availability_zone&resource_class=VCPU');
      expect(groups[0]).toMatchObject({ key: 'az1', hosts: 2, hosts_usable: 1 });
      expect(groups[0].resource_classes.VCPU).toMatchObject({ free: 35, usable: 4, largest_free: 4 });
      await done('PATCH', '/scheduler/services/cn3', { status: 'enabled', forced_down: true });
      expect((await get(`/reports/hosts/${uuid}`)).host).toMatchObject({ status: 'down' });
      await done('PATCH', '/scheduler/services/cn3', { forced_down: false });
      expect((await get(`/reports/hosts/${uuid}`)).host).toMatchObject({ status: 'up', status_reason: null });
    });
  });
});
