// Commands that query a running service, for operators without an OpenStack client: hosts, one host, candidates, why a
// host was rejected, remaining capacity.
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { JSON_OPTION, runs } from '../command-context';
import type { CommandContext } from '../command-context';
import { SERVICE_STATES, SERVICE_STATUSES } from '../../compute/services/service-liveness';
import { showCandidates } from './candidates';
import type { CandidateOptions } from './candidates';
import { showCapacity } from './capacity';
import type { Printing, RequestOptions } from './options';
import { showHost, showHosts } from './hosts';
import type { HostChoice } from './hosts';
import { ServiceClient } from './service-client';
import { showWhy } from './why';

/** Candidates that are shown unless asked otherwise, and at most. */
const CANDIDATES_SHOWN = 10;
const CANDIDATES_SHOWN_MAX = 1_000;

interface Where {
  readonly url: string;
  readonly token?: string;
}

export function addRemoteCommands(program: Command, context: CommandContext): void {
  addHosts(program, context);
  addCandidates(program, context);
  remote(program, context, 'why', 'explain whether a decision would select or reject one host now')
    .argument('<host>', 'the name of the host')
    .addOption(flavorOption())
    .addOption(imageOption())
    .addOption(zoneOption())
    .action(
      asks(context, (client, [host], options: RequestOptions & Printing) =>
        showWhy(client, context, host ?? '', options),
      ),
    );
  remote(
    program,
    context,
    'capacity',
    'show how many more instances of a flavor fit on each host, and why other hosts are excluded',
  )
    .addOption(flavorOption())
    .addOption(imageOption())
    .addOption(zoneOption())
    .action(asks(context, (client, _, options: RequestOptions & Printing) => showCapacity(client, context, options)));
}

function addHosts(program: Command, context: CommandContext): void {
  remote(program, context, 'hosts', 'list the compute hosts')
    .option('--zone <name>', 'in this availability zone')
    .addOption(new Option('--status <status>', 'only such services').choices(SERVICE_STATUSES))
    .addOption(new Option('--state <state>', 'only such services').choices(SERVICE_STATES))
    .action(asks(context, (client, _, options: HostChoice & Printing) => showHosts(client, context, options)));
  remote(program, context, 'host', 'show one host: its service, its providers and what is left on each')
    .argument('<name>', 'the name of the host')
    .action(asks(context, (client, [name], options: Printing) => showHost(client, context, name ?? '', options)));
}

function addCandidates(program: Command, context: CommandContext): void {
  remote(program, context, 'candidates', 'ask placement which providers could serve amounts of resources')
    .argument('<resource...>', 'CLASS=AMOUNT, as VCPU=2 MEMORY_MB=2048')
    .option('--required <trait>', 'a trait that the provider has; may be repeated', many, [])
    .option('--forbidden <trait>', 'a trait that it has not; may be repeated', many, [])
    .option('--member-of <uuid>', 'an aggregate that it is in')
    .addOption(new Option('--limit <n>', 'how many to show').argParser(countOf).default(CANDIDATES_SHOWN))
    .action(
      asks(context, (client, resources, options: CandidateOptions & Printing) =>
        showCandidates(client, context, resources, options),
      ),
    );
}

/** A command that calls the service. Its options take precedence over the environment. */
export function remote(program: Command, { env }: CommandContext, name: string, summary: string): Command {
  return program
    .command(name)
    .description(summary)
    .option('--url <url>', 'where the service listens (BERTH_URL)', env['BERTH_URL'] ?? 'http://127.0.0.1:8778')
    .option('--token <token>', 'what is sent as X-Auth-Token (BERTH_TOKEN; without either "admin", for noauth2)')
    .option(...JSON_OPTION);
}

/** Commander passes each argument separately (variadic ones as a list), then the options, then the command. */
export function asks<Options extends object>(
  context: CommandContext,
  action: (client: ServiceClient, args: readonly string[], options: Options) => Promise<number | void>,
): (...given: unknown[]) => Promise<void> {
  return runs(context, (...given: unknown[]) => {
    const args = given.slice(0, -2).flat() as string[];
    const options = given.at(-2) as Options & Where;
    const token = options.token ?? context.env['BERTH_TOKEN'] ?? 'admin';
    return action(new ServiceClient({ url: options.url.replace(/\/+$/, ''), token }), args, options);
  });
}

const flavorOption = (): Option =>
  new Option('--flavor <flavor>', 'a registered flavor, by name or id').makeOptionMandatory();
const imageOption = (): Option => new Option('--image <image>', 'a registered image, by name or uuid');
const zoneOption = (): Option => new Option('--zone <name>', 'an availability zone');

const many = (value: string, before: readonly string[]): readonly string[] => [...before, value];

function countOf(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= CANDIDATES_SHOWN_MAX) return count;
  throw new InvalidArgumentError(`It must be a number from 1 to ${CANDIDATES_SHOWN_MAX}.`);
}
