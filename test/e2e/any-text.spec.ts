// Text of every kind as a name: in paths, filters and markers. It matches nothing, or the object created with it; it
// never causes a 5xx, and both databases give the same answers. A created object is found at its Location.
import type { TestDatabaseKind } from '../support/databases';
import { testDatabaseKinds } from '../support/databases';
import type { TestRequest, TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';

const SOME = 'aaaaaaaa-0000-4000-8000-000000000001';

/** As spelled in a URL. */
const TEXTS: readonly (readonly [label: string, text: string])[] = [
  ['a letter with an accent', '%C3%A9'],
  ['a uuid with one', `${SOME.slice(0, -1)}%C3%A9`],
  ['an emoji', '%F0%9F%90%8E'],
  ['another script', '%E6%BC%A2%E5%AD%97'],
  ['a combining accent', 'e%CC%81'],
  ['NUL', 'a%00b'],
  ['half a surrogate pair', '%ED%A0%80'],
  ['no UTF-8', '%FF'],
  ['quotes', `%27%22%60%5C%3B--`],
  ['wildcards', '%25_%2A'],
  ['a blank', '%20'],
  ['a line break', '%0D%0A'],
  ['a slash', 'a%2Fb'],
  ['256 characters', 'x'.repeat(256)],
  ['4 000 characters', 'x'.repeat(4_000)],
  ['400 emoji', '%F0%9F%90%8E'.repeat(400)],
  ['braces', '%7B%7D'],
  ['a number', '1'],
  ['a long number', '9'.repeat(30)],
  ['a uuid', SOME],
  ['a uuid in capitals', SOME.toUpperCase()],
];

/** The filters of each list. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/scheduler/hosts': ['marker', 'limit', 'host', 'node', 'zone', 'status', 'state', 'uuid', 'cell', 'hypervisor_type'],
  '/scheduler/services': ['marker', 'limit', 'host', 'status', 'state', 'forced_down', 'zone'],
  '/scheduler/host_aggregates': ['marker', 'limit', 'name', 'host', 'zone'],
  '/scheduler/availability_zones': ['marker', 'limit', 'name', 'host'],
  '/scheduler/server_groups': ['marker', 'limit', 'name', 'project_id', 'policy', 'member'],
  '/scheduler/flavors': ['marker', 'limit', 'name', 'min_ram', 'min_disk'],
  '/scheduler/images': ['marker', 'limit', 'name', 'disk_format'],
  '/scheduler/instances': [
    'marker',
    'limit',
    'host',
    'node',
    'project_id',
    'user_id',
    'flavor_id',
    'request_id',
    'state',
    'image_uuid',
    'server_group',
  ],
  '/scheduler/plans': ['marker', 'limit'],
  '/scheduler/decisions': ['marker', 'limit', 'instance', 'host', 'outcome', 'since'],
  '/scheduler/capacity': ['flavor', 'image', 'project_id', 'user_id', 'max_instances', 'instance_group'],
  '/resource_providers': ['name', 'uuid', 'member_of', 'resources', 'in_tree', 'required'],
  '/traits': ['name', 'associated'],
  '/usages': ['project_id', 'user_id', 'consumer_type'],
  '/allocation_candidates': [
    'resources',
    'required',
    'member_of',
    'in_tree',
    'limit',
    'group_policy',
    'root_required',
    'same_subtree',
  ],
  '/allocation_candidates/explain': ['resources', 'required', 'in_tree', 'provider'],
};

const BODIES: Readonly<Record<string, object>> = {
  '/scheduler/hosts/:host/:node': {},
  '/scheduler/flavors/:id': { name: 'f', vcpus: 1, memory_mb: 1 },
  '/scheduler/images/:uuid': {},
  '/scheduler/host_aggregates/:uuid': { name: 'a' },
  '/scheduler/server_groups/:uuid': { name: 'g', policy: 'affinity' },
  '/scheduler/services/:host': { status: 'enabled' },
};

const seen: Partial<Record<TestDatabaseKind, Readonly<Record<string, number>>>> = {};

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.stop());

  const ask = (method: NonNullable<TestRequest['method']>, path: string, body?: object): Promise<TestResponse> =>
    service.request({ method, path, ...(body !== undefined && { body }) });
  const ok = async (...request: Parameters<typeof ask>): Promise<TestResponse> => {
    const answer = await ask(...request);
    if (answer.status >= 300) throw new Error(`${request[0]} ${request[1]}: ${answer.status} ${answer.text}`);
    return answer;
  };

  it('is answered in every path and every filter', async () => {
    const statuses: Record<string, number> = {};
    const complaints: string[] = [];
    const send = async (label: string, ...request: Parameters<typeof ask>): Promise<void> => {
      const { status, text } = await ask(...request);
      statuses[`${request[0]} ${label}`] = status;
      if (status >= 500) complaints.push(`${request[0]} ${label}: ${status} ${text.slice(0, 300)}`);
    };
    // In the order of deletions, reads, creations.
    for (const method of ['DELETE', 'GET', 'PATCH', 'PUT', 'POST'] as const) {
      for (const [path, methods] of service.routes) {
        if (!path.includes(':') || !methods.includes(method)) continue;
        for (const [label, text] of TEXTS) {
          const body = method === 'GET' || method === 'DELETE' ? undefined : (BODIES[path] ?? {});
          await send(`${path}, ${label}`, method, path.replaceAll(/:\w+/g, text), body);
        }
      }
    }
    for (const [path, names] of Object.entries(QUERIES)) {
      for (const name of names) {
        for (const [label, text] of TEXTS) {
          const required = path.startsWith('/allocation_candidates') && name !== 'resources' ? 'resources=VCPU:1&' : '';
          await send(`${path}?${name}, ${label}`, 'GET', `${path}?${required}${name}=${text}`);
        }
      }
    }
    expect(complaints).toEqual([]);
    seen[kind] = statuses;
  });

  it('names an object, which is found at its Location', async () => {
    const texts = ['a/b', 'a?b=c', 'a#b', 'a%2Fb', 'a%', 'a b', 'a&b=c;d', '...', 'é🐎', "'", '\\', 'a+b', '{a}'];
    for (const text of texts) {
      const flavor = { id: text, name: `called ${text}`, vcpus: 1, memory_mb: 1 };
      const made = [
        await ok('POST', '/scheduler/flavors', flavor),
        await ok('PUT', `/scheduler/flavors/${encodeURIComponent(`put ${text}`)}`, {
          name: `put ${text}`,
          vcpus: 1,
          memory_mb: 1,
        }),
        await ok('PUT', `/scheduler/hosts/${encodeURIComponent(text)}/${encodeURIComponent(`node ${text}`)}`, {}),
      ];
      for (const { status, headers, json } of made) {
        expect(status).toBe(201);
        const { pathname, search, hash } = new URL(String(headers['location']));
        expect([search, hash]).toEqual(['', '']);
        const found = await ask('GET', pathname);
        const names = ['id', 'name', 'host', 'node'];
        const namesOf = (document: Record<string, unknown>): unknown => names.map((name) => document[name]);
        expect([text, found.status, namesOf(found.json)]).toEqual([text, 200, namesOf(json)]);
      }
    }
  });

  it('is refused as an id that no path could contain', async () => {
    for (const id of ['.', '..']) {
      const answer = await ask('POST', '/scheduler/flavors', { id, name: `dots ${id}`, vcpus: 1, memory_mb: 1 });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("JSON does not validate: 'id' ")]);
    }
  });

  it('selects one of several objects by uuid only, with a warning for a duplicate name', async () => {
    const groupOf = (name: string): object => ({ name, policy: 'affinity' });
    const flavor = { vcpus: 1, memory_mb: 1 };
    const cases = [
      ['images', (name: string): object => ({ name }), 'image', (name: string): object => ({ image: name })],
      ['server_groups', groupOf, 'instance_group', (name: string): object => ({ instance_group: name })],
      [
        'server_groups',
        groupOf,
        'scheduler_hints.group',
        (name: string): object => ({ scheduler_hints: { group: name } }),
      ],
    ] as const;
    for (const [plural, documentOf, field, referenceTo] of cases) {
      /** Refused by name (400), or decided: there are no hosts (409). */
      const outcomeOf = async (name: string): Promise<readonly [number, string]> => {
        const request = { num_instances: 1, flavor, project_id: 'p', user_id: 'u', ...referenceTo(name) };
        const { status, json } = await ask('POST', '/scheduler/select_destinations', request);
        return [status, json.errors[0].detail as string];
      };
      const called = `shared by ${field}`;
      const first = await ok('POST', `/scheduler/${plural}`, documentOf(called));
      expect(first.json.warnings ?? []).toEqual([]);
      expect(await outcomeOf(called)).toEqual([409, expect.any(String)]);
      const second = await ok('POST', `/scheduler/${plural}`, documentOf(called));
      expect(second.json.warnings).toEqual([{ field: 'name', why: expect.stringContaining('has this name') }]);
      expect(await outcomeOf(called)).toEqual([
        400,
        expect.stringMatching(`'${field}' names several .* by '.*'; use the uuid`),
      ]);
      expect(await outcomeOf(second.json.uuid as string)).toEqual([409, expect.any(String)]);
      // Another way to use the name: rename an object to it.
      const third = `/scheduler/${plural}/dddddddd-0000-4000-8000-00000000000${cases.findIndex(([, , at]) => at === field)}`;
      expect((await ok('PUT', third, documentOf(`not yet ${called}`))).json.warnings ?? []).toEqual([]);
      expect((await ok('PATCH', third, { name: called })).json.warnings).toHaveLength(1);
      expect((await ok('PATCH', third, { name: `no more ${called}` })).json.warnings ?? []).toEqual([]);
      expect(await outcomeOf(`never ${called}`)).toEqual([
        400,
        expect.stringMatching(`'${field}' names the .*, which does not exist`),
      ]);
    }
  });
});

it('gives the same answers on every database', () => {
  const [first, ...others] = testDatabaseKinds().map((kind) => seen[kind]);
  expect(Object.keys(first ?? {}).length).toBeGreaterThan(2_000);
  for (const other of others) expect(other).toEqual(first);
});
