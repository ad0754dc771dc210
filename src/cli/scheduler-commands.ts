import type { Command } from 'commander';
import type { LoadedConfiguration } from '../load-configuration';
import { loadConfiguration } from '../load-configuration';
import { PolledNovaFacts } from '../nova/cells/polled-nova-facts';
import { checkBroker } from '../nova/check/broker-check';
import { checkConfiguration } from '../nova/check/configuration-check';
import { checkDecision } from '../nova/check/decision-check';
import { checkChoice, checkDatabases, checkMirror, providersIn } from '../nova/check/facts-check';
import type { Finding } from '../nova/check/finding';
import { failed, warning } from '../nova/check/finding';
import { checkPlacement } from '../nova/check/placement-check';
import type { NovaConf } from '../nova/conf/nova-conf';
import { rpcOptionsOf } from '../nova/nova-service';
import type { BerthConfig } from '../options';
import { loadGraphRows } from '../placement/allocation-candidates/graph.loader';
import type { ProviderGraph } from '../placement/candidate-search';
import { buildGraphInSteps } from '../placement/candidate-search';
import { ConfigError } from '../platform/config/load-config';
import { WHOLE_LOAD } from '../platform/database/database';
import { tasks } from '../platform/event-loop/task-scheduler';
import { createLogger } from '../platform/logging/logger';
// Commands for the place of nova-scheduler: run the service there, and check the cloud before the switch.
import { printableLine } from '../platform/values/printable';
import { VERSION } from '../platform/version';
import { schedulerOf } from '../scheduler/assemble/configured-scheduler';
import { SchedulerService } from '../scheduler/scheduler.service';
import { withDatabase } from './command-application';
import type { CommandContext } from './command-context';
import { EXIT, JSON_OPTION, runs } from './command-context';
import { ENABLED, openNovaScheduler } from './nova-scheduler-context';
import { addShadow } from './shadow-command';
import { checkStart } from './start-check';
import { renderJson } from './table';

export function addSchedulerCommands(program: Command, context: CommandContext): void {
  const scheduler = program
    .command('scheduler')
    .description('take the place of nova-scheduler, or check the cloud before the switch');
  scheduler
    .command('run', { isDefault: true })
    .description('run the service with [nova] enabled; the same as "berth scheduler"')
    .action(
      runs(context, async () => {
        Object.assign(context.env, ENABLED);
        context.env['BERTH_NOVA__READINESS_NEEDS_BROKER'] ??= 'true';
        await import('../main.js');
      }),
    );
  scheduler
    .command('check')
    .description(
      'check options, broker, databases, hosts and aggregates, and decide once without a claim; changes nothing; exit code 1 if there is an error',
    )
    .option(...JSON_OPTION)
    .action(
      runs(context, async ({ json }: { json?: true }) => {
        const findings = await allFindings(context);
        context.stdout(json ? renderJson(findings) : findings.map(lineOf).join(''));
        return findings.some(({ severity }) => severity === 'error') ? EXIT.failed : EXIT.done;
      }),
    );
  addShadow(scheduler, context);
}

const lineOf = ({ severity, subject, text }: Finding): string =>
  `${severity.padEnd(8)} ${printableLine(`${subject}: ${text}`)}\n`;

async function allFindings({ env, cwd }: CommandContext): Promise<readonly Finding[]> {
  const loaded = await loadConfiguration({ env: { ...env, ...ENABLED }, cwd }).catch((error: unknown) => {
    if (error instanceof ConfigError) return error.problems.map((problem) => failed('configuration', problem));
    return asFinding(error);
  });
  if (!('config' in loaded)) return loaded;
  const { config, nova } = loaded;
  if (nova === undefined) return [failed('configuration', '[nova] enabled is false.')];
  const start = checkStart(loaded);
  const findings: Finding[] = [
    ...start.problems.map((problem) => failed('configuration', problem)),
    ...[...config.warnings.filter((text) => !nova.warnings.includes(text)), ...start.warnings].map((text) =>
      warning('configuration', text),
    ),
    ...checkConfiguration(nova),
  ];
  const parts = [
    () => checkBroker(rpcOptionsOf(nova, config.berth.shutdown_grace_seconds)),
    () => checkFacts(nova, loaded, start.problems.length === 0),
    // Without a pipeline, nothing can decide.
    ...(start.problems.length === 0 ? [() => decisionFindings(loaded, nova)] : []),
  ];
  for (const part of parts) {
    const found = await Promise.resolve().then(part).catch(asFinding);
    // Two parts can fail for one reason.
    findings.push(...found.filter(({ text }) => !findings.some((other) => other.text === text)));
  }
  return findings;
}

async function decisionFindings(loaded: LoadedConfiguration, nova: NovaConf): Promise<readonly Finding[]> {
  const application = await openNovaScheduler(loaded, nova);
  try {
    return await checkDecision(application.get(SchedulerService, { strict: false }), nova.apiDatabase);
  } finally {
    await application.close();
  }
}

const asFinding = (error: unknown): readonly Finding[] => [
  failed('check', error instanceof Error ? error.message : String(error)),
];

async function checkFacts(
  { apiDatabase, database, ratios, remotePlacement }: NovaConf,
  loaded: LoadedConfiguration,
  hasPipeline: boolean,
): Promise<readonly Finding[]> {
  const { config } = loaded;
  const log = createLogger({ level: 'silent' });
  const facts = new PolledNovaFacts({ apiDatabase, templateBase: database, ratios, log });
  try {
    await facts.start();
    const databases = checkDatabases(facts.status());
    const ofPlacement =
      remotePlacement === undefined
        ? await mirrorFindings(facts, config)
        : await checkPlacement(remotePlacement, facts.changesSince(0));
    const choice = hasPipeline ? checkChoice(facts.status(), config.nova.release, schedulerOf(loaded, VERSION)) : [];
    return [...databases, ...ofPlacement, ...choice];
  } finally {
    await facts.stop();
  }
}

const mirrorFindings = async (facts: PolledNovaFacts, config: BerthConfig): Promise<readonly Finding[]> =>
  checkMirror(facts.changesSince(0), providersIn(await readGraph(config)));

const readGraph = (config: BerthConfig): Promise<ProviderGraph> =>
  withDatabase(config, async ({ database }) =>
    tasks.run(buildGraphInSteps(await database.readSnapshot(loadGraphRows, WHOLE_LOAD))),
  );
