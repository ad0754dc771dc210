// The facts of nova's databases, as the source of hosts for the scheduler. They are read before any decision.

import type { DynamicModule, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ComputeModule } from '../compute/compute.module';
import { FactsInForce } from '../compute/facts-in-force';
import type { Logger } from '../platform/logging/logger';
import { StartRefused } from '../platform/values/start-refused';
import { EXTERNAL_HOST_FACTS } from '../scheduler/ports';
import { NovaFactsUnavailable, PolledNovaFacts } from './cells/polled-nova-facts';
import type { NovaConf } from './conf/nova-conf';

interface NovaFactsInput {
  readonly conf: NovaConf;
  readonly overlapSeconds: number;
  /** Needed by the weigher of image properties. Reads a further table of each cell. */
  readonly readsImageProperties: boolean;
  readonly log: Logger;
}

@Module({})
export class NovaFactsModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly facts: PolledNovaFacts,
    private readonly inForce: FactsInForce,
  ) {}

  static forRoot({ conf, overlapSeconds, readsImageProperties, log }: NovaFactsInput): DynamicModule {
    const { apiDatabase, database: templateBase, ratios } = conf;
    const times = { overlapMs: overlapSeconds * 1000 };
    return {
      module: NovaFactsModule,
      imports: [ComputeModule],
      providers: [
        {
          provide: PolledNovaFacts,
          useFactory: () =>
            new PolledNovaFacts({ apiDatabase, templateBase, ratios, readsImageProperties, log, times }),
        },
        { provide: EXTERNAL_HOST_FACTS, useExisting: PolledNovaFacts },
      ],
      exports: [PolledNovaFacts, EXTERNAL_HOST_FACTS],
    };
  }

  async onModuleInit(): Promise<void> {
    try {
      await this.facts.start();
      this.inForce.source = this.facts;
    } catch (error) {
      throw error instanceof NovaFactsUnavailable ? new StartRefused(error.message, { cause: error }) : error;
    }
  }

  /** After the last decision. */
  async onApplicationShutdown(): Promise<void> {
    await this.facts.stop();
  }
}
