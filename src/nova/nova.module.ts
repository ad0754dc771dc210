// Wiring of the place of nova-scheduler.

import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ComputeModule } from '../compute/compute.module';
import type { Logger } from '../platform/logging/logger';
import { PolledNovaFacts } from './cells/polled-nova-facts';
import type { NovaConf } from './conf/nova-conf';
import { CallRecords } from './decide/call-records';
import { DatabasePlaces } from './decide/database-places';
import { NovaScheduler } from './decide/nova-scheduler';
import { NovaService } from './nova-service';

interface NovaModuleInput {
  readonly conf: NovaConf;
  /** The modules that the application runs. */
  readonly scheduler: DynamicModule;
  readonly facts: DynamicModule;
  readonly graceSeconds: number;
  readonly readinessNeedsBroker: boolean;
  readonly log: Logger;
}

@Module({})
export class NovaModule {
  static forRoot(input: NovaModuleInput): DynamicModule {
    const { conf, scheduler, facts: factsModule, graceSeconds, readinessNeedsBroker, log } = input;
    const { apiDatabase, database: templateBase } = conf;
    return {
      module: NovaModule,
      imports: [scheduler, factsModule, ComputeModule],
      providers: [
        NovaScheduler,
        CallRecords,
        { provide: DatabasePlaces, useFactory: () => new DatabasePlaces({ apiDatabase, templateBase, log }) },
        {
          provide: NovaService,
          inject: [NovaScheduler, PolledNovaFacts],
          useFactory: (novaScheduler: NovaScheduler, facts: PolledNovaFacts) =>
            new NovaService({ conf, scheduler: novaScheduler, facts, graceSeconds, readinessNeedsBroker, log }),
        },
      ],
      exports: [NovaScheduler, NovaService],
    };
  }
}
