// Random sequences of valid and invalid writes through every route, at random microversions. After each request the
// laws of writes are checked on the tables, and all readable data must agree with a model of the contract. BERTH_ROUNDS
// raises the number of requests per database; BERTH_SEED repeats a run.
import { GraphSource } from '../../src/placement/allocation-candidates/graph-source';
import type { Database } from '../../src/platform/database/database';
import { testDatabaseKinds } from '../support/databases';
import { dumpGraph, graphEquals } from '../support/graph-dump';
import { GraphFollower, loadedGraph } from '../support/graph-follower';
import type { Step } from '../support/random-requests';
import { Chances, OPERATION_KINDS, POOL, randomStep, rendered } from '../support/random-requests';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { dumpTables } from '../support/table-dump';
import type { ModelRecord } from './model-records';
import { capacityOf } from './model-records';
import { PlacementModel } from './placement-model';

const ROUNDS = Number(process.env['BERTH_ROUNDS'] ?? 450);
const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const REQUESTS_PER_SEQUENCE = 150;
const ACCEPTED_SHARE_MIN = 0.4;

interface ProviderRow {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly parent: number | null;
  readonly root: number;
}

interface InventoryRow extends ModelRecord {
  readonly provider: number;
  readonly class: string;
  readonly capacity: number;
  readonly used: number;
}

interface ConsumerRow {
  readonly id: number;
  readonly uuid: string;
  readonly generation: number;
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
}

interface AllocationRow {
  readonly consumer: number;
  readonly provider: number;
  readonly class: string;
  readonly used: number;
}

/** The tables in one consistent view, as the laws need them. */
interface Observed {
  readonly providers: readonly ProviderRow[];
  readonly inventories: readonly InventoryRow[];
  readonly consumers: readonly ConsumerRow[];
  readonly allocations: readonly AllocationRow[];
  readonly traits: readonly { readonly provider: number; readonly name: string }[];
  readonly aggregates: readonly { readonly provider: number; readonly uuid: string }[];
  readonly customNames: readonly string[];
}

function observe(database: Database): Promise<Observed> {
  return database.readSnapshot(async (sql) => {
    const names = await sql.query<{ name: string }>(
      `SELECT name FROM resource_classes WHERE name LIKE 'CUSTOM%' UNION ALL SELECT name FROM traits WHERE name LIKE 'CUSTOM%'`,
    );
    return {
      providers: await sql.query<ProviderRow>(
        'SELECT id, uuid, name, generation, parent_provider_id AS parent, root_provider_id AS root FROM resource_providers',
      ),
      inventories: await sql.query<InventoryRow>(
        'SELECT resource_provider_id AS provider, c.name AS class, total, reserved, min_unit, max_unit, step_size, ' +
          'allocation_ratio, capacity, used FROM inventories i JOIN resource_classes c ON c.id = i.resource_class_id',
      ),
      consumers: await sql.query<ConsumerRow>(
        'SELECT c.id, c.uuid, c.generation, p.external_id AS project, u.external_id AS user, t.name AS type ' +
          'FROM consumers c JOIN projects p ON p.id = c.project_id JOIN users u ON u.id = c.user_id ' +
          'LEFT JOIN consumer_types t ON t.id = c.consumer_type_id',
      ),
      allocations: await sql.query<AllocationRow>(
        'SELECT consumer_id AS consumer, resource_provider_id AS provider, c.name AS class, used ' +
          'FROM allocations a JOIN resource_classes c ON c.id = a.resource_class_id',
      ),
      traits: await sql.query(
        'SELECT resource_provider_id AS provider, name FROM resource_provider_traits pt JOIN traits t ON t.id = pt.trait_id',
      ),
      aggregates: await sql.query(
        'SELECT resource_provider_id AS provider, uuid FROM resource_provider_aggregates pa ' +
          'JOIN placement_aggregates a ON a.id = pa.aggregate_id',
      ),
      customNames: names.map((row) => row.name),
    };
  });
}

const keyOf = (row: { readonly provider: number; readonly class: string }): string => `${row.provider}/${row.class}`;

/** The laws that hold for any request. `isAllocationWrite`: it must not have raised a record above its capacity. */
function brokenLaws(now: Observed, before: Observed, isAllocationWrite: boolean): readonly string[] {
  const broken: string[] = [];
  const law = (holds: boolean, text: string): void => {
    if (!holds) broken.push(text);
  };
  const sums = new Map<string, number>();
  for (const row of now.allocations) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.used);
  const usedBefore = new Map(before.inventories.map((row) => [keyOf(row), row.used]));
  for (const row of now.inventories) {
    const key = keyOf(row);
    law(row.used === (sums.get(key) ?? 0), `used of ${key} is the sum of its allocations`);
    law(row.used >= 0, `used of ${key} is not negative`);
    law(row.capacity === capacityOf(row), `capacity of ${key} is (total - reserved) * ratio, truncated`);
    const most = Math.max(row.capacity, usedBefore.get(key) ?? 0);
    law(!isAllocationWrite || row.used <= most, `${key} was not taken above its capacity`);
    sums.delete(key);
  }
  law(sums.size === 0, 'no allocation is without its inventory record');
  const holders = new Set(now.allocations.map((row) => row.consumer));
  for (const { id, uuid } of now.consumers) law(holders.has(id), `consumer ${uuid} has allocations`);
  for (const provider of now.providers) law(provider.root === rootOf(provider, now), `${provider.uuid} knows its root`);
  const known = new Map(before.providers.map((row) => [row.id, row.generation]));
  for (const { id, uuid, generation } of now.providers) {
    law(generation >= (known.get(id) ?? 0), `the generation of ${uuid} does not go down`);
  }
  const knownConsumers = new Map(before.consumers.map((row) => [row.id, row.generation]));
  for (const { id, uuid, generation } of now.consumers) {
    law(generation >= (knownConsumers.get(id) ?? 1), `the generation of consumer ${uuid} does not go down`);
  }
  return broken;
}

/** Undefined for a loop. */
function rootOf(provider: ProviderRow, { providers }: Observed): number | undefined {
  let at: ProviderRow | undefined = provider;
  for (let steps = 0; steps <= providers.length; steps += 1) {
    if (at === undefined || at.parent === null) return at?.id;
    const { parent }: ProviderRow = at;
    at = providers.find((each) => each.id === parent);
  }
  return undefined;
}

/** The tables in the form of the model. */
function stated(now: Observed): object {
  const uuids = new Map(now.providers.map((row) => [row.id, row.uuid]));
  const uuidOf = (id: number | null): string | null => (id === null ? null : (uuids.get(id) ?? `row ${id}`));
  const ofProvider = <T extends { provider: number }>(rows: readonly T[], id: number): readonly T[] =>
    rows.filter((row) => row.provider === id);
  const record = ({ provider: _p, class: name, capacity: _c, used: _u, ...rest }: InventoryRow): [string, object] => [
    name,
    rest,
  ];
  return {
    customNames: [...now.customNames].sort(),
    providers: sortedObject(
      now.providers.map((row) => [
        row.uuid,
        {
          name: row.name,
          generation: row.generation,
          parent: uuidOf(row.parent),
          root: uuidOf(row.root),
          traits: ofProvider(now.traits, row.id)
            .map((each) => each.name)
            .sort(),
          aggregates: ofProvider(now.aggregates, row.id)
            .map((each) => each.uuid)
            .sort(),
          inventories: sortedObject(ofProvider(now.inventories, row.id).map(record)),
        },
      ]),
    ),
    consumers: sortedObject(
      now.consumers.map(({ id, uuid, ...rest }) => [
        uuid,
        {
          ...rest,
          allocations: sortedObject(
            now.allocations
              .filter((row) => row.consumer === id)
              .map((row) => [`${uuidOf(row.provider) ?? ''} ${row.class}`, row.used]),
          ),
        },
      ]),
    ),
  };
}

/** The model in the same form. */
function expected(model: PlacementModel): object {
  return {
    customNames: [...model.customClasses, ...model.customTraits].sort(),
    providers: sortedObject(
      [...model.byUuid.values()].map((provider) => [
        provider.uuid,
        {
          name: provider.name,
          generation: provider.generation,
          parent: provider.parent,
          root: model.rootOf(provider.uuid),
          traits: [...provider.traits].sort(),
          aggregates: [...provider.aggregates].sort(),
          inventories: sortedObject([...provider.inventories]),
        },
      ]),
    ),
    consumers: sortedObject(
      [...model.consumersByUuid].map(([uuid, { allocations, ...rest }]) => [
        uuid,
        {
          ...rest,
          allocations: sortedObject(
            [...allocations].flatMap(([provider, amounts]) =>
              [...amounts].map(([name, amount]): [string, unknown] => [`${provider} ${name}`, amount]),
            ),
          ),
        },
      ]),
    ),
  };
}

function sortedObject(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries([...entries].sort(([first], [second]) => (first < second ? -1 : 1)));
}

/** Compares the documents of one provider and one consumer with the model. */
async function expectDocuments(
  service: TestService,
  model: PlacementModel,
  provider: string,
  consumer: string,
): Promise<void> {
  const get = async (path: string): Promise<{ status: number; json: unknown }> => {
    const { status, json } = await service.request({ path });
    return { status, json: json as unknown };
  };
  const known = model.byUuid.get(provider);
  const base = `/resource_providers/${provider}`;
  if (known === undefined) {
    for (const path of ['', '/inventories', '/usages', '/allocations']) {
      expect((await get(`${base}${path}`)).status).toBe(404);
    }
  } else {
    const generation = known.generation;
    expect(await get(`${base}/inventories`)).toEqual({
      status: 200,
      json: { resource_provider_generation: generation, inventories: Object.fromEntries(known.inventories) },
    });
    const usages = [...known.inventories.keys()].map((name) => [name, model.usedOf(provider, name)]);
    expect(await get(`${base}/usages`)).toEqual({
      status: 200,
      json: { resource_provider_generation: generation, usages: Object.fromEntries(usages) },
    });
    const shares = [...model.consumersByUuid].flatMap(([uuid, holder]) => {
      const amounts = holder.allocations.get(provider);
      const share = amounts && { resources: Object.fromEntries(amounts), consumer_generation: holder.generation };
      return share === undefined ? [] : [[uuid, share]];
    });
    expect(await get(`${base}/allocations`)).toEqual({
      status: 200,
      json: { resource_provider_generation: generation, allocations: Object.fromEntries(shares) },
    });
  }
  const holder = model.consumersByUuid.get(consumer);
  expect(await get(`/allocations/${consumer}`)).toEqual({
    status: 200,
    json:
      holder === undefined
        ? { allocations: {} }
        : {
            allocations: Object.fromEntries(
              [...holder.allocations].map(([uuid, amounts]) => [
                uuid,
                { resources: Object.fromEntries(amounts), generation: model.generationOf(uuid) },
              ]),
            ),
            project_id: holder.project,
            user_id: holder.user,
            consumer_generation: holder.generation,
            consumer_type: holder.type ?? 'unknown',
          },
  });
}

/** Compares GET /usages of one project with the model. */
async function expectProjectUsages(service: TestService, model: PlacementModel, project: string): Promise<void> {
  const usages: Record<string, Record<string, number>> = {};
  for (const consumer of model.consumersByUuid.values()) {
    if (consumer.project !== project) continue;
    const entry = (usages[consumer.type ?? 'unknown'] ??= { consumer_count: 0 });
    entry['consumer_count'] = (entry['consumer_count'] ?? 0) + 1;
    for (const amounts of consumer.allocations.values()) {
      for (const [name, amount] of amounts) entry[name] = (entry[name] ?? 0) + amount;
    }
  }
  const response = await service.request({ path: `/usages?project_id=${encodeURIComponent(project)}` });
  expect(response.json).toEqual({ usages });
}

const ALLOCATION_WRITES = ['put allocations', 'post allocations', 'delete allocations'];
const EMPTYING = [
  'allocations',
  'consumers',
  'inventories',
  'resource_provider_traits',
  'resource_provider_aggregates',
];

/** Empties the cloud by SQL, so the service's caches are outdated. */
function emptied(database: Database): Promise<void> {
  return database.write(async (tx) => {
    for (const { id } of await tx.query<{ id: number }>('SELECT id FROM resource_providers')) tx.changes.tree(id);
    for (const table of EMPTYING) await tx.run(`DELETE FROM ${table}`);
    await tx.run('UPDATE resource_providers SET parent_provider_id = NULL');
    await tx.run('DELETE FROM resource_providers');
    for (const table of ['resource_classes', 'traits']) await tx.run(`DELETE FROM ${table} WHERE name LIKE 'CUSTOM%'`);
  });
}

class Counts {
  private readonly counts = new Map<string, Map<number, number>>();
  private requests = 0;
  private acceptedRequests = 0;

  count(route: string, status: number): void {
    const row = this.counts.get(route) ?? new Map<number, number>();
    row.set(status, (row.get(status) ?? 0) + 1);
    this.counts.set(route, row);
    this.requests += 1;
    if (status < 300) this.acceptedRequests += 1;
  }

  get acceptedShare(): number {
    return this.acceptedRequests / this.requests;
  }

  get routes(): readonly string[] {
    return [...this.counts.keys()];
  }

  toString(): string {
    const rows = [...this.counts].sort(([first], [second]) => (first < second ? -1 : 1));
    const statuses = (row: Map<number, number>): string =>
      [...row]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${status} x${count}`)
        .join(', ');
    return rows.map(([route, row]) => `  ${route.padEnd(20)} ${statuses(row)}`).join('\n');
  }
}

describe.each(testDatabaseKinds())('writes on %s, seed ' + String(SEED), (kind) => {
  let service: TestService;
  const counts = new Counts();

  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.stop());

  const sequence = async (seed: number): Promise<void> => {
    await emptied(service.database);
    const chances = new Chances(seed);
    const model = new PlacementModel();
    const follower = await GraphFollower.start(service.database);
    const graphs = service.app.get(GraphSource);
    const history: string[] = [];
    let observed = await observe(service.database);
    let dump = await dumpTables(service.database);

    const oneRequest = async (step: Step): Promise<void> => {
      const request = rendered(step);
      const verdict = model.judge(step);
      const response = await service.request(request);
      counts.count(step.operation.kind, response.status);
      history.push(
        `${response.status} ${request.method} ${request.path} ${request.version} ${JSON.stringify(request.body)}`,
      );
      expect([verdict.statuses, response.status, response.text]).toEqual([
        expect.arrayContaining([response.status]),
        response.status,
        response.text,
      ]);
      const before = observed;
      const dumpBefore = dump;
      dump = await dumpTables(service.database);
      if (response.status >= 300) {
        expect(dump).toBe(dumpBefore);
        return;
      }
      verdict.accept?.();
      observed = await observe(service.database);
      const isAllocationWrite = ALLOCATION_WRITES.includes(step.operation.kind);
      expect(brokenLaws(observed, before, isAllocationWrite)).toEqual([]);
      const [said, meant] = [stated(observed), expected(model)];
      if (JSON.stringify(said) !== JSON.stringify(meant)) expect(said).toEqual(meant);
    };

    try {
      for (let number = 1; number <= REQUESTS_PER_SEQUENCE; number += 1) {
        // Every third request is of the next kind, so every kind occurs in each sequence.
        const turn = number % 3 === 0 ? OPERATION_KINDS[(number / 3) % OPERATION_KINDS.length] : undefined;
        await oneRequest(randomStep(model, chances, turn));
        if (number % 5 === 0) {
          await expectDocuments(service, model, chances.one(POOL.providers), chances.one(POOL.consumers));
          await expectProjectUsages(service, model, chances.one(POOL.projects));
        }
        if (number % 10 === 0) await follower.follow();
        // After every request, the resident graph must equal the database.
        const [resident, inDatabase] = [await graphs.current(), await loadedGraph(service.database)];
        if (!graphEquals(resident, inDatabase)) expect(dumpGraph(resident)).toEqual(dumpGraph(inDatabase));
      }
      for (const provider of POOL.providers)
        await expectDocuments(service, model, provider, chances.one(POOL.consumers));
      const [followed, loaded] = [await follower.follow(), await loadedGraph(service.database)];
      if (!graphEquals(followed, loaded)) expect(dumpGraph(followed)).toEqual(dumpGraph(loaded));
    } catch (error) {
      const recent = history.slice(-12).join('\n');
      (error as Error).message += `\n\nafter ${history.length} requests of seed ${seed}; the last ones:\n${recent}`;
      throw error;
    }
  };

  it.each(Array.from({ length: Math.ceil(ROUNDS / REQUESTS_PER_SEQUENCE) }, (_, index) => [SEED + index]))(
    'satisfy the laws and agree with the model (sequence %d)',
    async (seed) => {
      await sequence(seed);
    },
  );

  it('find a provider that was deleted and created with the same uuid, in every kind of claim', async () => {
    await emptied(service.database);
    const uuid = POOL.providers[0] ?? '';
    const [consumer = '', other = ''] = POOL.consumers;
    const asked = { project: 'p', user: 'u', type: 'T', generation: null, sets: { [uuid]: { VCPU: 1 } } };
    const steps: readonly Step['operation'][] = [
      { kind: 'put allocations', consumer, asked },
      { kind: 'post allocations', consumers: { [consumer]: asked } },
      {
        kind: 'reshape',
        inventories: { [POOL.providers[1] ?? '']: { generation: 0, records: {} } },
        consumers: { [other]: asked },
      },
    ];
    const ask = async (operation: Step['operation']): Promise<number> =>
      (await service.request(rendered({ operation, minor: 39, isLogged: false }))).status;
    await ask({ kind: 'create provider', uuid: POOL.providers[1] ?? '', name: 'other', parent: null });
    for (const step of steps) {
      // The deleted provider is unknown, despite any cache.
      expect(await ask(step)).toBe(400);
      expect(await ask({ kind: 'create provider', uuid, name: 'host', parent: null })).toBe(200);
      expect(await ask({ kind: 'put inventories', uuid, generation: 0, records: { VCPU: { total: 2 } } })).toBe(200);
      expect(await ask(step)).toBe(204);
      for (const each of [consumer, other]) await ask({ kind: 'delete allocations', consumer: each });
      expect(await ask({ kind: 'delete provider', uuid })).toBe(204);
    }
  });

  it('cover every kind of request, and at least two in five are accepted', () => {
    process.stdout.write(`\nrequests on ${kind}, seed ${SEED}\n${counts.toString()}\n`);
    expect([...counts.routes].sort()).toEqual([...OPERATION_KINDS].sort());
    expect(counts.acceptedShare).toBeGreaterThanOrEqual(ACCEPTED_SHARE_MIN);
  });
});
