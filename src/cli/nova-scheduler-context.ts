// The scheduler with the facts of nova's databases, without a server and without the queue, for commands that decide
// without a claim.
import type { INestApplicationContext } from '@nestjs/common';
import type { LoadedConfiguration } from '../load-configuration';
import type { NovaConf } from '../nova/conf/nova-conf';
import { NovaFactsModule } from '../nova/nova-facts.module';
import { weighsImageProperties } from '../nova/options';
import { createLogger } from '../platform/logging/logger';
import { VERSION } from '../platform/version';
import { schedulerOf } from '../scheduler/assemble/configured-scheduler';
import { SchedulerModule } from '../scheduler/scheduler.module';
import { openApplication } from './command-application';

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
