// Runs the server of nova-scheduler's methods while the application runs.

import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { InfoLog } from '../platform/logging/logger.token';
import type { BrokerHealth } from '../platform/operations/broker-health';
import { StartRefused } from '../platform/values/start-refused';
import type { CellStatus } from './cells/nova-facts';
import type { PolledNovaFacts } from './cells/polled-nova-facts';
import type { NovaConf } from './conf/nova-conf';
import type { NovaScheduler } from './decide/nova-scheduler';
import { novaEndpoint } from './nova-endpoint';
import { rabbitOptionsFrom } from './rpc/rabbit-options';
import { baseEndpoint } from './rpc/rpc-methods';
import type { RpcOptions } from './rpc/rpc-server';
import { DEFAULT_LIMITS, RpcServer } from './rpc/rpc-server';
import { parseTransportUrl, TransportUrlError } from './rpc/transport-url';

/** nova's name for the queue of its schedulers. */
const TOPIC = 'scheduler';
const PROGRAM = 'berth-scheduler';
/** The stop of the application needs time after the last answer. */
const STOP_MARGIN_MS = 2_000;
const NOT_CONNECTED = 'The message broker is not connected. The log has the reason.';

interface NovaServiceParts {
  readonly conf: NovaConf;
  readonly scheduler: NovaScheduler;
  readonly facts: PolledNovaFacts;
  /** How long a stop of the application can take. */
  readonly graceSeconds: number;
  readonly readinessNeedsBroker: boolean;
  readonly log: InfoLog;
}

/** Options of the connection to the message queue. Throws StartRefused with the option that is wrong. */
export function rpcOptionsOf(conf: NovaConf, graceSeconds: number): RpcOptions {
  const { transportUrl, host, controlExchange, rabbit } = conf;
  if (transportUrl === null) throw new StartRefused('[DEFAULT] transport_url of nova is not set.');
  const drainMs = Math.max(0, graceSeconds * 1000 - STOP_MARGIN_MS);
  try {
    const transport = parseTransportUrl(transportUrl);
    return {
      transport,
      // The query of the address wins over the group.
      rabbit: rabbitOptionsFrom({ ...rabbit, ...transport.options }),
      exchange: controlExchange,
      topic: TOPIC,
      server: host,
      program: PROGRAM,
      limits: { ...DEFAULT_LIMITS, drainMs },
    };
  } catch (error) {
    if (error instanceof TransportUrlError || error instanceof RangeError) {
      throw new StartRefused(`[DEFAULT] transport_url or [oslo_messaging_rabbit] of nova: ${error.message}`);
    }
    throw error;
  }
}

export class NovaService implements BrokerHealth, OnApplicationBootstrap, OnModuleDestroy {
  /** Of readiness. */
  readonly isNeeded: boolean;
  private readonly server: RpcServer;
  private readonly facts: PolledNovaFacts;

  constructor({ conf, scheduler, facts, graceSeconds, readinessNeedsBroker, log }: NovaServiceParts) {
    this.isNeeded = readinessNeedsBroker;
    this.facts = facts;
    const methods = [novaEndpoint(scheduler, facts), baseEndpoint(TOPIC)];
    this.server = new RpcServer(rpcOptionsOf(conf, graceSeconds), methods, log);
  }

  get isReady(): boolean {
    return this.server.isReady;
  }

  get health(): BrokerHealth['health'] {
    return this.isReady ? { works: true } : { works: false, reason: NOT_CONNECTED };
  }

  get counters(): RpcServer['counters'] {
    return this.server.counters;
  }

  get cells(): readonly CellStatus[] {
    return this.facts.status().cells;
  }

  onApplicationBootstrap(): void {
    this.server.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.server.drain();
  }
}
