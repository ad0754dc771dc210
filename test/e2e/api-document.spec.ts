// The API document compared with the router, the requests and the answers: it has exactly the routes of the router, and
// it detects a missing or an additional member in an answer or a request.
import { MICROVERSIONS } from '../../src/placement/microversions';
import { ANY_SUCCESS } from '../../src/platform/http/declared-routes';
import { everyRouteContract, inBraces, nameOf } from '../conformance/contract';
import type { ApiDocument } from '../support/api-contract';
import { ApiContract } from '../support/api-contract';
import type { TestRequest, TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { BEYOND_LOOPBACK, bodyOf, generationsNow, headersOf, makeCloud, pathOf } from './access-requests';

const NEWEST = MICROVERSIONS.newest.text;

let service: TestService;
let contract: ApiContract;
beforeAll(async () => {
  service = await startTestService('sqlite');
  contract = new ApiContract(service.app);
  await makeCloud(service);
});
afterAll(() => service.stop());

const operationsOf = ({ paths }: ApiDocument): readonly (readonly [name: string, operation: any])[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );

describe('against the router', () => {
  it('has every route of the newest version, and no others', () => {
    const served = [...service.routes].flatMap(([path, methods]) => methods.map((each) => `${each} ${inBraces(path)}`));
    const documented = operationsOf(contract.of(MICROVERSIONS.newest).document).map(([name]) => name);
    expect(documented.sort()).toEqual(served.sort());
  });

  it.each(MICROVERSIONS.all.map((api) => [api.text, api] as const))(
    'has the routes at %s, with their rule',
    (_, api) => {
      const there = everyRouteContract(service.app).filter(
        ({ since }) => since === undefined || api.has(since.feature),
      );
      const documented = operationsOf(contract.of(api).document).map(
        ([name, { 'x-berth-policy': policy, security }]) => [
          name,
          policy ?? (security.length === 0 ? 'public' : 'none'),
        ],
      );
      expect(documented.sort()).toEqual(there.map((route) => [nameOf(route), route.policy?.rule ?? 'public']).sort());
    },
  );

  it('documents the answers of every route', () => {
    const operations = operationsOf(contract.of(MICROVERSIONS.newest).document);
    const silent = operations.filter(([, { responses }]) => ANY_SUCCESS in responses);
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  it('names each operation once, the same in every version, and describes it in a sentence', () => {
    const ids = new Map<string, string>();
    for (const api of MICROVERSIONS.all) {
      const operations = operationsOf(contract.of(api).document);
      expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
      for (const [name, { operationId, summary, tags }] of operations) {
        expect(ids.get(name) ?? operationId).toBe(operationId);
        ids.set(name, operationId);
        expect(operationId).toMatch(/^[a-z]+([A-Z][a-z]*)*$/);
        expect(summary).toMatch(/^[A-Z][^.]+\.$/);
        expect(tags).toHaveLength(1);
      }
    }
  });

  it('has no broken references and no unused definitions', () => {
    for (const api of MICROVERSIONS.all) {
      const { document } = contract.of(api);
      const text = JSON.stringify(document);
      const referred = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
      expect([...new Set(referred)].sort()).toEqual(Object.keys(document.components.schemas));
    }
  });

  it("names exactly the query parameters of the scheduler's routes", async () => {
    const unknown = 'is no query parameter here';
    const wrong: string[] = [];
    for (const [name, { parameters = [] }] of operationsOf(contract.of(MICROVERSIONS.newest).document)) {
      const route = everyRouteContract(service.app).find((each) => nameOf(each) === name);
      if (route === undefined || !/ \/scheduler\/| \/docs\/openapi.json$/.test(name)) continue;
      const named = parameters.filter((each: any) => each.in === 'query').map((each: any) => each.name as string);
      for (const parameter of ['no_such_parameter', ...named]) {
        const body = bodyOf(route, { provider: 0, consumer: 0, registered: 0 });
        const { text } = await send({
          ...requestOf(route, name.endsWith('/move') ? { type: 'evacuate' } : body),
          path: `${bare(pathOf(route))}?${parameter}=x`,
        });
        if (text.includes(unknown) !== (parameter === 'no_such_parameter'))
          wrong.push(`${name}: ${parameter}: ${text}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('has the practice cloud if it is enabled, with the error documents of each of its services', async () => {
    const { document } = contract.of(MICROVERSIONS.newest);
    const refusalOf = (path: string, method: string, status: string): unknown => {
      const response = document.paths[path]?.[method]?.responses[status];
      const { $ref: reference } = response as unknown as { readonly $ref: string };
      const { responses } = document.components as unknown as { readonly responses: Record<string, any> };
      const { schema } = responses[reference.split('/').at(-1) ?? ''].content['application/json'];
      return contract.of(MICROVERSIONS.newest).inlined(schema);
    };
    expect(refusalOf('/compute/v2.1/flavors/{id}', 'get', '404')).toMatchObject({
      properties: { itemNotFound: { required: ['code', 'message'] } },
      required: ['itemNotFound'],
    });
    expect(refusalOf('/compute/v2.1/os-aggregates', 'post', '409')).toMatchObject({ required: ['conflictingRequest'] });
    expect(refusalOf('/image/v2/images/{image_id}', 'get', '404')).toMatchObject({
      required: ['message', 'code', 'title'],
    });
    expect(refusalOf('/identity/v3/auth/tokens', 'post', '401')).toMatchObject({ required: ['error'] });

    const without = await startTestService('sqlite', { env: { BERTH_PRACTICE_CLOUD__ENABLED: 'false' } });
    const { json, text } = await without.request({ path: '/docs/openapi.json' });
    await without.stop();
    expect(Object.keys(json.paths).filter((path) => /^\/(compute|image|identity|network)/.test(path))).toEqual([]);
    expect(text).not.toMatch(/Practice cloud|ComputeFault/);
  });

  it('has the prefix of the Placement API', async () => {
    const mounted = await startTestService('sqlite', { overrides: { berth: { url_prefix: '/placement' } } });
    const { json } = await mounted.request({ path: '/docs/openapi.json' });
    await mounted.stop();
    const paths = Object.keys(json.paths);
    expect(paths).toEqual(expect.arrayContaining(['/placement/', '/placement/usages', '/scheduler', '/docs']));
    expect(paths.filter((path) => path.startsWith('/usages'))).toEqual([]);
  });
});

type Route = ReturnType<typeof everyRouteContract>[number];

const bare = (path: string): string => path.split('?', 1)[0] ?? '';
const requestOf = (route: Route, body: object | undefined): TestRequest => ({
  method: route.method as NonNullable<TestRequest['method']>,
  path: pathOf(route),
  headers: headersOf(route),
  ...(body !== undefined && { body }),
});

/** Without being held to the document. */
async function send({ method = 'GET', path, body }: TestRequest): Promise<TestResponse> {
  const {
    statusCode,
    headers,
    body: text,
  } = await service.app.inject({
    method,
    url: path,
    headers: { 'x-auth-token': 'admin', 'x-roles': 'admin,service', ...VERSION },
    ...(body !== undefined && { payload: body as object }),
  });
  return { status: statusCode, headers, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
}
const VERSION = { 'openstack-api-version': 'placement latest', accept: 'application/json' };

/** An object of a document, with what its schema says of it. */
interface Member {
  readonly value: Record<string, unknown>;
  readonly schema: {
    readonly properties: object;
    readonly required?: readonly string[];
    additionalProperties: unknown;
  };
}

/** The objects of the document whose members the schema names, at any depth. */
function* closedIn(schema: any, value: any): Generator<Member> {
  if (typeof value !== 'object' || value === null) return;
  for (const alternative of schema.anyOf ?? []) yield* closedIn(alternative, value);
  if (Array.isArray(value)) {
    for (const each of value) yield* closedIn(schema.items ?? {}, each);
    return;
  }
  if (schema.properties !== undefined && schema.additionalProperties === false) yield { value, schema };
  for (const [name, each] of Object.entries(value)) {
    yield* closedIn(schema.properties?.[name] ?? schema.additionalProperties ?? {}, each);
  }
}

/** The document with each fault that can be planted, one at a time; it is as it was in the end. */
function* planted(schema: unknown, document: unknown): Generator<string> {
  for (const { value, schema: own } of closedIn(schema, document)) {
    value['planted'] = 1;
    yield 'a member that is not declared';
    delete value['planted'];
    // The value matches one of several alternatives; it lacks members that the others require.
    for (const name of own.required?.filter((each) => each in value) ?? []) {
      const { [name]: taken } = value;
      delete value[name];
      yield `without ${name}`;
      value[name] = taken;
    }
  }
}

describe('against the answers', () => {
  it('detects a missing or an additional member in any of them', async () => {
    const document = contract.of(MICROVERSIONS.newest);
    const unseen: string[] = [];
    const planting = new Map<string, number>();
    for (const route of everyRouteContract(service.app).toSorted(readsFirst)) {
      const request = requestOf(route, bodyOf(route, await generationsNow(service, route)));
      const answer = await service.request(request);
      if (answer.status >= 300 || answer.text === '') continue;
      const operation = document.operation(route.method, bare(request.path));
      const declared = operation && document.response(operation, answer.status);
      const schema = declared?.content?.['application/json']?.schema;
      if (schema === undefined) continue;
      for (const fault of planted(document.inlined(schema), answer.json)) {
        planting.set(nameOf(route), (planting.get(nameOf(route)) ?? 0) + 1);
        if (contract.problems(request, answer).length === 0) unseen.push(`${nameOf(route)}: ${fault}`);
      }
      expect(contract.problems(request, answer)).toEqual([]);
    }
    expect(unseen).toEqual([]);
    expect(planting.size).toBeGreaterThan(40);
  });

  it('detects one at any place of a decision', async () => {
    const apart = await startTestService('sqlite');
    await makeCloud(apart);
    const flavor = { name: 'small', vcpus: 1, memory_mb: 0 };
    const body = { flavor, num_instances: 1, project_id: 'project', user_id: 'user' };
    const request: TestRequest = { method: 'POST', path: '/scheduler/explain', body };
    const answer = await apart.request(request);
    await apart.stop();
    const document = contract.of(MICROVERSIONS.newest);
    const schema = document.inlined(document.document.components.schemas['Explanation']);
    const faults = new Set<string>();
    for (const fault of planted(schema, answer.json)) {
      faults.add(fault);
      expect([fault, contract.problems(request, answer).length]).toEqual([fault, 1]);
    }
    expect([...faults]).toEqual(
      expect.arrayContaining(['without stages', 'without extra_specs', 'without user_message']),
    );
  });

  it('detects an undeclared status or body', () => {
    const request: TestRequest = { path: '/traits' };
    const headers = { 'content-type': 'application/json', 'openstack-api-version': `placement ${NEWEST}` };
    const answer = { status: 200, headers, text: '{"traits":[]}', json: { traits: [] } };
    expect(contract.problems(request, answer)).toEqual([]);
    expect(contract.problems(request, { ...answer, status: 202 })).toHaveLength(1);
    expect(contract.problems(request, { ...answer, text: '', json: undefined })).toHaveLength(1);
    expect(contract.problems(request, { ...answer, headers: { 'content-type': 'text/plain' } })).not.toEqual([]);
    expect(contract.problems({ method: 'PUT', path: '/traits/CUSTOM_A' }, answer)).toHaveLength(1);
    expect(contract.problems({ path: '/no/such/path' }, answer)).toEqual(['there is no such operation']);
  });
});

const ORDER = ['GET', 'PATCH', 'PUT', 'POST', 'DELETE'];
const readsFirst = (one: Route, other: Route): number => ORDER.indexOf(one.method) - ORDER.indexOf(other.method);

describe('against the requests', () => {
  it('refuses a missing or an additional member if the service does', async () => {
    const apart = await startTestService('sqlite');
    await makeCloud(apart);
    const document = contract.of(MICROVERSIONS.newest);
    const wrong: string[] = [];
    let count = 0;
    for (const route of everyRouteContract(apart.app)) {
      const body = bodyOf(route, await generationsNow(apart, route));
      const request = requestOf(route, body);
      const operation = document.operation(route.method, bare(request.path));
      const schema = operation?.requestBody?.content['application/json']?.schema;
      // Skips requests without a body, and bodies without a schema.
      if (body === undefined || schema === undefined) continue;
      for (const fault of planted(document.inlined(schema), body)) {
        count += 1;
        const { status } = await apart.request(request);
        if (document.mismatch(schema, body) === undefined || status !== 400) {
          wrong.push(`${nameOf(route)}: ${fault}: ${status}, ${document.mismatch(schema, body) ?? 'valid'}`);
        }
      }
    }
    await apart.stop();
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(60);
  });
});

describe('served', () => {
  it('has a stable text, and defaults to the newest version', async () => {
    const [latest, named, again] = await Promise.all(
      ['', `?microversion=${NEWEST}`, '?microversion=latest'].map((query) =>
        service.request({ path: `/docs/openapi.json${query}` }),
      ),
    );
    expect(latest?.status).toBe(200);
    expect(latest?.headers['content-type']).toBe('application/json');
    expect(latest?.json.openapi).toBe('3.1.0');
    expect(latest?.json.info['x-berth-microversion']).toBe(NEWEST);
    expect([named?.text, again?.text]).toEqual([latest?.text, latest?.text]);
    const { json } = await service.request({ path: '/docs/openapi.json?microversion=1.0' });
    expect(json.info['x-berth-microversion']).toBe('1.0');
    expect(json.paths).not.toHaveProperty('/traits');
  });

  it.each(['1.9999', '', '1', 'pony', `${NEWEST} `])('has no version %p', async (version) => {
    const path = `/docs/openapi.json?microversion=${encodeURIComponent(version)}`;
    const { status, json } = await service.request({ path });
    expect(status).toBe(400);
    expect(json.errors[0].detail).toContain(`'microversion' must be one from 1.0 to ${NEWEST}, or latest`);
  });

  it('has a page whose files are all local, and which can load nothing from other origins', async () => {
    const { status, headers, text } = await service.request({ path: '/docs' });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    expect(text).not.toMatch(/https?:|<script>/);
    const files = [...text.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, file = '']) => file);
    expect(files).toHaveLength(3);
    for (const file of files) {
      const answer = await service.request({ path: `/${file}` });
      expect([file, answer.status]).toEqual([file, 200]);
      expect(answer.headers['content-type']).toMatch(file.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.text.length).toBeGreaterThan(50);
    }
  });

  it.each([
    'swagger-ui.js',
    'package.json',
    '..%2fpackage.json',
    '..%2f..%2fpackage.json',
    'toString',
    '__proto__',
    '',
  ])('has no file %p', async (name) => {
    const { status, json } = await service.request({ path: `/docs/${name}` });
    expect([status, json.errors[0].code]).toEqual([404, 'placement.undefined_code']);
  });

  it('is public on loopback only', async () => {
    const open = await startTestService('sqlite', { env: BEYOND_LOOPBACK });
    const anonymous = { 'x-auth-token': null, 'x-roles': null };
    const statuses = async (of: TestService): Promise<readonly number[]> => {
      const paths = ['/docs', '/docs/openapi.json', '/docs/swagger-ui.css'];
      return Promise.all(paths.map(async (path) => (await of.request({ path, headers: anonymous })).status));
    };
    expect(await statuses(service)).toEqual([200, 200, 200]);
    expect(await statuses(open)).toEqual([401, 401, 401]);
    await open.stop();
  });
});
