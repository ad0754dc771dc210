// `berth scheduler shadow`: decides nova's requests again without a claim, and reports how often Berth agrees.
import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { LoadedConfiguration } from '../load-configuration';
import { loadConfiguration } from '../load-configuration';
import { NovaCells } from '../nova/cells/nova-cells';
import { differencesFrom } from '../nova/check/novas-choice';
import type { DryDecisionsParts } from '../nova/shadow/dry-decisions';
import { DryDecisions } from '../nova/shadow/dry-decisions';
import { SHADOW_LIMITS } from '../nova/shadow/limits';
import { NewRequests } from '../nova/shadow/new-requests';
import type { ShadowReport } from '../nova/shadow/shadow';
import { agreementLine, Shadow } from '../nova/shadow/shadow';
import { GraphSource } from '../placement/allocation-candidates/graph-source';
import { AllocationsService } from '../placement/allocations/allocations.service';
import { StartRefused } from '../platform/values/start-refused';
import { VERSION } from '../platform/version';
import { schedulerOf } from '../scheduler/assemble/configured-scheduler';
import { SchedulerPipeline } from '../scheduler/assemble/scheduler-pipeline';
import type { Claims, HostSource, ReferenceSource, SchedulerEnvironment } from '../scheduler/ports';
import { CLAIMS, HOST_SOURCE, REFERENCE_SOURCE, SCHEDULER_ENVIRONMENT } from '../scheduler/ports';
import type { CommandContext } from './command-context';
import { CommandFailed, EXIT, pastTime, runs } from './command-context';
import { asFailure, ENABLED, loadForNova, openNovaScheduler } from './nova-scheduler-context';

const EXAMPLES = `
It claims nothing and records nothing. The stored requests of nova are compared as soon as nova has chosen a host.

Examples:
  berth scheduler shadow                      until interrupted, with a line of counts every minute
  berth scheduler shadow --seconds 3600       for an hour
  berth scheduler shadow --since 2026-11-27T08:00:00Z
`;
const STOPS = ['SIGINT', 'SIGTERM'] as const;

interface ShadowOptions {
  readonly since?: string;
  readonly seconds?: number;
}

export function addShadow(scheduler: Command, context: CommandContext): void {
  scheduler
    .command('shadow')
    .description("decide nova's new requests without a claim; exit code 1 if a decision differs")
    .option('--since <time>', 'also requests that nova stored since then: 1h, 2d, yesterday, 2026-11-27, …', timeOf)
    .option('--seconds <n>', 'end after this time, instead of SIGINT', secondsOf)
    .addHelpText('after', EXAMPLES)
    .action(runs(context, (options: ShadowOptions) => shadow(context, options)));
}

/** In the form of nova's columns. */
function timeOf(text: string): string {
  return pastTime(text).slice(0, 19).replace('T', ' ');
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= SHADOW_LIMITS.secondsMax))
    throw new InvalidArgumentError(`It must be a number of seconds above 0, at most ${SHADOW_LIMITS.secondsMax}.`);
  return seconds;
}

async function shadow(context: CommandContext, { since, seconds }: ShadowOptions): Promise<number> {
  const { stdout, stderr } = context;
  const { loaded, nova } = await loadForNova(context, 'berth scheduler shadow');
  const { apiDatabase, database: templateBase } = nova;
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  for (const signal of STOPS) process.once(signal, stop);
  let requests: NewRequests | undefined;
  let application: INestApplicationContext | undefined;
  try {
    const otherOptions = await otherOptionsOf(context, loaded);
    requests = await NewRequests.from(() => NovaCells.open({ apiDatabase, templateBase }), since);
    application = await openNovaScheduler(loaded, nova);
    const report = (found: ShadowReport): void => stdout(lineOf(found));
    const run = new Shadow(requests, dryDecisionsOf(application, otherOptions), report, (text) => stderr(`${text}\n`));
    const print = (): void => stdout(`${agreementLine(run.counts, run.open)}\n`);
    const table = setInterval(print, SHADOW_LIMITS.tableEveryMs);
    const end = seconds === undefined ? undefined : setTimeout(stop, seconds * 1000);
    await run.run(stopping.signal).finally(() => {
      clearInterval(table);
      clearTimeout(end);
      print();
    });
    return run.counts.different === 0 ? EXIT.done : EXIT.failed;
  } catch (error) {
    throw error instanceof StartRefused ? new CommandFailed(error.message) : asFailure(error);
  } finally {
    await application?.close();
    requests?.close();
    for (const signal of STOPS) process.off(signal, stop);
  }
}

/** nova's value of each option that differs, alone, then all of them together. */
async function otherOptionsOf(
  { env, cwd }: CommandContext,
  loaded: LoadedConfiguration,
): Promise<DryDecisionsParts['otherOptions']> {
  const differences = differencesFrom(loaded.config.nova.release, schedulerOf(loaded, VERSION));
  const sets = differences.map((difference) => [difference]);
  if (sets.length > 1) sets.push([...differences]);
  const others: DryDecisionsParts['otherOptions'][number][] = [];
  for (const set of sets) {
    const values = set.map(({ group, name, novas }): [string, string] => [
      `BERTH_${group}__${name}`.toUpperCase(),
      novas,
    ]);
    const changed = { ...env, ...ENABLED, ...Object.fromEntries(values) };
    const pipeline = schedulerOf(await loadConfiguration({ env: changed, cwd }), VERSION);
    others.push({ setting: set.map(({ group, name, novas }) => `[${group}] ${name} = ${novas}`).join(', '), pipeline });
  }
  return others;
}

function dryDecisionsOf(
  application: INestApplicationContext,
  otherOptions: DryDecisionsParts['otherOptions'],
): DryDecisions {
  const any = { strict: false } as const;
  return new DryDecisions({
    pipeline: application.get<SchedulerPipeline>(SchedulerPipeline, any),
    graphs: application.get(GraphSource, any),
    allocations: application.get(AllocationsService, any),
    hosts: application.get<HostSource>(HOST_SOURCE, any),
    references: application.get<ReferenceSource>(REFERENCE_SOURCE, any),
    claims: application.get<Claims>(CLAIMS, any),
    env: application.get<SchedulerEnvironment>(SCHEDULER_ENVIRONMENT, any),
    otherOptions,
  });
}

function lineOf({ uuid, comparison: { verdict, nova, berth, reason } }: ShadowReport): string {
  return `${verdict.padEnd(14)} ${uuid}: nova ${nova}, Berth ${berth}${reason === null ? '' : `: ${reason}`}\n`;
}
