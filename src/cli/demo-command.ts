// `berth demo hosts N`: creates virtual hosts at a running service and spreads them over zones.
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { CLI_LIMITS, FACADE_LIMITS } from '../platform/config/limits';
import { DEFAULT_SIZE, virtualReport } from '../practice-cloud/hosts/virtual-report';
import type { CommandContext, CommandStreams } from './command-context';
import { asks, remote } from './remote/remote-commands';
import type { ServiceClient } from './remote/service-client';

/** Maximum amount of a resource of a virtual host, in the unit of the option. */
const VIRTUAL_AMOUNT = 1_000_000_000;

interface DemoOptions {
  readonly zones?: readonly string[];
  readonly name: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskGb: number;
}

export function addDemo(program: Command, context: CommandContext): void {
  const demo = program.command('demo').description('fill a running service with what can be practised on');
  remote(demo, context, 'hosts', 'make hosts that are reported by the service itself, and so stay up')
    .argument('<count>', 'how many', numberUpTo(FACADE_LIMITS.virtualHosts))
    .option('--zones <names>', 'availability zones to spread them over, as az1,az2', listOf)
    .option('--name <prefix>', 'what their names begin with', 'virtual-')
    .option('--vcpus <n>', 'of each', numberUpTo(VIRTUAL_AMOUNT), DEFAULT_SIZE.vcpus)
    .option('--memory-mb <n>', 'of each', numberUpTo(VIRTUAL_AMOUNT), DEFAULT_SIZE.memoryMb)
    .option('--disk-gb <n>', 'of each', numberUpTo(VIRTUAL_AMOUNT), DEFAULT_SIZE.diskGb)
    .action(
      asks(context, (client, [count], options: DemoOptions) => makeHosts(client, context, Number(count), options)),
    );
}

async function makeHosts(
  client: ServiceClient,
  { stdout }: CommandStreams,
  count: number,
  { name: prefix, zones = [], ...size }: DemoOptions,
): Promise<void> {
  const known = await namesOfHosts(client);
  const names = Array.from({ length: count }, (_, at) => `${prefix}${at + 1}`);
  const made = names.filter((name) => !known.has(name));
  for (const name of made) await client.put(`/scheduler/hosts/${pathOf(name)}`, virtualReport(name, size));
  for (const [at, zone] of zones.entries()) {
    await putInZone(
      client,
      zone,
      names.filter((_, index) => index % zones.length === at),
    );
  }
  const kept = names.length - made.length;
  stdout(`${made.length} hosts made${kept > 0 ? `, ${kept} were there` : ''}: ${names[0]} to ${names.at(-1)}\n`);
}

const pathOf = (name: string): string => `${encodeURIComponent(name)}/${encodeURIComponent(name)}`;

async function namesOfHosts(client: ServiceClient): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let marker: string | undefined;
  do {
    type Hosts = { readonly hosts: readonly { readonly host: string }[]; readonly next_marker: string | null };
    const page: Hosts = await client.get('/scheduler/hosts', { limit: String(CLI_LIMITS.hostsPerPage), marker });
    for (const { host } of page.hosts) names.add(host);
    marker = page.next_marker ?? undefined;
  } while (marker !== undefined);
  return names;
}

/** Puts the hosts into the host aggregate with the name of the zone, and creates it if necessary. */
async function putInZone(client: ServiceClient, zone: string, hosts: readonly string[]): Promise<void> {
  type Aggregates = { readonly host_aggregates: readonly { readonly uuid: string }[] };
  const { host_aggregates: found } = await client.get<Aggregates>('/scheduler/host_aggregates', { name: zone });
  const [aggregate] = found;
  if (aggregate === undefined) {
    await client.post('/scheduler/host_aggregates', { name: zone, availability_zone: zone, hosts });
    return;
  }
  for (const host of hosts) await client.post(`/scheduler/host_aggregates/${aggregate.uuid}/hosts`, { host });
}

function numberUpTo(max: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,10}$/.test(text) && number >= 1 && number <= max) return number;
    throw new InvalidArgumentError(`It must be a number from 1 to ${max}.`);
  };
}

function listOf(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw new InvalidArgumentError('It must be names with commas between them.');
}
