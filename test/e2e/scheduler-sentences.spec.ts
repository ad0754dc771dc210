// The sentence of a refusal: what to check first, with names and numbers; in the answer, at the start of the decision,
// and in the log with the request id.
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { providerUuid } from '../world/world-description';
import { clear, explain, flavorWith, loadWorld, select } from './scheduler-cloud';

interface Line {
  readonly level: string;
  readonly message: string;
  readonly request_id?: string;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-/;
const FILTERS = 'NumInstancesFilter,ComputeFilter,ServerGroupAntiAffinityFilter';
const sentenceOf = ({ json }: TestResponse): string => json.errors[0].decision.summary.sentence as string;

/** Decisions are written after the answer. */
async function recorded(service: TestService, id: string): Promise<TestResponse['json']> {
  const path = `/scheduler/decisions/${id}`;
  let read = await service.request({ path });
  for (let tries = 0; read.status === 404 && tries < 100; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    read = await service.request({ path });
  }
  return read.json;
}

describe.each(testDatabaseKinds())('the sentence of a refusal on %s', (kind) => {
  let service: TestService;
  let lines: Line[] = [];
  beforeAll(async () => {
    service = await startTestService(kind, {
      log: (line) => lines.push(JSON.parse(line) as Line),
      env: {
        BERTH_FILTER_SCHEDULER__ENABLED_FILTERS: FILTERS,
        BERTH_FILTER_SCHEDULER__MAX_INSTANCES_PER_HOST: '1',
        BERTH_SCHEDULER__LIMIT_TENANTS_TO_PLACEMENT_AGGREGATE: 'true',
      },
    });
  });
  afterAll(() => service.stop());
  afterEach(() => clear(service));
  beforeEach(() => (lines = []));

  it.each<[string, string, object, string]>([
    [
      'a trait of a full host',
      'a VCPU:8 MEMORY_MB:4096\nb VCPU:8 MEMORY_MB:4096\nc VCPU:8/6 MEMORY_MB:4096 {CUSTOM_GPU}',
      flavorWith({ 'trait:CUSTOM_GPU': 'required' }, { vcpus: 4 }),
      '0 of 3 hosts fit: 1 has trait CUSTOM_GPU and 2 have 4 VCPU free, none has both; closest: a, b lack only trait ' +
        'CUSTOM_GPU (flavor m1.small); 1 fails NumInstancesFilter (host runs 1 instances; the limit is 1).',
    ],
    [
      'a trait that the image requires',
      'a VCPU:8 MEMORY_MB:4096\nb VCPU:2 MEMORY_MB:4096 {CUSTOM_GPU}',
      { ...flavorWith({}, { vcpus: 4 }), image: { properties: { 'trait:CUSTOM_GPU': 'required' } } },
      '0 of 2 hosts fit: 1 has trait CUSTOM_GPU and 1 has 4 VCPU free, none has both; closest: a lacks only trait ' +
        'CUSTOM_GPU (image).',
    ],
    [
      'a class that no host has, if most hosts have too little memory as well',
      'a VCPU:8 MEMORY_MB:64\nb VCPU:8 MEMORY_MB:128\nc VCPU:8 MEMORY_MB:4096',
      flavorWith({ 'resources:VGPU': '1' }),
      '0 of 3 hosts fit: no host has VGPU (flavor m1.small); 2 can never hold 512 MEMORY_MB.',
    ],
    [
      'a forbidden trait that all hosts have',
      'a VCPU:8 MEMORY_MB:4096 {CUSTOM_OLD}\nb VCPU:8 MEMORY_MB:4096 {CUSTOM_OLD}',
      flavorWith({ 'trait:CUSTOM_OLD': 'forbidden' }),
      '0 of 2 hosts fit: both hosts have the forbidden trait CUSTOM_OLD (flavor m1.small).',
    ],
    [
      'room',
      'b VCPU:8/3 MEMORY_MB:64\na VCPU:8/2 MEMORY_MB:4096',
      flavorWith({}, { vcpus: 7 }),
      '0 of 2 hosts fit: no host has 7 VCPU free (most 6); 2 fail NumInstancesFilter (host runs 1 instances; the limit is ' +
        '1), 1 can never hold 512 MEMORY_MB (capacity 64).',
    ],
    [
      'a class that nobody has',
      'a VCPU:8 MEMORY_MB:4096\nb VCPU:8 MEMORY_MB:4096\n  gpu CUSTOM_CARD:2/2',
      flavorWith({ 'resources_GPU:CUSTOM_CARD': 1 }),
      '0 of 2 hosts fit: no host has 1 CUSTOM_CARD free (most 0); 1 fails NumInstancesFilter (host runs 1 instances; the ' +
        'limit is 1).',
    ],
    [
      'a host with the trait of disabled services',
      'a VCPU:8 MEMORY_MB:4096 {COMPUTE_STATUS_DISABLED}',
      {},
      '0 of 1 host fits: a is disabled (trait COMPUTE_STATUS_DISABLED).',
    ],
    [
      'the host that is forced',
      'a VCPU:8 MEMORY_MB:4096\nb VCPU:8/7 MEMORY_MB:4096',
      { force_hosts: ['b'], ...flavorWith({}, { vcpus: 2 }) },
      'host b, which the request names, does not fit: it lacks 1 VCPU (1 free, 2 asked).',
    ],
    [
      'everything that the named host fails',
      'a VCPU:8 MEMORY_MB:4096 {CUSTOM_GPU}\nb VCPU:8/7 MEMORY_MB:4096',
      { requested_destination: { host: 'b' }, ...flavorWith({ 'trait:CUSTOM_GPU': 'required' }, { vcpus: 2 }) },
      'host b, which the request names, does not fit: it lacks 1 VCPU (1 free, 2 asked), lacks trait CUSTOM_GPU (flavor ' +
        'm1.small), fails NumInstancesFilter (host runs 1 instances; the limit is 1).',
    ],
    [
      'the named host, if the cloud has no other',
      'b VCPU:8/7 MEMORY_MB:4096',
      { force_hosts: ['b'], ...flavorWith({}, { vcpus: 2 }) },
      'host b, which the request names, does not fit: it lacks 1 VCPU (1 free, 2 asked).',
    ],
    [
      'the named host, if other hosts are disabled',
      'a VCPU:8 MEMORY_MB:4096 {COMPUTE_STATUS_DISABLED}\nb VCPU:8 MEMORY_MB:4096\nc VCPU:8 MEMORY_MB:4096',
      { requested_destination: { host: 'b' }, ...flavorWith({ 'trait:CUSTOM_GPU': 'required' }) },
      'host b, which the request names, does not fit: it lacks trait CUSTOM_GPU (flavor m1.small).',
    ],
    [
      'the named host that the filters reject, if other hosts are disabled',
      'a VCPU:8 MEMORY_MB:4096 {COMPUTE_STATUS_DISABLED}\nb VCPU:8 MEMORY_MB:4096',
      { requested_destination: { host: 'b' }, ignore_hosts: ['b'] },
      'host b, which the request names, does not fit: it is excluded: the request ignores this host.',
    ],
    [
      'a batch on the named host',
      'a VCPU:8 MEMORY_MB:4096\nb VCPU:8 MEMORY_MB:4096',
      { force_hosts: ['b'], num_instances: 3, ...flavorWith({}, { vcpus: 4 }) },
      '2 of 3 instances fit on host b, which the request names; no host is left for instance 3: b is filled by the ' +
        'earlier instances.',
    ],
    [
      'a batch that has to reach min_count',
      'a VCPU:8 MEMORY_MB:4096 {CUSTOM_GPU}\nb VCPU:8 MEMORY_MB:4096',
      { num_instances: 4, min_count: 3, ...flavorWith({ 'trait:CUSTOM_GPU': 'required' }, { vcpus: 8 }) },
      '1 of 4 instances (min_count 3) fits; no host is left for instance 2: 1 has trait CUSTOM_GPU and 1 passes ' +
        'NumInstancesFilter, none has both.',
    ],
    [
      'hosts that are ignored',
      'a VCPU:8 MEMORY_MB:4096\nb VCPU:8 MEMORY_MB:4096',
      { ignore_hosts: ['a', 'b'] },
      '0 of 2 hosts fit: both hosts are excluded: the request ignores this host.',
    ],
    ['providers', '', {}, 'there are no hosts.'],
    [
      'room for the last of a batch',
      'a VCPU:2 MEMORY_MB:4096\nb VCPU:2 MEMORY_MB:4096',
      { num_instances: 3 },
      '2 of 3 instances fit; no host is left for instance 3: no host passes NumInstancesFilter (host runs 1 instances; ' +
        'the limit is 1).',
    ],
  ])('about %s', async (_, world, body, expected) => {
    await loadWorld(service, world);
    const answer = await select(service, body);
    const sentence = sentenceOf(answer);
    expect(sentence.toLowerCase()).toBe(expected.toLowerCase());
    expect(sentence).not.toMatch(UUID);
    expect(answer.json.errors[0].detail).toBe(`No valid host was found. ${sentence}`);
    const { decision } = answer.json.errors[0];
    expect(JSON.stringify(decision).indexOf(sentence)).toBeLessThan(40);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'info',
        message: `No valid host was found. ${sentence}`,
        request_id: decision.request_id,
        code: answer.json.errors[0].code,
      }),
    );
  });

  it('names zones and host aggregates, and counts the hosts outside', async () => {
    await loadWorld(service, ['a', 'b', 'c', 'd'].map((name) => `${name} VCPU:8 MEMORY_MB:4096`).join('\n'));
    const aggregate = async (name: string, hosts: readonly string[], more: object): Promise<string> => {
      const body = { name, hosts, ...more };
      const { json } = await service.request({ method: 'POST', path: '/scheduler/host_aggregates', body });
      return json.uuid as string;
    };
    const uuids = [
      await aggregate('racks-1', ['a'], { availability_zone: 'az1' }),
      await aggregate('gold', ['b', 'c'], { metadata: { filter_tenant_id: 'rich' } }),
    ];
    const ofZone = await select(service, { availability_zone: 'az1', ignore_hosts: ['a'] });
    expect(sentenceOf(ofZone)).toBe(
      '0 of 4 hosts fit: the only host of zone az1 is excluded: the request ignores this host.',
    );
    const ofBoth = await select(service, { availability_zone: 'az1', project_id: 'rich' });
    expect(sentenceOf(ofBoth)).toBe(
      '0 of 4 hosts fit: the only host of zone az1 is outside of host aggregate gold (host aggregates name project rich).',
    );
    const ofProject = await select(service, { project_id: 'rich', ...flavorWith({}, { vcpus: 9 }) });
    expect(sentenceOf(ofProject)).toBe(
      '0 of 4 hosts fit: no host can hold 9 VCPU (largest 8); 2 are outside of host aggregate gold (host aggregates name ' +
        'project rich).',
    );
    const reported = await explain(service, { project_id: 'rich', availability_zone: 'az1' });
    const messages = reported.json.decision.placement.rejections.hosts.map(
      ({ message }: { message: string }) => message,
    );
    expect(messages).toContain(
      'is outside of host aggregate gold (host aggregates name project rich); is outside of zone az1',
    );
    for (const uuid of uuids) {
      for (const host of uuid === uuids[0] ? ['a'] : ['b', 'c']) {
        await service.request({ method: 'DELETE', path: `/scheduler/host_aggregates/${uuid}/hosts/${host}` });
      }
      await service.request({ method: 'DELETE', path: `/scheduler/host_aggregates/${uuid}` });
    }
  });

  it('gives changes with the hosts that each gives a candidate, when the decision is first read', async () => {
    await loadWorld(
      service,
      'a VCPU:8 MEMORY_MB:4096\nb VCPU:8 MEMORY_MB:4096\nc VCPU:2 MEMORY_MB:4096 {CUSTOM_GPU}\nd VCPU:2 MEMORY_MB:4096',
    );
    const body = { name: 'rack-3', hosts: ['a'] };
    const { json: rack } = await service.request({ method: 'POST', path: '/scheduler/host_aggregates', body });
    const answer = await select(service, flavorWith({ 'trait:CUSTOM_GPU': 'required' }, { vcpus: 4 }));
    const { decision } = answer.json.errors[0];
    expect(decision.summary.fixes).toBeNull();
    const path = `/scheduler/decisions/${decision.request_id as string}`;
    const { fixes } = (await recorded(service, decision.request_id as string)).summary;
    expect(fixes).toMatchObject({ at: expect.stringMatching(/^\d{4}-/) });
    expect(fixes.changes.map(({ text }: { text: string }) => text)).toEqual([
      'without trait CUSTOM_GPU and without 4 VCPU: 4 hosts',
      'without trait CUSTOM_GPU: 2 hosts',
      'with trait CUSTOM_GPU set on the hosts: 2 hosts',
      'with trait CUSTOM_GPU set on the hosts of rack-3: 1 host',
      'without 4 VCPU: 1 host',
    ]);
    await service.request({ method: 'DELETE', path: `/scheduler/host_aggregates/${rack.uuid as string}/hosts/a` });
    await service.request({ method: 'DELETE', path: `/scheduler/host_aggregates/${rack.uuid as string}` });
    // They are kept: a later reading answers the same.
    expect((await service.request({ path })).json.summary.fixes).toEqual(fixes);
  });

  it('records the sentence of a request that asks for no explanation', async () => {
    await loadWorld(service, 'a VCPU:8 MEMORY_MB:4096');
    const answer = await select(service, { ...flavorWith({}, { vcpus: 9 }), explain: 'none' });
    const { request_id: id } = answer.json.errors[0].decision;
    const { summary } = await recorded(service, id as string);
    expect(summary.sentence).toBe('0 of 1 host fits: a can never hold 9 VCPU (capacity 8).');
  });

  it('counts in a change no host that a filter rejects: hosts that are down, and disabled ones', async () => {
    await loadWorld(service, 'a VCPU:8 MEMORY_MB:4096\nb VCPU:7 MEMORY_MB:4096\nc VCPU:6 MEMORY_MB:4096');
    const changes = { a: { forced_down: true }, b: { status: 'disabled' }, c: {} };
    for (const [host, body] of Object.entries(changes)) {
      const report = { uuid: providerUuid(host), vcpus_total: 8, memory_mb: 4096, local_gb: 10 };
      await service.request({ method: 'PUT', path: `/scheduler/hosts/${host}/${host}`, body: report });
      await service.request({ method: 'PATCH', path: `/scheduler/services/${host}`, body });
    }
    const answer = await select(service, flavorWith({}, { vcpus: 9 }));
    const { summary } = await recorded(service, answer.json.errors[0].decision.request_id as string);
    expect(summary.fixes.changes.map(({ text }: { text: string }) => text)).toEqual([
      'without 9 VCPU: 1 host',
      'with 6 VCPU instead of 9: 1 host',
    ]);
    for (const host of Object.keys(changes)) {
      await service.request({ method: 'DELETE', path: `/scheduler/services/${host}` });
    }
  });

  it("names the filters if they rejected the last host, and the log has a line of each, in nova's words", async () => {
    await loadWorld(service, 'a VCPU:8 MEMORY_MB:4096\nb VCPU:8 MEMORY_MB:4096\nc VCPU:1/1 MEMORY_MB:4096');
    const placed = await select(service, { num_instances: 2, explain: 'none' });
    expect(placed.status).toBe(200);
    lines = [];
    const answer = await select(service);
    const { summary, request_id: id } = answer.json.errors[0].decision;
    expect(summary.sentence).toBe(
      '0 of 3 hosts fit: no host passes NumInstancesFilter (host runs 1 instances; the limit is 1); 1 lacks 1 VCPU (0 ' +
        'free, 1 asked).',
    );
    expect(summary.nearest).toMatchObject([
      { hosts: 2, names: ['a', 'b'], condition: { kind: 'filter', what: 'NumInstancesFilter' } },
    ]);
    expect(summary.counts.map(({ text }: { text: string }) => text)).toEqual([
      '3 fail NumInstancesFilter (host runs 1 instances; the limit is 1)',
      '1 lacks 1 VCPU (0 free, 1 asked)',
    ]);
    const reported = lines.filter(({ request_id: of, message }) => of === id && message.startsWith('Filter '));
    expect(reported.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      'info: Filter NumInstancesFilter returned 0 host(s)',
    ]);
    lines = [];
    const dry = await select(service, { dry_run: true });
    expect(sentenceOf(dry)).toBe(summary.sentence);
    expect(lines.filter(({ level, message }) => level === 'info' && !message.includes('status:'))).toEqual([]);
  });
});
