// Refusals of the scheduler over HTTP: status, code, field, and access.
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { books, flavorWith, hostsOf, instance, loadWorld, select, SMALL } from './scheduler-cloud';

const GROUP = { instance_group: { uuid: instance(7), policy: 'affinity' } } as const;
const OUTSIDE = { requester_id: 'port', resources: {} };

describe.each(testDatabaseKinds())('refusals on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
    await loadWorld(service, 'cn1 VCPU:64 MEMORY_MB:65536');
  });
  afterAll(async () => {
    expect((await books(service)).faults).toEqual([]);
    await service.stop();
  });

  it.each<[string, object]>([
    ['flavour', { flavour: SMALL }],
    ["'flavor' has the unknown property 'vcpu'", { flavor: { ...SMALL, vcpu: 1 } }],
    ['flavor.vcpus', { flavor: { ...SMALL, vcpus: -1 } }],
    ["'flavor' lacks the required property 'memory_mb'", { flavor: { vcpus: 1 } }],
    ["'image' has the unknown property 'format'", { image: { format: 'raw' } }],
    ['instances', { instances: ['not-a-uuid'] }],
    ['instances', { instances: [] }],
    ['instances', { instances: [instance(1), instance(1)] }],
    ['num_instances', { instances: [instance(1)], num_instances: 2 }],
    ['project_id', { project_id: undefined }],
    ['explain', { explain: 'everything' }],
    ['seed', { seed: -1 }],
    ["'request_level_params' has the unknown property 'root'", { request_level_params: { root: [] } }],
    ['flavor.extra_specs.resources:VCPU', flavorWith({ 'resources:VCPU': 'many' })],
    ['flavor.extra_specs.resources:GPU', flavorWith({ 'resources:GPU': 1 })],
    ['flavor.extra_specs.trait:CUSTOM_X', flavorWith({ 'trait:CUSTOM_X': 'wanted' })],
    ['flavor.extra_specs.trait_GPU', flavorWith({ 'trait_GPU:CUSTOM_X': 'required' })],
    ['flavor.extra_specs.group_policy', flavorWith({ 'resources1:VCPU': 1, 'resources2:VCPU': 1 })],
    ['CUSTOM_NOWHERE', flavorWith({ 'trait:CUSTOM_NOWHERE': 'required' })],
    ['CUSTOM_NOTHING', flavorWith({ 'resources:CUSTOM_NOTHING': 1 })],
  ])('name %s as the fault of the request', async (field, body) => {
    const { status, json } = await select(service, body);
    expect({ status, code: json.errors[0].code }).toEqual({ status: 400, code: 'scheduler.invalid_request' });
    expect(json.errors[0].detail).toContain(field);
  });

  it.each<[string, object]>([
    ["'flavor' names the flavor 'm1.small', which does not exist", { flavor: 'm1.small' }],
    [`'image' names the image '${instance(9)}', which does not exist`, { image: instance(9) }],
    ["'availability_zone' names the zone 'az1', which does not exist", { availability_zone: 'az1' }],
    [`'instance_group' names the server group '${instance(9)}', which does not exist`, { instance_group: instance(9) }],
    [
      "'scheduler_hints.group' names the server group 'blue', which does not exist",
      { scheduler_hints: { group: 'blue' } },
    ],
    ["'scheduler_hints.group' names another server group", { ...GROUP, scheduler_hints: { group: instance(8) } }],
    ["'scheduler_hints._nova_check_type' must be rebuild", { scheduler_hints: { _nova_check_type: 'resize' } }],
    ["'min_count' is 3, but there are 2 instances", { num_instances: 2, min_count: 3 }],
    ["'flavor.extra_specs.hw:numa_nodes' ", flavorWith({ 'hw:numa_nodes': 2 })],
    ["'flavor.extra_specs.pci_passthrough:alias' ", flavorWith({ 'pci_passthrough:alias': 'gpu:1' })],
    ["'image.properties.hw_architecture' ", { image: { properties: { hw_architecture: 'z80' } } }],
    ["'image.properties.hw_cpu_policy' ", { image: { properties: { hw_cpu_policy: 'pinned' } } }],
    ["'requested_resources.0.resources' asks for no resources", { requested_resources: [OUTSIDE] }],
    ["'retry.hosts.0' must be a host and its node", { retry: { hosts: [['cn1']] } }],
  ])('start with the field: %s', async (sentence, body) => {
    const { status, json } = await select(service, body);
    const [{ code, detail, decision }] = json.errors;
    expect({ status, code, outcome: decision.outcome }).toEqual({
      status: 400,
      code: 'scheduler.invalid_request',
      outcome: 'refused',
    });
    expect(detail).toContain(sentence);
  });

  it.each<[string, object]>([
    [
      "names the zone 'novaa', which does not exist. Did you mean 'nova'? Known zones: nova.",
      { availability_zone: 'novaa' },
    ],
    [
      "names the flavor 'm1.smal', which does not exist. Did you mean 'm1.small'? Known flavors: m1.small.",
      { flavor: 'm1.smal' },
    ],
    [
      "No such resource class CUSTOM_GOLDD. Did you mean 'CUSTOM_GOLD'?",
      { flavor: { ...SMALL, extra_specs: { 'resources:CUSTOM_GOLDD': '1' } } },
    ],
    ["names the image 'cirros', which does not exist. There are no images.", { image: 'cirros' }],
    ["No such host - host: cn2 node: None Did you mean 'cn1'? Known hosts: cn1.", { force_hosts: ['cn2'] }],
  ])('suggest a name: %s', async (detail, body) => {
    const flavor = { id: 'smallest', ...SMALL, root_gb: 0 };
    await service.request({ method: 'POST', path: '/scheduler/flavors', body: flavor });
    await service.request({ method: 'PUT', path: '/resource_classes/CUSTOM_GOLD' });
    expect((await select(service, body)).json.errors[0].detail).toContain(detail);
    await service.request({ method: 'DELETE', path: '/scheduler/flavors/smallest' });
  });

  it('name a policy without an enforcing part as not supported', async () => {
    const soft = await startTestService(kind, { env: { BERTH_FILTER_SCHEDULER__WEIGHT_CLASSES: 'RAMWeigher' } });
    const { status, json } = await select(soft, { instance_group: { policy: 'soft-affinity' } });
    expect({ status, code: json.errors[0].code }).toEqual({ status: 400, code: 'scheduler.unsupported' });
    expect(json.errors[0].detail).toContain(
      "'instance_group' asks for a policy that no filter enforces. ServerGroup policy is not supported: ServerGroupSoftAffinityWeigher not configured",
    );
    await soft.stop();
  });

  it.each<[string, object]>([
    ['no such host', { requested_destination: { host: 'cn9' } }],
    ['no such forced host', { force_hosts: ['cn9'] }],
    ['no such node', { requested_destination: { host: 'cn1', node: 'cn9' } }],
  ])('concern hosts, not the request, if there is %s', async (_, body) => {
    const { status, json } = await select(service, body);
    expect({ status, code: json.errors[0].code }).toEqual({ status: 409, code: 'scheduler.no_valid_host' });
    expect(json.errors[0].detail).toContain('No valid host was found. No such host - host: ');
  });

  it.each<[string, object]>([
    ['a forced host', { force_hosts: ['cn1'] }],
    ['a forced node', { force_nodes: ['cn1'] }],
    ['a destination', { requested_destination: { host: 'cn1' } }],
    ['a server group given inline', { instance_group: { policy: 'anti-affinity' } }],
    ['a server group given inline with a uuid', { instance_group: { uuid: instance(77), policy: 'anti-affinity' } }],
    ['fewer instances than asked', { num_instances: 2, min_count: 1 }],
    ['a zone that the request does not name', { availability_zone: 'nova' }],
    ['a NUMA topology of nothing', { ...flavorWith({ 'hw:numa_nodes': 1 }), numa_topology: null }],
    ['a rebuild check', { force_hosts: ['cn1'], scheduler_hints: { _nova_check_type: 'rebuild' } }],
  ])('do not apply to %s', async (_, body) => {
    const before = (await books(service)).consumers;
    expect(new Set(hostsOf(await select(service, { ...body, dry_run: true })))).toEqual(new Set(['cn1']));
    expect((await books(service)).consumers).toBe(before);
    const real = await select(service, body);
    expect(new Set(hostsOf(real))).toEqual(new Set(['cn1']));
  });

  it('list hints that no part reads instead of dropping them', async () => {
    const { json } = await select(service, { dry_run: true, scheduler_hints: { colour: 'blue' } });
    expect(json.decision.request.ignored).toMatchObject([{ field: 'scheduler_hints.colour' }]);
  });

  it('contain the decision, the request id and one detail', async () => {
    const { status, json, headers } = await select(service, flavorWith({}, { vcpus: 65 }));
    expect(status).toBe(409);
    expect(json.errors).toHaveLength(1);
    expect(json.errors[0]).toMatchObject({
      status: 409,
      title: 'Conflict',
      code: 'scheduler.no_candidates',
      request_id: headers['x-openstack-request-id'],
      decision: { request_id: headers['x-openstack-request-id'], outcome: 'no_valid_host' },
    });
  });

  it.each<[string, string | Buffer | undefined, number]>([
    ['no JSON', '{', 400],
    ['no object', '[]', 400],
    ['nothing', '', 400],
  ])('of a body that is %s are clear', async (_, body, status) => {
    const answer = await service.request({
      method: 'POST',
      path: '/scheduler/select_destinations',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(status);
    expect(answer.json.errors[0].code).toBe('scheduler.invalid_request');
  });

  it.each<[string, Record<string, string | null>, number]>([
    ['without a token', { 'x-auth-token': null, 'x-roles': null }, 401],
    ['with no role', { 'x-auth-token': 'somebody', 'x-roles': '' }, 403],
    ['as a member of a project', { 'x-auth-token': 'somebody:project', 'x-roles': 'member,reader' }, 403],
    ['as an admin', { 'x-auth-token': 'somebody:project', 'x-roles': 'admin' }, 200],
    ['as a service', { 'x-auth-token': 'nova:service', 'x-roles': 'service' }, 200],
  ])('follow the policy for a caller %s', async (_, headers, expected) => {
    const answers = await Promise.all([
      select(service, { dry_run: true }, headers),
      service.request({ method: 'GET', path: '/scheduler', headers }),
      service.request({
        method: 'POST',
        path: '/scheduler/explain',
        headers,
        body: { num_instances: 1, flavor: SMALL, project_id: 'p', user_id: 'u' },
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([expected, expected, expected]);
  });

  it.each<[string | null]>([[null], ['placement 1.0'], ['placement 9.99'], ['nonsense']])(
    'ignore the microversion: %s',
    async (header) => {
      const answer = await select(service, { dry_run: true }, { 'openstack-api-version': header });
      expect(hostsOf(answer)).toEqual(['cn1']);
      const bad = await select(service, { num_instances: 0 }, { 'openstack-api-version': header });
      expect(bad.json.errors[0].code).toBe('scheduler.invalid_request');
    },
  );

  it.each(['select_destinations?dry_run=true', 'explain?hots=cn1'])('name a query parameter of %s', async (path) => {
    const body = { num_instances: 1, flavor: SMALL, project_id: 'p', user_id: 'u' };
    const { status, json } = await service.request({ method: 'POST', path: `/scheduler/${path}`, body });
    expect({ status, code: json.errors[0].code }).toEqual({ status: 400, code: 'scheduler.invalid_request' });
    expect(json.errors[0].detail).toContain('is no query parameter here');
  });

  it('of an unknown method or path are those of the service', async () => {
    expect((await service.request({ method: 'GET', path: '/scheduler/select_destinations' })).status).toBe(405);
    expect((await service.request({ method: 'POST', path: '/scheduler/guess', body: {} })).status).toBe(404);
  });
});
