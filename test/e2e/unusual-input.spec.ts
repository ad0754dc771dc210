// Unusual but valid input: spellings of uuids, any text in names and owners, amounts and generations beyond all numbers,
// and queries that match nothing. Every database gives the same answers.
import type { TestRequest } from '../support/service';
import {
  AGGREGATE,
  CANDIDATES,
  CHILD,
  CONSUMER,
  consumerBody,
  describeBadInput,
  FRESH,
  HOST,
  LONG,
  MAX_INT,
  PROVIDERS,
  raw,
  RECORD,
  toJson,
  UNKNOWN_UUID,
} from './bad-input-world';

const encoded = encodeURIComponent;

/** Unusual but valid queries. */
const GOOD_QUERIES: readonly (readonly [path: string, answer: object])[] = [
  ...['99999999999999999999', '9223372036854775808', '2147483648', '9'.repeat(400), '%2B99999999999'].flatMap(
    (amount) => [
      [`${PROVIDERS}?resources=VCPU:${amount}`, { resource_providers: [] }] as const,
      [`${CANDIDATES}?resources=VCPU:${amount}`, { allocation_requests: [], provider_summaries: {} }] as const,
    ],
  ),
  [`${PROVIDERS}?name=%00`, { resource_providers: [] }],
  [`${PROVIDERS}?name=100%`, { resource_providers: [] }],
  [`${PROVIDERS}?name=${encoded("' OR 1=1 --")}`, { resource_providers: [] }],
  [`${PROVIDERS}?name=%25`, { resource_providers: [] }],
  [`${PROVIDERS}?name=HOST`, { resource_providers: [] }],
  [`${PROVIDERS}?name=host%20`, { resource_providers: [] }],
  [`${PROVIDERS}?name=${LONG}`, { resource_providers: [] }],
  [`${PROVIDERS}?uuid=${UNKNOWN_UUID}`, { resource_providers: [] }],
  [`${PROVIDERS}?in_tree=${UNKNOWN_UUID}`, { resource_providers: [] }],
  [`${PROVIDERS}?member_of=${UNKNOWN_UUID}`, { resource_providers: [] }],
  ['/traits?name=in:NOPE,%F0%9F%90%8E,%00', { traits: [] }],
  ['/traits?name=startswith:%25', { traits: [] }],
  ['/traits?name=startswith:HW%5CCPU', { traits: [] }],
  ['/traits?name=startswith:hw_', { traits: [] }],
  ['/traits?name=in:', { traits: [] }],
  [`/usages?project_id=${encoded('🐎'.repeat(255))}`, { usages: {} }],
  ['/usages?project_id=%00', { usages: {} }],
  [`/usages?project_id=${encoded("p' OR 'a'='a")}`, { usages: {} }],
  ['/usages?project_id=nobody&consumer_type=all', { usages: {} }],
  ['/allocations/x', { allocations: {} }],
  ['/allocations/%00', { allocations: {} }],
  [`/allocations/${'-'.repeat(36)}`, { allocations: {} }],
];

const SPELLINGS: readonly (readonly [name: string, spell: (uuid: string) => string])[] = [
  ['upper case', (uuid) => uuid.toUpperCase()],
  ['braces', (uuid) => `{${uuid}}`],
  ['a urn', (uuid) => `urn:uuid:${uuid}`],
  ['no dashes', (uuid) => uuid.replaceAll('-', '')],
];

describeBadInput(100, ({ request, ok, generations, answer, complaint, nothingChanges }) => {
  beforeAll(() => ok({ method: 'PUT', path: `/allocations/${CONSUMER}`, body: consumerBody() }));

  it.each(GOOD_QUERIES.map(([path, answer]) => [path.slice(0, 60), path, answer] as const))(
    'the unusual query %s is answered',
    async (_shown, path, expected) => {
      const response = await answer(path, { path });
      expect([response.status, response.json]).toEqual([200, expected]);
    },
  );

  it.each(SPELLINGS)('a uuid in %s is the same uuid, in bodies, paths and queries', async (name, spell) => {
    const uuid = `bbbbbbbb-0000-4000-8000-0000000000${String(name.length).padStart(2, '0')}`;
    const body = { name: `spelt in ${name}`, uuid: spell(uuid), parent_provider_uuid: spell(HOST) };
    const created = await ok({ method: 'POST', path: PROVIDERS, body });
    expect(created.json).toMatchObject({ uuid, parent_provider_uuid: HOST, root_provider_uuid: HOST });
    for (const path of [`/${encoded(spell(uuid))}`, `?uuid=${encoded(spell(uuid))}`]) {
      const { json } = await ok({ path: `${PROVIDERS}${path}` });
      expect(json.uuid ?? json.resource_providers[0].uuid).toBe(uuid);
    }
    const aggregates = { aggregates: [spell(AGGREGATE)], resource_provider_generation: 0 };
    const path = `${PROVIDERS}/${uuid}/aggregates`;
    expect((await ok({ method: 'PUT', path, body: aggregates })).json.aggregates).toEqual([AGGREGATE]);
    const members = await ok({ path: `${PROVIDERS}?member_of=${encoded(`in:${spell(AGGREGATE)}`)}&uuid=${uuid}` });
    expect(members.json.resource_providers).toHaveLength(1);
    const again = await request({ method: 'POST', path: PROVIDERS, body: { ...body, name: 'another' } });
    expect(again.status).toBe(409);
    await ok({ method: 'DELETE', path: `${PROVIDERS}/${encoded(spell(uuid))}` });
  });

  it.each([
    ['emoji', 'host 🐎🦄'],
    ['as many emoji as characters are allowed', '🐎'.repeat(200)],
    ['quotes and backslashes', `o'host "x" \\ %_`],
    ['trailing blanks', 'host  '],
    ['a line break', 'host\n'],
    ['combined letters', 'é and é'],
    ['letters of many scripts', 'Ärger 東京 עברית'],
  ])('a provider can be named with %s, and is found by that name only', async (_what, name) => {
    const created = await ok({ method: 'POST', path: PROVIDERS, body: { name } });
    const uuid = created.json.uuid as string;
    expect((await ok({ path: `${PROVIDERS}/${uuid}` })).json.name).toBe(name);
    const found = await ok({ path: `${PROVIDERS}?name=${encoded(name)}` });
    expect(found.json.resource_providers.map((each: { uuid: string }) => each.uuid)).toEqual([uuid]);
    await ok({ method: 'DELETE', path: `${PROVIDERS}/${uuid}` });
  });

  it('the last of repeated keys takes precedence', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const body = '{"name": 5, "name": "first", "name": "second"}';
    const created = await ok({ method: 'POST', path: PROVIDERS, body, headers });
    expect(created.json.name).toBe('second');
  });

  it('5.0 is 5, and is shown as 5', async () => {
    const { child } = await generations();
    const records = '{"PCPU": {"total": 5.0, "max_unit": 1e1, "step_size": 1.0}}';
    const body = `{"resource_provider_generation": ${child}.0, "inventories": ${records}}`;
    const path = `${PROVIDERS}/${CHILD}/inventories`;
    const put = await ok({ method: 'PUT', path, body, headers: { 'content-type': 'APPLICATION/JSON' } });
    expect(put.text).toContain('"total":5,');
    const { json } = await ok({ path });
    expect(json.inventories.PCPU).toMatchObject({ total: 5, max_unit: 10, step_size: 1 });
  });

  it('the bounds themselves are accepted', async () => {
    const { child } = await generations();
    const record = {
      total: MAX_INT,
      reserved: MAX_INT,
      min_unit: MAX_INT,
      max_unit: MAX_INT,
      step_size: MAX_INT,
      allocation_ratio: 3.40282e38,
    };
    const full = { ...record, reserved: 0 };
    const body = { resource_provider_generation: child, inventories: { PCPU: record, VGPU: full } };
    const path = `${PROVIDERS}/${CHILD}/inventories`;
    expect((await ok({ method: 'PUT', path, body })).json.inventories.VGPU).toEqual(full);
    expect((await ok({ path })).json.inventories).toEqual({ PCPU: record, VGPU: full });
    for (const generation of [null, 1, 2]) {
      const allocations = { [CHILD]: { resources: { VGPU: MAX_INT } } };
      const claim = { ...consumerBody(), allocations, consumer_generation: generation };
      await ok({ method: 'PUT', path: `/allocations/${FRESH}`, body: claim });
    }
    expect((await ok({ path: `${PROVIDERS}/${CHILD}/usages` })).json.usages).toEqual({ PCPU: 0, VGPU: MAX_INT });
    await ok({ method: 'DELETE', path: `/allocations/${FRESH}` });
  });

  it.each(['2147483648', '9007199254740993', '1e30', '9223372036854775808', '1.7e308'])(
    'an amount of %s is a conflict, because no inventory can provide it',
    async (amount) => {
      const set = { ...consumerBody(), allocations: { [HOST]: { resources: { VCPU: raw(amount) } } } };
      const headers = { 'content-type': 'application/json' };
      const requests: readonly TestRequest[] = [
        { method: 'PUT', path: `/allocations/${FRESH}`, body: toJson(set), headers },
        { method: 'POST', path: '/allocations', body: toJson({ [FRESH]: set }), headers },
      ];
      await nothingChanges(async () => {
        const complaints: string[] = [];
        for (const each of requests) {
          complaints.push(...(await complaint(`${each.path} ${amount}`, each, { statuses: [409] })));
        }
        return complaints;
      });
    },
  );

  it.each(['-1', '9007199254740993', '9223372036854775808', '-9223372036854775809', '1e300'])(
    'a generation of %s never matches',
    async (generation) => {
      const provider = `{"resource_provider_generation": ${generation}`;
      const headers = { 'content-type': 'application/json' };
      const set = toJson({ ...consumerBody(), consumer_generation: raw(generation) });
      const requests: readonly TestRequest[] = [
        { method: 'PUT', path: `${PROVIDERS}/${HOST}/inventories`, body: `${provider}, "inventories": {}}`, headers },
        { method: 'PUT', path: `${PROVIDERS}/${HOST}/inventories/VCPU`, body: `${provider}, "total": 1}`, headers },
        { method: 'PUT', path: `${PROVIDERS}/${HOST}/traits`, body: `${provider}, "traits": []}`, headers },
        { method: 'PUT', path: `${PROVIDERS}/${HOST}/aggregates`, body: `${provider}, "aggregates": []}`, headers },
        { method: 'PUT', path: `/allocations/${CONSUMER}`, body: set, headers },
        { method: 'PUT', path: `/allocations/${FRESH}`, body: set, headers },
        {
          method: 'POST',
          path: '/reshaper',
          body: `{"inventories": {"${HOST}": ${provider}, "inventories": {}}}, "allocations": {}}`,
          headers,
        },
      ];
      await nothingChanges(async () => {
        const complaints: string[] = [];
        for (const each of requests) {
          complaints.push(...(await complaint(`${each.path} ${generation}`, each, { statuses: [409] })));
        }
        return complaints;
      });
    },
  );

  it.each(['2147483648', '9223372036854775808', '1e300'])(
    'an amount of %s is validated after the generation, and named',
    async (amount) => {
      const resources = { VCPU: raw(amount) };
      const set = (generation: number | null): object => ({
        ...consumerBody(),
        allocations: { [HOST]: { resources } },
        mappings: undefined,
        consumer_generation: generation,
      });
      const { child } = await generations();
      const reshaped = { [CHILD]: { resource_provider_generation: child, inventories: { VCPU: RECORD } } };
      const holder = 'cccccccc-0000-4000-8000-0000000000aa';
      await ok({ method: 'PUT', path: `/allocations/${holder}`, body: consumerBody() });
      const writes = (consumer: string, generation: number | null): readonly TestRequest[] => [
        { method: 'PUT', path: `/allocations/${consumer}`, body: toJson(set(generation)) },
        { method: 'POST', path: '/allocations', body: toJson({ [consumer]: set(generation) }) },
        {
          method: 'POST',
          path: '/reshaper',
          body: toJson({ inventories: reshaped, allocations: { [consumer]: set(generation) } }),
        },
      ];
      const headers = { 'content-type': 'application/json' };
      await nothingChanges(async () => {
        const complaints: string[] = [];
        for (const [label, requests, named] of [
          ['a consumer that should be new', writes(holder, null), 'consumer generation conflict'],
          ['another generation', writes(holder, 7), 'consumer generation conflict'],
          ['a generation for a new one', writes(FRESH, 1), 'consumer generation conflict'],
          ['a new one', writes(FRESH, null), `'VCPU' on resource provider '${HOST}'`],
          ['the generation in force', writes(holder, 1), `'VCPU' on resource provider '${HOST}'`],
        ] as const) {
          for (const each of requests) {
            const whole = `${each.method} ${each.path} ${amount}: ${label}`;
            complaints.push(...(await complaint(whole, { ...each, headers }, { statuses: [409], named })));
          }
        }
        return complaints;
      });
      await ok({ method: 'DELETE', path: `/allocations/${holder}` });
    },
  );

  // There is no host: a valid request is refused with 409.
  it.each<[object, number, string]>([
    [{ num_instances: 2, instances: null }, 409, ''],
    [{ num_instances: null, instances: [FRESH] }, 409, ''],
    [{ num_instances: 2, min_count: null }, 409, ''],
    [{ num_instances: 1, instances: [FRESH] }, 409, ''],
    [{ num_instances: 2, instances: [FRESH] }, 400, 'num_instances'],
    [{ num_instances: 1, min_count: 2 }, 400, 'min_count'],
    [{ num_instances: null, instances: null }, 400, 'instances'],
    [{ num_instances: 0 }, 400, 'num_instances'],
    [{ num_instances: '2' }, 400, 'num_instances'],
    [{ num_instances: [2] }, 400, 'num_instances'],
    [{ num_instances: 1.5 }, 400, 'num_instances'],
    [{ num_instances: 10_001 }, 400, 'num_instances'],
    [{ num_instances: 2, min_count: '1' }, 400, 'min_count'],
    [{ num_instances: 2, min_count: [1] }, 400, 'min_count'],
    [{ num_instances: 2, min_count: -1 }, 400, 'min_count'],
    [{ instances: [FRESH, FRESH.toUpperCase()] }, 400, 'instances'],
    [{ instances: [[FRESH]] }, 400, 'instances'],
    [{ instances: { 0: FRESH } }, 400, 'instances'],
  ])('a request that counts %j is answered with %i', async (counts, status, field) => {
    const body = { flavor: { vcpus: 1, memory_mb: 1 }, project_id: 'p', user_id: 'u', ...counts };
    const answer = await request({ method: 'POST', path: '/scheduler/select_destinations', body });
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(field)]);
  });

  it('owners with any text are stored unchanged', async () => {
    const project = `🐎 ' " \\ % ${'é'.repeat(200)}`;
    const body = { ...consumerBody(), project_id: project, user_id: ' blanks ' };
    await ok({ method: 'PUT', path: `/allocations/${FRESH}`, body });
    const shown = (await ok({ path: `/allocations/${FRESH}` })).json;
    expect([shown.project_id, shown.user_id]).toEqual([project, ' blanks ']);
    const usages = await ok({ path: `/usages?project_id=${encoded(project)}&user_id=%20blanks%20` });
    expect(usages.json.usages).toEqual({ INSTANCE: { consumer_count: 1, VCPU: 1 } });
    await ok({ method: 'DELETE', path: `/allocations/${FRESH}` });
  });
});
