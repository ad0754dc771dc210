// Shared code of the scheduler's end-to-end suites: worlds loaded over REST, requests, and consistency checks of the
// tables.
import { randomUUID } from 'node:crypto';
import type { TestResponse, TestService } from '../support/service';
import type { WorldProvider } from '../world/world-description';
import { parseWorld, providerUuid } from '../world/world-description';

export const OWNER = { project_id: 'project', user_id: 'user' } as const;
export const SMALL = { name: 'm1.small', vcpus: 1, memory_mb: 512 } as const;

/** A part of a parsed answer. */
export type Json = TestResponse['json'];

/** Consumers with fixed, readable uuids. */
export const instance = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Loads a world text over REST: names, providers, inventories, traits, aggregates; usage is claimed. */
export async function loadWorld(service: TestService, text: string): Promise<void> {
  const { providers } = parseWorld(text);
  const custom = (names: readonly string[]): readonly string[] => [
    ...new Set(names.filter((name) => name.startsWith('CUSTOM_'))),
  ];
  for (const name of custom(providers.flatMap(({ traits }) => traits))) await put(service, `/traits/${name}`);
  for (const name of custom(providers.flatMap(({ inventories }) => inventories.map((one) => one.resourceClass)))) {
    await put(service, `/resource_classes/${name}`);
  }
  for (const provider of providers) await loadProvider(service, provider);
}

async function loadProvider(service: TestService, provider: WorldProvider): Promise<void> {
  const { uuid, name, parent } = provider;
  const body = { uuid, name, ...(parent !== null && { parent_provider_uuid: providerUuid(parent) }) };
  await done(service.request({ method: 'POST', path: '/resource_providers', body }));
  const at = `/resource_providers/${uuid}`;
  let generation = 0;
  const write = async (path: string, document: object): Promise<void> => {
    const { json } = await put(service, `${at}/${path}`, { resource_provider_generation: generation, ...document });
    generation = json.resource_provider_generation as number;
  };
  if (provider.traits.length > 0) await write('traits', { traits: provider.traits });
  if (provider.aggregates.length > 0) {
    await write('aggregates', { aggregates: provider.aggregates.map((aggregate) => aggregate.uuid) });
  }
  const inventories = provider.inventories.map((one) => [
    one.resourceClass,
    {
      total: one.total,
      reserved: one.reserved,
      allocation_ratio: one.allocationRatio,
      min_unit: one.minUnit,
      max_unit: one.maxUnit,
      step_size: one.stepSize,
    },
  ]);
  if (inventories.length > 0) await write('inventories', { inventories: Object.fromEntries(inventories) as object });
  const used = provider.inventories.filter((one) => one.used > 0).map((one) => [one.resourceClass, one.used]);
  if (used.length === 0) return;
  await put(service, `/allocations/${randomUUID()}`, {
    allocations: { [uuid]: { resources: Object.fromEntries(used) as object } },
    ...OWNER,
    consumer_generation: null,
    consumer_type: 'INSTANCE',
  });
}

const put = (service: TestService, path: string, body?: object): Promise<TestResponse> =>
  done(service.request({ method: 'PUT', path, ...(body !== undefined && { body }) }));

async function done(answer: Promise<TestResponse>): Promise<TestResponse> {
  const response = await answer;
  if (response.status >= 300) throw new Error(`${response.status}: ${response.text}`);
  return response;
}

/** Removes every allocation. */
export async function clearAllocations(service: TestService): Promise<void> {
  const consumers = await service.database.read((sql) => sql.query<{ uuid: string }>('SELECT uuid FROM consumers', []));
  for (const { uuid } of consumers) await done(service.request({ method: 'DELETE', path: `/allocations/${uuid}` }));
}

/** Removes every allocation and every provider. */
export async function clear(service: TestService): Promise<void> {
  await clearAllocations(service);
  const { json } = await service.request({ path: '/resource_providers' });
  const left = [...(json.resource_providers as { uuid: string }[])].reverse();
  while (left.length > 0) {
    const uuid = left.shift()?.uuid ?? '';
    const { status } = await service.request({ method: 'DELETE', path: `/resource_providers/${uuid}` });
    if (status === 409) left.push({ uuid });
  }
}

/** POST /scheduler/select_destinations for a small flavor, one instance unless the body says otherwise. */
export function select(
  service: TestService,
  body: object = {},
  headers: Record<string, string | null> = {},
): Promise<TestResponse> {
  return ask(service, 'select_destinations', body, headers);
}

/** POST /scheduler/explain. */
export const explain = (service: TestService, body: object = {}, query = ''): Promise<TestResponse> =>
  ask(service, `explain${query}`, body, {});

function ask(
  service: TestService,
  path: string,
  body: object,
  headers: Record<string, string | null>,
): Promise<TestResponse> {
  const count = 'instances' in body || 'num_instances' in body ? {} : { num_instances: 1 };
  const document = { ...OWNER, ...count, flavor: SMALL, ...body };
  return service.request({ method: 'POST', path: `/scheduler/${path}`, body: document, headers });
}

/** The chosen hosts, in the order of the instances; the answer must be a success. */
export function hostsOf({ status, json, text }: TestResponse): string[] {
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return (json.selections as { selected: { host: string } }[]).map(({ selected }) => selected.host);
}

/** The flavor with extra specs. */
export const flavorWith = (extraSpecs: object, amounts: object = {}): { readonly flavor: object } => ({
  flavor: { ...SMALL, ...amounts, extra_specs: extraSpecs },
});

export async function allocationsOf(service: TestService, consumer: string): Promise<Record<string, unknown>> {
  return (await service.request({ path: `/allocations/${consumer}` })).json.allocations as Record<string, unknown>;
}

interface Books {
  /** The number of consumers with allocations. */
  readonly consumers: number;
  /** Inventories whose usage differs from the sum of their allocations, or exceeds their capacity. */
  readonly faults: readonly object[];
}

/** Reads the tables directly. Law: usage is the sum of the allocations, and every consumer has allocations. */
export function books(service: TestService): Promise<Books> {
  return service.database.read(async (sql) => {
    const faults = await sql.query<object>(
      'SELECT i.id, i.used, i.capacity, COALESCE(SUM(a.used), 0) AS allocated FROM inventories i ' +
        'LEFT JOIN allocations a ON a.resource_provider_id = i.resource_provider_id ' +
        'AND a.resource_class_id = i.resource_class_id GROUP BY i.id, i.used, i.capacity ' +
        'HAVING i.used <> COALESCE(SUM(a.used), 0) OR i.used > i.capacity',
      [],
    );
    const empty = await sql.query<object>(
      'SELECT c.uuid FROM consumers c WHERE NOT EXISTS (SELECT 1 FROM allocations a WHERE a.consumer_id = c.id)',
      [],
    );
    const [row] = await sql.query<{ count: number }>('SELECT COUNT(*) AS count FROM consumers', []);
    return { consumers: Number(row?.count), faults: [...faults, ...empty] };
  });
}
