// A service with empty registries for one suite, requests to the registries, and unique names.
import type { TestDatabaseKind } from '../support/databases';
import { naming } from '../support/naming';
import type { TestRequest, TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { tableDump } from './registries-tables';

export type Method = NonNullable<TestRequest['method']>;
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const SOME = 'aaaaaaaa-0000-4000-8000-000000000001';
export const OTHER = 'aaaaaaaa-0000-4000-8000-000000000002';
export const refusal = (status: number, code: string): object => ({ status, json: { errors: [{ status, code }] } });

export interface Registries {
  readonly service: () => TestService;
  readonly ask: (method: Method, path: string, body?: unknown) => Promise<TestResponse>;
  /** Throws if the request is refused. */
  readonly ok: (method: Method, path: string, body?: unknown) => Promise<TestResponse>;
  /** Expects a refusal that names the field, and unchanged tables. */
  readonly refusesField: (field: string, method: Method, path: string, body: unknown) => Promise<void>;
  readonly name: (prefix: string) => string;
  readonly uuid: () => string;
  /** The lines of the service's log. */
  readonly logged: () => readonly string[];
}

export function startRegistries(kind: TestDatabaseKind): Registries {
  let service: TestService;
  let made = 0;
  const lines: string[] = [];
  beforeAll(async () => {
    const log = (line: string): void => void lines.push(line);
    service = await startTestService(kind, { env: { BERTH_DEFAULT__SERVICE_DOWN_TIME: '90' }, log });
  });
  afterAll(() => service.stop());

  const ask: Registries['ask'] = (method, path, body) =>
    service.request({ method, path: `/scheduler/${path}`, ...(body !== undefined && { body }) });
  const next = (): number => {
    made += 1;
    return made;
  };
  return {
    service: () => service,
    ask,
    ok: async (method, path, body) => {
      const answer = await ask(method, path, body);
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer;
    },
    refusesField: async (field, method, path, body) => {
      const before = await tableDump(service.database);
      const answer = await ask(method, path, body);
      expect(answer).toMatchObject(refusal(400, 'scheduler.invalid_request'));
      expect(answer.json.errors[0].detail).toMatch(naming(field));
      expect(await tableDump(service.database)).toEqual(before);
    },
    logged: () => lines,
    name: (prefix) => `${prefix}-${next()}`,
    uuid: () => `cccccccc-0000-4000-8000-${String(next()).padStart(12, '0')}`,
  };
}
