// `berth demo hosts N`: creates virtual hosts at a running service and spreads them over zones.
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { PRACTICE_CLOUD_LIMITS } from '../platform/config/limits/practice-cloud';
import { DEFAULT_SIZE, virtualReport } from '../practice-cloud/hosts/virtual-report';
import type { CommandContext } from './command-context';
import { hostNames } from './remote/listed';
import type { Action, Printing } from './remote/printing';
import { asks, countUpTo, remote } from './remote/remote-command';
import type { ServiceClient } from './remote/service-client';

/** Maximum amount of a resource of a virtual host, in the unit of the option. */
const VIRTUAL_AMOUNT = 1_000_000_000;

interface DemoOptions extends Printing {
  readonly zones?: readonly string[];
  readonly name: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskGb: number;
}

export function addDemo(program: Command, context: CommandContext): void {
  const demo = program.command('demo').description('fill a running service with what can be practised on');
  remote(demo, context, 'hosts', 'make hosts that are reported by the service itself, and so stay up', [
    'demo hosts 12 --zones az1,az2',
  ])
    .argument('<count>', 'how many', countUpTo(PRACTICE_CLOUD_LIMITS.virtualHosts))
    .option('--zones <names>', 'availability zones to spread them over, as az1,az2', listOf)
    .option('--name <prefix>', 'what their names begin with', 'virtual-')
    .option('--vcpus <n>', 'of each', countUpTo(VIRTUAL_AMOUNT), DEFAULT_SIZE.vcpus)
    .option('--memory-mb <n>', 'of each', countUpTo(VIRTUAL_AMOUNT), DEFAULT_SIZE.memoryMb)
    .option('--disk-gb <n>', 'of each', countUpTo(VIRTUAL_AMOUNT), DEFAULT_SIZE.diskGb)
    .action(asks(context, makeHosts));
}

const makeHosts: Action<DemoOptions> = async (client, { stdout, progress }, options, [count]) => {
  const { name: prefix, zones = [], output: _output, ...size } = options;
  const known = new Set(await hostNames(client));
  const names = Array.from({ length: Number(count) }, (_, at) => `${prefix}${at + 1}`);
  const made = names.filter((name) => !known.has(name));
  for (const [at, name] of made.entries()) {
    await client.put(`/scheduler/hosts/${pathOf(name)}`, virtualReport(name, size));
    progress?.(`${at + 1} of ${made.length} hosts`);
  }
  progress?.('');
  for (const [at, zone] of zones.entries()) {
    const hosts = names.filter((_, index) => index % zones.length === at);
    await putInZone(client, zone, hosts);
  }
  const kept = names.length - made.length;
  stdout(`${made.length} hosts made${kept > 0 ? `, ${kept} were there` : ''}: ${names[0]} to ${names.at(-1)}\n`);
};

const pathOf = (name: string): string => `${encodeURIComponent(name)}/${encodeURIComponent(name)}`;

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

function listOf(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw new InvalidArgumentError('It must be names with commas between them.');
}
