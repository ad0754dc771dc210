// A service for one suite of the registries, with requests, the facts that the scheduler loads, and placed instances.
import { loadServices } from '../../src/compute/host-facts.loader';
import type { PlacedInstance } from '../../src/compute/instances/instance.entity';
import { InstancesService } from '../../src/compute/instances/instances.service';
import type { NewChanges } from '../../src/placement/allocation-candidates/change-log.loader';
import { readNewChanges, readVector } from '../../src/placement/allocation-candidates/change-log.loader';
import type { ServiceFacts } from '../../src/scheduling-rules/host-state/host-facts';
import type { TestDatabaseKind } from '../support/databases';
import type { TestRequest, TestResponse, TestService, TestServiceOptions } from '../support/service';
import { startTestService } from '../support/service';
import type { StatementCounter } from '../support/statement-counter';
import { installStatementCounter } from '../support/statement-counter';
import { placedInstance } from './placed-instance';

export type Method = NonNullable<TestRequest['method']>;

export interface Registries {
  readonly service: () => TestService;
  readonly counter: () => StatementCounter;
  readonly ask: (method: Method, path: string, body?: object) => Promise<TestResponse>;
  /** Throws if the request is refused. */
  readonly ok: Registries['ask'];
  readonly fresh: () => string;
  readonly name: (prefix: string) => string;
  readonly report: (host: string, body?: object, node?: string) => Promise<TestResponse>;
  /** Creates a root provider; returns its uuid. */
  readonly provider: (called: string) => Promise<string>;
  readonly traitsOf: (uuid: string) => Promise<readonly string[]>;
  readonly aggregatesOf: (uuid: string) => Promise<readonly string[]>;
  readonly factsOf: (host: string) => Promise<ServiceFacts>;
  readonly placed: (host: string, more?: Partial<PlacedInstance>) => PlacedInstance;
  /** Records placements, each with its claim on a provider with enough room for all. */
  readonly place: (...rows: readonly PlacedInstance[]) => Promise<void>;
  readonly record: (...rows: readonly PlacedInstance[]) => Promise<void>;
  /** The log rows of the writes in `work`. */
  readonly newsOf: (work: () => Promise<unknown>) => Promise<NewChanges>;
}

export function startRegistries(kind: TestDatabaseKind, options: TestServiceOptions = {}): Registries {
  let service: TestService;
  let counter: StatementCounter;
  let made = 0;
  let pool: string | undefined;
  beforeAll(async () => {
    service = await startTestService(kind, options);
    counter = installStatementCounter();
  });
  afterAll(async () => {
    counter.uninstall();
    await service.stop();
  });

  const ask = (method: Method, path: string, body?: object): Promise<TestResponse> =>
    service.request({ method, path, ...(body !== undefined && { body }) });
  const ok = async (method: Method, path: string, body?: object): Promise<TestResponse> => {
    const answer = await ask(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const fresh = (): string => {
    made += 1;
    return `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
  };
  const name = (prefix: string): string => {
    made += 1;
    return `${prefix}${made}`;
  };
  const report = (host: string, body: object = {}, node = host): Promise<TestResponse> =>
    ok('PUT', `/scheduler/hosts/${host}/${node}`, body);
  const provider = async (called: string): Promise<string> => {
    const { json } = await ok('POST', '/resource_providers', { name: called });
    return String(json.uuid);
  };
  const traitsOf = async (uuid: string): Promise<readonly string[]> =>
    (await ok('GET', `/resource_providers/${uuid}/traits`)).json.traits as string[];
  const aggregatesOf = async (uuid: string): Promise<readonly string[]> =>
    ([...(await ok('GET', `/resource_providers/${uuid}/aggregates`)).json.aggregates] as string[]).sort();
  const factsOf = async (host: string): Promise<ServiceFacts> => {
    const found = (await service.database.readSnapshot((sql) => loadServices(sql, null))).find(
      (each) => each.host === host,
    );
    if (found === undefined) throw new Error(`no service of ${host}`);
    return found;
  };
  const placed = (host: string, more: Partial<PlacedInstance> = {}): PlacedInstance =>
    placedInstance({ uuid: fresh(), host, hostUuid: fresh(), ...more });
  const place = async (...rows: readonly PlacedInstance[]): Promise<void> => {
    pool ??= await largeProvider();
    for (const { uuid } of rows) {
      await service.request({
        method: 'PUT',
        path: `/allocations/${uuid}`,
        body: {
          allocations: { [pool]: { resources: { VCPU: 1 } } },
          project_id: 'p',
          user_id: 'u',
          consumer_generation: null,
          consumer_type: 'INSTANCE',
        },
      });
    }
    await record(...rows);
  };
  const record = (...rows: readonly PlacedInstance[]): Promise<void> =>
    service.database.write((tx) => service.app.get(InstancesService).insertPlacedIn(tx, rows, Date.now()));
  const largeProvider = async (): Promise<string> => {
    const uuid = await provider('pool');
    await service.request({
      method: 'POST',
      path: `/resource_providers/${uuid}/inventories`,
      body: { resource_class: 'VCPU', total: 100_000 },
    });
    return uuid;
  };
  const newsOf = async (work: () => Promise<unknown>): Promise<NewChanges> => {
    const { vector } = await service.database.read(readVector);
    await work();
    return service.database.read((sql) => readNewChanges(sql, vector, 1_000));
  };

  return {
    service: () => service,
    counter: () => counter,
    ask,
    ok,
    fresh,
    name,
    report,
    provider,
    traitsOf,
    aggregatesOf,
    factsOf,
    placed,
    place,
    record,
    newsOf,
  };
}
