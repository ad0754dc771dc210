// The demo cluster: reads cluster.yaml, loads it over REST and removes it. Uuids are derived from names, so a second
// run finds what the first one left.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Conflict, DuplicateName, unlessMissing } from '../client/dist/index.js';
import { DemoFailure, remove, wasThere } from './service.mjs';

export const OWNER = { project_id: 'berth-demo', user_id: 'berth-demo' };
/** Trait of every root provider of the demo: the demo schedules only onto its own hosts. */
export const DEMO_TRAIT = 'CUSTOM_DEMO_CLOUD';

export const readYaml = (name) => parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

/** The uuid of a demo object. */
export function uuidOf(kind, name) {
  const hex = createHash('sha256').update(`berth demo/${kind}/${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** `tug-[01-03]` expands to tug-01, tug-02 and tug-03; several brackets multiply. */
export function expand(pattern) {
  const [whole, from, to] = /\[(\d+)-(\d+)\]/.exec(pattern) ?? [];
  if (whole === undefined) return [pattern];
  const count = Number(to) - Number(from) + 1;
  const numbers = Array.from({ length: count }, (_, at) => String(Number(from) + at).padStart(from.length, '0'));
  return numbers.flatMap((number) => expand(pattern.replace(whole, number)));
}

/** Providers, parents before children, and the consumers that exist before the demo begins. */
export function readCluster() {
  const { zones, host_aggregates: hostAggregates, disabled, providers: drawn, residents } = readYaml('cluster.yaml');
  const providers = drawn.flatMap((entry) => flatten(entry, null));
  const known = new Set(providers.map(({ name }) => name));
  const inhabited = residents.flatMap(({ on, resources, consumers = 1 }) =>
    expand(on).flatMap((host) =>
      Array.from({ length: consumers }, (_, at) => ({ host, name: `${host}/${at}`, resources })),
    ),
  );
  for (const { host } of inhabited) if (!known.has(host)) throw new DemoFailure(`cluster.yaml: no provider ${host}`);
  return { zones: Object.keys(zones), hostAggregates, disabled, providers, residents: inhabited };
}

function flatten(entry, parent) {
  return expand(entry.name.replaceAll('{name}', parent?.name ?? '')).flatMap((name) => {
    const provider = {
      name,
      uuid: uuidOf('provider', name),
      parent: parent?.uuid ?? null,
      root: parent?.root ?? name,
      inventories: entry.inventories ?? {},
      traits: entry.traits ?? [],
      aggregates: entry.aggregates ?? [],
    };
    return [provider, ...(entry.children ?? []).flatMap((child) => flatten(child, provider))];
  });
}

const customTraits = ({ providers }) =>
  [...new Set(providers.flatMap(({ traits }) => traits))].filter((name) => name.startsWith('CUSTOM_'));

/** Creates missing objects and updates the rest. */
export async function loadCluster(client, cluster) {
  for (const name of customTraits(cluster)) await client.traits.create(name);
  for (const provider of cluster.providers) await loadProvider(client, provider);
  for (const { host, name, resources } of cluster.residents) {
    await client.allocations.put(uuidOf('resident', name), {
      allocations: { [uuidOf('provider', host)]: { resources } },
      ...OWNER,
      consumer_generation: null,
      consumer_type: 'INSTANCE',
    });
  }
}

async function loadProvider(client, { name, uuid, parent, inventories, traits, aggregates }) {
  const found = await unlessMissing(client.providers.get(uuid));
  let { generation } = found ?? (await createProvider(client, { uuid, name, parent }));
  const write = async (part, document) => {
    const body = { resource_provider_generation: generation, ...document };
    generation = (await client.providers[part].replace(uuid, body)).resource_provider_generation;
  };
  await write('inventories', { inventories });
  await write('traits', { traits });
  await write('aggregates', { aggregates: aggregates.map((aggregate) => uuidOf('aggregate', aggregate)) });
}

async function createProvider(client, { uuid, name, parent }) {
  try {
    return await client.providers.create({ uuid, name, ...(parent !== null && { parent_provider_uuid: parent }) });
  } catch (error) {
    if (!(error instanceof DuplicateName)) throw error;
    throw new DemoFailure(`There is another resource provider named ${name} already.`);
  }
}

/** Whether an earlier run left objects: the first provider is created first and removed last. */
export async function isLeftOver(client, { providers: [first] }) {
  return wasThere(client.providers.get(first.uuid));
}

/** Releases consumers; ignores those without allocations. Returns the number of released consumers. */
export async function release(client, consumers) {
  let released = 0;
  for (const uuid of consumers) {
    if (await wasThere(client.allocations.delete(uuid))) released += 1;
  }
  return released;
}

export const residentsOf = ({ residents }) => residents.map(({ name }) => uuidOf('resident', name));

/** Removes the providers, children first, and the demo's own traits. Returns the number of removed providers. */
export async function removeCluster(client, cluster) {
  let removed = 0;
  for (const { name, uuid } of [...cluster.providers].reverse()) {
    if (await remove(name, client.providers.delete(uuid))) removed += 1;
  }
  for (const name of customTraits(cluster)) await removeTrait(client, name);
  return removed;
}

/** Keeps a trait that other providers use. */
async function removeTrait(client, name) {
  try {
    await wasThere(client.traits.delete(name));
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}
