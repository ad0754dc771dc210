// One connection to the message broker, opened again for ever. Each connection has one channel; the end of either ends
// both, because the next connection declares everything again.

import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel, ChannelModel, credentials as makers } from 'amqplib';
import type { InfoLog } from '../../platform/logging/logger.token';
import type { RabbitOptions } from './rabbit-options';
import type { Broker, TransportUrl } from './transport-url';

const SECOND_MS = 1_000;
/** Between two connections, also if the options say 0. */
const PAUSE_MIN_MS = 100;
/** From the start of a connection to the end of its handshake. */
const CONNECT_TIMEOUT_MS = 10_000;
/** How long the broker can take to confirm the end of a connection. */
const CLOSE_TIMEOUT_MS = 2_000;

export interface ConnectionOptions {
  readonly transport: TransportUrl;
  readonly rabbit: RabbitOptions;
  /** Shown by the broker's tools. */
  readonly name: string;
  readonly log: InfoLog;
}

/** Opens the channel of a new connection. `restart` ends the connection, and another one is opened. */
type SetUp<C extends Channel> = (model: ChannelModel, restart: (reason: string) => void) => Promise<C>;

export class BrokerConnection<C extends Channel> {
  private current: { readonly model: ChannelModel; readonly channel: C } | null = null;
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly options: ConnectionOptions,
    private readonly setUp: SetUp<C>,
  ) {}

  /** The channel; null while there is no connection. */
  get channel(): C | null {
    return this.current?.channel ?? null;
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Closes the connection and opens no other. */
  async stop(): Promise<void> {
    this.stopped.abort();
    const { current } = this;
    if (current !== null) await closeModel(current.model);
    // An attempt to connect can take longer; it closes what it opens.
    await Promise.race([this.running, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  private async run(): Promise<void> {
    const brokers = shuffled(this.options.transport.brokers);
    let failures = 0;
    for (let next = 0; !this.stopped.signal.aborted; next += 1) {
      const broker = brokers[next % brokers.length] as Broker;
      try {
        const reason = await this.connectOnce(broker, () => (failures = 0));
        if (this.stopped.signal.aborted) return;
        failures += 1;
        this.warn(broker, failures, `The connection to the message broker ended: ${reason}`);
      } catch (error) {
        failures += 1;
        this.warn(broker, failures, `The message broker cannot be used: ${reasonOf(error, broker)}`);
      }
      await sleep(this.pauseMs(failures), undefined, { signal: this.stopped.signal }).catch(() => undefined);
    }
  }

  /** Returns the reason of the connection's end. */
  private async connectOnce(broker: Broker, onOpen: () => void): Promise<string> {
    const model = await openModel(broker, this.options);
    try {
      return await this.useModel(model, broker, onOpen);
    } finally {
      this.current = null;
      await closeModel(model);
    }
  }

  private async useModel(model: ChannelModel, broker: Broker, onOpen: () => void): Promise<string> {
    const { log, name } = this.options;
    let lastError: string | undefined;
    let end: (reason: string) => void = () => undefined;
    const ended = new Promise<string>((resolve) => (end = resolve));
    model.on('error', (error: Error) => (lastError = reasonOf(error, broker)));
    model.on('close', (error?: Error) => end(lastError ?? reasonOf(error ?? 'closed', broker)));
    model.on('blocked', (reason: string) => log.warn({ ...addressOf(broker), reason }, BLOCKED));
    model.on('unblocked', () => log.info(addressOf(broker), 'The message broker accepts messages again.'));
    const channel = await Promise.race([this.setUp(model, end), ended.then(fail)]);
    channel.on('error', (error: Error) => (lastError = reasonOf(error, broker)));
    channel.on('close', () => end(lastError ?? 'the channel was closed'));
    if (this.stopped.signal.aborted) return 'stopped';
    this.current = { model, channel };
    onOpen();
    log.info({ ...addressOf(broker), connection_name: name }, 'Connected to the message broker.');
    return ended;
  }

  private pauseMs(failures: number): number {
    const { retryIntervalSeconds, retryBackoffSeconds, retryIntervalMaxSeconds } = this.options.rabbit;
    const seconds = retryIntervalSeconds + (failures - 1) * retryBackoffSeconds;
    return Math.max(Math.min(seconds, retryIntervalMaxSeconds) * SECOND_MS, PAUSE_MIN_MS);
  }

  private warn(broker: Broker, failures: number, message: string): void {
    const fields = { ...addressOf(broker), connection_name: this.options.name, retry_after_ms: this.pauseMs(failures) };
    this.options.log.warn(fields, message);
  }
}

const BLOCKED = 'The message broker blocks all publishers: it is short of memory or disk space. Replies wait.';

const fail = (reason: string): never => {
  throw new Error(reason);
};

const addressOf = ({ host, port }: Broker): object => ({ broker: `${host}:${port}` });

/** Opens one connection to this broker; throws if it refuses. */
async function openModel(broker: Broker, { transport, rabbit, name }: ConnectionOptions): Promise<ChannelModel> {
  // Loaded here, because only a scheduler for nova needs it.
  const { connect, credentials } = await import('amqplib');
  const { host, port } = broker;
  return connect(
    {
      protocol: rabbit.isTls ? 'amqps' : 'amqp',
      hostname: host,
      port,
      // The library decodes it.
      vhost: encodeURIComponent(transport.virtualHost),
      heartbeat: rabbit.heartbeatSeconds,
    },
    {
      credentials: credentialsOf(credentials, broker, rabbit),
      clientProperties: { connection_name: name },
      timeout: CONNECT_TIMEOUT_MS,
      noDelay: true,
      keepAlive: true,
      ...(rabbit.isTls && (await tlsOptionsOf(rabbit))),
    },
  );
}

function credentialsOf(
  credentials: typeof makers,
  { user, password }: Broker,
  { loginMethod }: RabbitOptions,
): ReturnType<typeof makers.external> {
  if (loginMethod === 'EXTERNAL') return credentials.external();
  return loginMethod === 'PLAIN' ? credentials.plain(user, password) : credentials.amqplain(user, password);
}

/** The files are read for each connection, so a renewed certificate is used by the next one. */
async function tlsOptionsOf({ caFile, certificateFile, keyFile, verifiesHostname }: RabbitOptions): Promise<object> {
  return {
    rejectUnauthorized: caFile !== '',
    ...(caFile !== '' && { ca: await readFile(caFile) }),
    ...(certificateFile !== '' && { cert: await readFile(certificateFile) }),
    ...(keyFile !== '' && { key: await readFile(keyFile) }),
    ...(!verifiesHostname && { checkServerIdentity: () => undefined }),
  };
}

async function closeModel(model: ChannelModel): Promise<void> {
  const closed = model.close().catch(() => undefined);
  await Promise.race([closed, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}

/** The message of an error without the password. The broker does not send it back; other software between can. */
function reasonOf(error: unknown, { password }: Broker): string {
  const { message, code } = error as { readonly message?: unknown; readonly code?: unknown };
  const text = String(message || code || error);
  return password === '' ? text : text.replaceAll(password, '***');
}

/** Clients start with different brokers, and so share the load. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item);
}
