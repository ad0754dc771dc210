// `berth hosts` and `berth host NAME`.
import { CLI_LIMITS } from '../../platform/config/limits';
import { CommandFailed } from '../command-context';
import type { CommandStreams } from '../command-context';
import { renderJson, renderTable } from '../table';
import type { TableRow } from '../table';
import { askInParts } from './in-parts';
import type { Printing } from './options';
import type { ServiceClient } from './service-client';

/** Providers of one host that are looked at one by one. */
const PROVIDERS_SHOWN = 100;

export interface HostChoice {
  readonly zone?: string;
  readonly status?: string;
  readonly state?: string;
}

interface Host {
  readonly host: string;
  readonly node: string;
  readonly uuid: string | null;
  readonly status: string;
  readonly disabled_reason: string | null;
  readonly state: string;
  readonly last_seen_up: string | null;
}

interface HostPage {
  readonly hosts: readonly Host[];
  readonly next_marker: string | null;
}

export async function showHosts(
  client: ServiceClient,
  { stdout, stderr }: CommandStreams,
  { zone, status, state, json }: HostChoice & Printing,
): Promise<void> {
  const hosts: Host[] = [];
  let marker: string | undefined;
  do {
    const query = { limit: String(CLI_LIMITS.hostsPerPage), zone, status, state, marker };
    const page = await client.get<HostPage>('/scheduler/hosts', query);
    hosts.push(...page.hosts);
    marker = page.next_marker ?? undefined;
  } while (marker !== undefined && hosts.length < CLI_LIMITS.hostsListed);
  const columns = ['host', 'node', 'status', 'state', 'last_seen_up', 'uuid'];
  stdout(json ? renderJson(hosts) : renderTable(columns, hosts.map(hostRow)));
  if (marker !== undefined) stderr('… and more; narrow the list by --zone, --status or --state\n');
}

const hostRow = ({ host, node, status, state, last_seen_up: lastSeenUp, uuid }: Host): TableRow => ({
  host,
  node,
  status,
  state,
  last_seen_up: lastSeenUp,
  uuid,
});

interface Provider {
  readonly uuid: string;
  readonly name: string;
}

interface ProviderState extends Provider {
  readonly traits: readonly string[];
  readonly inventories: Readonly<Record<string, Inventory>>;
  readonly usages: Readonly<Record<string, number>>;
}

interface Inventory {
  readonly total: number;
  readonly reserved: number;
  readonly allocation_ratio: number;
}

/** Also shows a root provider with this name that no host reported. */
export async function showHost(
  client: ServiceClient,
  { stdout }: CommandStreams,
  name: string,
  { json }: Printing,
): Promise<void> {
  const { hosts } = await client.get<HostPage>('/scheduler/hosts', { host: name });
  const roots = hosts.length > 0 ? hosts.flatMap(({ uuid }) => uuid ?? []) : [await rootNamed(client, name)];
  const trees: ProviderState[] = [];
  for (const root of roots) trees.push(...(await treeOf(client, root)));
  if (json) return stdout(renderJson({ hosts, providers: trees }));
  for (const host of hosts) stdout(sentenceOf(host));
  stdout(
    renderTable(['provider', 'class', 'total', 'reserved', 'ratio', 'used', 'free'], trees.flatMap(inventoryRows)),
  );
  for (const { name: provider, traits } of trees) {
    if (traits.length > 0) stdout(`\ntraits of ${provider}: ${traits.join(', ')}\n`);
  }
}

function sentenceOf({ host, node, status, disabled_reason: why, state, last_seen_up: lastSeenUp }: Host): string {
  const reason = why === null ? '' : ` (${why})`;
  return `${host}, node ${node}: ${status}${reason}, ${state}, last seen up ${lastSeenUp ?? 'never'}\n\n`;
}

async function rootNamed(client: ServiceClient, name: string): Promise<string> {
  const { resource_providers: found } = await client.get<{ resource_providers: readonly Provider[] }>(
    '/resource_providers',
    { name },
  );
  const [provider] = found;
  if (provider === undefined)
    throw new CommandFailed(`There is no host ${name}, and no resource provider of that name.`);
  return provider.uuid;
}

async function treeOf(client: ServiceClient, root: string): Promise<readonly ProviderState[]> {
  const { resource_providers: providers } = await client.get<{ resource_providers: readonly Provider[] }>(
    '/resource_providers',
    { in_tree: root },
  );
  if (providers.length > PROVIDERS_SHOWN) {
    throw new CommandFailed(`It has ${providers.length} providers; more than ${PROVIDERS_SHOWN} are not shown.`);
  }
  return askInParts(providers, async (provider) => {
    const path = `/resource_providers/${provider.uuid}`;
    const [{ traits }, { inventories }, { usages }] = await Promise.all([
      client.get<Pick<ProviderState, 'traits'>>(`${path}/traits`),
      client.get<Pick<ProviderState, 'inventories'>>(`${path}/inventories`),
      client.get<Pick<ProviderState, 'usages'>>(`${path}/usages`),
    ]);
    return { ...provider, traits, inventories, usages };
  });
}

function inventoryRows({ name, inventories, usages }: ProviderState): readonly TableRow[] {
  return Object.entries(inventories).map(([resourceClass, { total, reserved, allocation_ratio: ratio }]) => {
    const used = usages[resourceClass] ?? 0;
    // An approximation for display; the service computes the capacity exactly.
    const capacity = Math.trunc((total - reserved) * ratio);
    return { provider: name, class: resourceClass, total, reserved, ratio, used, free: Math.max(0, capacity - used) };
  });
}
