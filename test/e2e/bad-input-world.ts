// A provider and its child, which bad and unusual requests name, and the checks of an answer: a clear 4xx that changes
// nothing, and the same status on every database.
import type { TestDatabaseKind } from '../support/databases';
import { testDatabaseKinds } from '../support/databases';
import type { TestRequest, TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { dumpTables } from '../support/table-dump';

export const MAX_INT = 2_147_483_647;
export const HOST = 'aaaaaaaa-0000-4000-8000-000000000001';
export const CHILD = 'aaaaaaaa-0000-4000-8000-000000000002';
export const FRESH = 'aaaaaaaa-0000-4000-8000-00000000000f';
export const CONSUMER = 'cccccccc-0000-4000-8000-000000000001';
export const AGGREGATE = 'eeeeeeee-0000-4000-8000-000000000001';
export const UNKNOWN_UUID = 'ffffffff-0000-4000-8000-000000000000';

export const PROVIDERS = '/resource_providers';
export const CANDIDATES = '/allocation_candidates';
export const LONG = 'x'.repeat(10_000);

/** Raw text in the document, for values that JSON.stringify cannot produce. */
export const raw = (text: string): string => `@@${text}@@`;
export const toJson = (value: unknown): string => JSON.stringify(value).replaceAll(/"@@(.*?)@@"/g, '$1');

export const RECORD = {
  total: 10,
  reserved: 1,
  min_unit: 1,
  max_unit: 5,
  step_size: 1,
  allocation_ratio: 1.5,
  resource_provider_generation: 0,
};

export const consumerBody = (): object => ({
  allocations: { [HOST]: { resources: { VCPU: 1 }, generation: 1 } },
  mappings: { _SUFFIX: [HOST] },
  project_id: 'p',
  user_id: 'u',
  consumer_generation: null,
  consumer_type: 'INSTANCE',
});

export interface Generations {
  readonly host: number;
  readonly child: number;
}

/** The service of a suite, with its own database that has the provider and its child. */
export interface BadInputWorld {
  readonly request: (request: TestRequest) => Promise<TestResponse>;
  /** Throws if the request is refused. */
  readonly ok: (request: TestRequest) => Promise<TestResponse>;
  readonly generations: () => Promise<Generations>;
  /** Sends the request, and records the status for the comparison of databases. */
  readonly answer: (label: string, request: TestRequest) => Promise<TestResponse>;
  /** Sends the request, records its status, and returns the fault of the answer. */
  readonly complaint: (
    label: string,
    request: TestRequest,
    expected: { statuses: readonly number[]; named?: string | undefined },
  ) => Promise<readonly string[]>;
  /** Expects no complaint of the work, and equal tables before and after it. */
  readonly nothingChanges: (work: () => Promise<readonly string[]>) => Promise<void>;
}

/** Runs the suite on each database, then compares the statuses of all recorded requests; at least `minimum` of them. */
export function describeBadInput(minimum: number, suite: (world: BadInputWorld) => void): void {
  const seen: Record<TestDatabaseKind, Map<string, number>> = { sqlite: new Map(), mysql: new Map() };

  describe.each(testDatabaseKinds())('on %s', (kind) => suite(startBadInputWorld(kind, seen[kind])));

  it('every database gives the same answers', () => {
    const kinds = testDatabaseKinds();
    const [first = new Map<string, number>(), second] = kinds.map((kind) => seen[kind]);
    process.stdout.write(`\nbad requests per database: ${first.size}\n`);
    expect(first.size).toBeGreaterThanOrEqual(minimum);
    if (second !== undefined) expect(Object.fromEntries(second)).toEqual(Object.fromEntries(first));
  });
}

function startBadInputWorld(kind: TestDatabaseKind, seen: Map<string, number>): BadInputWorld {
  let service: TestService;

  const request = async (each: TestRequest): Promise<TestResponse> => service.request(each);
  const ok = async (each: TestRequest): Promise<TestResponse> => {
    const response = await service.request(each);
    if (response.status >= 300) throw new Error(`${each.method} ${each.path}: ${response.status} ${response.text}`);
    return response;
  };
  const generations = async (): Promise<Generations> => {
    const of = async (uuid: string): Promise<number> =>
      (await ok({ path: `${PROVIDERS}/${uuid}` })).json.generation as number;
    return { host: await of(HOST), child: await of(CHILD) };
  };
  const answer: BadInputWorld['answer'] = async (label, each) => {
    const response = await service.request(each);
    seen.set(label, response.status);
    return response;
  };
  const complaint: BadInputWorld['complaint'] = async (label, each, { statuses, named = '' }) => {
    const response = await answer(label, each);
    const error = response.json?.errors?.[0] as { status?: number; detail?: string; code?: string } | undefined;
    const shown = `${label.slice(0, 200)}: ${response.status} ${response.text.slice(0, 400)}`;
    if (!statuses.includes(response.status)) return [shown];
    const isClear = error?.status === response.status && (error.detail ?? '').includes(named);
    return isClear ? [] : [`unclear: ${shown}`];
  };
  const nothingChanges = async (work: () => Promise<readonly string[]>): Promise<void> => {
    const before = await dumpTables(service.database);
    expect(await work()).toEqual([]);
    expect(await dumpTables(service.database)).toBe(before);
  };

  beforeAll(async () => {
    service = await startTestService(kind);
    await ok({ method: 'POST', path: PROVIDERS, body: { name: 'host', uuid: HOST } });
    await ok({ method: 'POST', path: PROVIDERS, body: { name: 'child', uuid: CHILD, parent_provider_uuid: HOST } });
    const body = { resource_provider_generation: 0, inventories: { VCPU: { total: 100 } } };
    await ok({ method: 'PUT', path: `${PROVIDERS}/${HOST}/inventories`, body });
    await ok({ method: 'PUT', path: '/resource_classes/CUSTOM_OLD' });
  });
  afterAll(() => service.stop());

  return { request, ok, generations, answer, complaint, nothingChanges };
}
