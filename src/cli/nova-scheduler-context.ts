// The scheduler with the facts of nova's databases, without a server and without the queue, for commands that decide
// without a claim.
import type { INestApplicationContext } from '@nestjs/common';
import type { LoadedConfiguration } from '../load-configuration';
import { loadConfiguration } from '../load-configuration';
import type { NovaConf } from '../nova/conf/nova-conf';
import { NovaFactsModule } from '../nova/nova-facts.module';
import { weighsImageProperties } from '../nova/options';
import { DatabaseUnreadable } from '../platform/database/foreign-mysql';
import { createLogger } from '../platform/logging/logger';
import { VERSION } from '../platform/version';
import { schedulerOf } from '../scheduler/assemble/configured-scheduler';
import { SchedulerModule } from '../scheduler/scheduler.module';
import { openApplication } from './command-application';
import type { CommandContext } from './command-context';
import { CommandFailed } from './command-context';

/** Turns the place of nova-scheduler on, as the option does. */
export const ENABLED = { BERTH_NOVA__ENABLED: 'true' };

/** The configuration for a command that reads nova's databases and the provider graph of Berth's own Placement. */
export async function loadForNova({ env, cwd }: CommandContext, command: string, advice = '') {
  const loaded = await loadConfiguration({ env: { ...env, ...ENABLED }, cwd });
  const { nova } = loaded;
  if (nova === undefined) throw new CommandFailed('[nova] enabled is false.');
  if (nova.remotePlacement === undefined) return { loaded, nova };
  throw new CommandFailed(
    `"${command}" is not available with [nova] placement = remote: it reads Berth's own Placement.${advice}`,
  );
}

/** The error to throw instead: an unreadable database of nova fails the command. */
export const asFailure = (error: unknown): unknown =>
  error instanceof DatabaseUnreadable ? new CommandFailed(`nova's API database: ${error.message}`) : error;

/** The database must exist and have the newest schema. */
export async function openNovaScheduler(loaded: LoadedConfiguration, conf: NovaConf): Promise<INestApplicationContext> {
  const { config, plugins } = loaded;
  const facts = NovaFactsModule.forRoot({
    conf,
    overlapSeconds: config.nova.overlap_seconds,
    readsImageProperties: weighsImageProperties(config),
    log: createLogger({ level: 'silent' }),
  });
  const scheduler = SchedulerModule.forRoot({
    pipeline: schedulerOf(loaded, VERSION),
    plugins,
    directory: config.cwd,
    config,
    externalHosts: facts,
    remotePlacement: conf.remotePlacement ?? null,
  });
  return openApplication(config, [facts, scheduler]);
}
