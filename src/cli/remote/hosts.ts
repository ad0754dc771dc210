// `berth hosts`, `berth host NAME`, `berth enable HOST...` and `berth disable HOST... --reason TEXT`.
import type { Schema } from '../../../client/src/routes.ts';
import { CommandFailed } from '../command-context';
import type { TableRow } from '../table';
import { renderTable } from '../table';
import { askInParts, checkHosts, listed, providerNamed, unknownName } from './listed';
import type { Action, Printing } from './printing';
import { printDocument, printListing } from './printing';
import { ageText, amountText } from './readable';
import type { ServiceClient } from './service-client';

/** Providers of one host that are looked at one by one. */
const PROVIDERS_SHOWN = 100;

interface HostChoice extends Printing {
  readonly zone?: string;
  readonly status?: string;
  readonly state?: string;
}

type Host = Schema<'Host'>;

/** Throws CommandFailed for an unknown zone. */
export const showHosts: Action<HostChoice> = async (client, streams, options) => {
  const { zone, status, state } = options;
  const query = { zone, status, state };
  const { entries: hosts, isCut } = await listed<Host>(client, '/scheduler/hosts', { member: 'hosts', query });
  if (hosts.length === 0 && zone !== undefined) await checkZone(client, zone);
  const { entries: reported } = await listed<Schema<'ReportedHostRow'>>(client, '/reports/hosts', {
    member: 'hosts',
    query: { availability_zone: zone },
  });
  const reportOf = new Map(reported.map((report) => [report.uuid, report]));
  const all = hosts.map((host) => {
    const report = host.uuid === null ? undefined : reportOf.get(host.uuid);
    const { availability_zone = null, instances = null, resource_classes = {} } = report ?? {};
    const status = host.status === 'enabled' && report?.status === 'disabled' ? 'disabled by trait' : host.status;
    return { ...host, status, availability_zone, instances, resource_classes };
  });
  const rows = all.map(({ resource_classes: classes, ...host }) => ({
    host: host.host,
    zone: host.availability_zone,
    status: host.status,
    state: host.state,
    instances: host.instances,
    vcpu: useOf(classes, 'VCPU'),
    pcpu: useOf(classes, 'PCPU'),
    memory: useOf(classes, 'MEMORY_MB'),
    disk: useOf(classes, 'DISK_GB'),
    node: host.node,
    reason: host.disabled_reason,
    last_seen_up: ageText(host.last_seen_up),
    uuid: host.uuid,
  }));
  const cpus = rows.some(({ pcpu }) => pcpu !== '') ? ['vcpu', 'pcpu'] : ['vcpu'];
  printListing(streams, options, {
    document: all,
    columns: ['host', 'zone', 'status', 'state', 'instances', ...cpus, 'memory', 'disk'],
    wide: ['node', 'reason', 'last_seen_up', 'uuid'],
    rows,
    name: 'host',
    empty: 'No host matches.',
    more: isCut && 'narrow the list by --zone, --status or --state',
  });
};

function useOf(
  classes: Readonly<Record<string, { readonly capacity: number; readonly used: number } | undefined>>,
  name: string,
): string {
  const sum = classes[name];
  return sum === undefined ? '' : `${amountText(name, sum.used)} / ${amountText(name, sum.capacity)}`;
}

async function checkZone(client: ServiceClient, zone: string): Promise<void> {
  const { availability_zones: zones } = await client.get<Schema<'AvailabilityZones'>>('/scheduler/availability_zones');
  const names = zones.map(({ name }) => name);
  if (!names.includes(zone)) throw unknownName('Availability zone', zone, names, 'zones');
}

interface ProviderState extends Schema<'ResourceProvider'> {
  readonly traits: readonly string[];
  readonly inventories: Schema<'Inventories'>['inventories'];
  readonly usages: Readonly<Record<string, number>>;
}

/** Also shows a root provider with this name that no host reported. */
export const showHost: Action = async (client, streams, printing, [name = '']) => {
  const { hosts } = await client.get<Schema<'Hosts'>>('/scheduler/hosts', { host: name });
  const roots = hosts.length > 0 ? hosts.flatMap(({ uuid }) => uuid ?? []) : [(await providerNamed(client, name)).uuid];
  const trees: ProviderState[] = [];
  for (const root of roots) trees.push(...(await treeOf(client, root)));
  const text = (): string => hosts.map(sentenceOf).join('') + treesText(trees);
  printDocument(streams, printing, { hosts, providers: trees }, { text, names: trees.map((tree) => tree.name) });
};

function treesText(trees: readonly ProviderState[]): string {
  const columns = ['provider', 'class', 'total', 'reserved', 'ratio', 'used', 'free'];
  const lines = trees.flatMap(({ name, traits }) =>
    traits.length === 0 ? [] : [`\ntraits of ${name}: ${traits.join(', ')}\n`],
  );
  return renderTable(columns, trees.flatMap(inventoryRows)) + lines.join('');
}

function sentenceOf({ host, node, status, disabled_reason: why, state, last_seen_up: lastSeenUp }: Host): string {
  const reason = why === null ? '' : ` (${why})`;
  return `${host}, node ${node}: ${status}${reason}, ${state}, last seen up ${ageText(lastSeenUp) || 'never'}\n\n`;
}

async function treeOf(client: ServiceClient, root: string): Promise<readonly ProviderState[]> {
  const { resource_providers: providers } = await client.get<Schema<'ResourceProviders'>>('/resource_providers', {
    in_tree: root,
  });
  if (providers.length > PROVIDERS_SHOWN) {
    throw new CommandFailed(`It has ${providers.length} providers; more than ${PROVIDERS_SHOWN} are not shown.`);
  }
  return askInParts(providers, async (provider) => {
    const path = `/resource_providers/${provider.uuid}`;
    const [{ traits }, { inventories }, { usages }] = await Promise.all([
      client.get<Schema<'ProviderTraits'>>(`${path}/traits`),
      client.get<Schema<'Inventories'>>(`${path}/inventories`),
      client.get<Schema<'ProviderUsages'>>(`${path}/usages`),
    ]);
    return { ...provider, traits, inventories, usages };
  });
}

function inventoryRows({ name, inventories, usages }: ProviderState): readonly TableRow[] {
  return Object.entries(inventories).map(([resourceClass, { total, reserved, allocation_ratio: ratio }]) => {
    const used = usages[resourceClass] ?? 0;
    // An approximation for display; the service computes the capacity exactly.
    const capacity = Math.trunc((total - reserved) * ratio);
    const shown = (amount: number): string => amountText(resourceClass, amount);
    return {
      provider: name,
      class: resourceClass,
      total: shown(total),
      reserved: shown(reserved),
      ratio: Math.round(ratio * 1_000) / 1_000,
      used: shown(used),
      free: shown(Math.max(0, capacity - used)),
    };
  });
}

type Service = Schema<'Service'>;

/** Changes nothing if one of the hosts does not exist. A reason goes with the status it explains. */
export const setStatus =
  (status: Service['status']): Action<Printing & { readonly reason?: string }> =>
  async (client, streams, options, hosts) => {
    await checkHosts(client, hosts);
    const services: Service[] = [];
    for (const host of hosts) {
      const path = `/scheduler/services/${encodeURIComponent(host)}`;
      services.push(await client.patch<Service>(path, { status, disabled_reason: options.reason ?? null }));
    }
    printListing(streams, options, {
      document: services,
      columns: ['host', 'status', 'disabled_reason', 'state'],
      rows: services.map((service) => ({ ...service })),
      name: 'host',
      empty: '',
    });
  };
