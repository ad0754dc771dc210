// A server and a client on a private broker, for specs of the server.

import { hasRabbit, Rabbit } from '../../../test/support/rabbit';
import { rabbitOptionsFrom } from './rabbit-options';
import { RpcClient, until } from './rpc-client.fixture';
import type { ReplyOutcome, RpcAnswer, RpcCall, RpcMethods } from './rpc-methods';
import { baseEndpoint } from './rpc-methods';
import type { RpcLimits } from './rpc-server';
import { DEFAULT_LIMITS, RpcServer } from './rpc-server';
import { parseTransportUrl } from './transport-url';

interface Start {
  readonly select?: RpcCall;
  readonly limits?: Partial<RpcLimits>;
  readonly rabbitOptions?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly name?: string;
}

/** A call of the test's control. */
interface HeldCall {
  readonly server: RpcServer;
  readonly id: string;
  readonly finish: (answer: RpcAnswer) => void;
}

type Certificates = Parameters<typeof Rabbit.start>[0];

const isRequired = process.env['BERTH_REQUIRE_RABBITMQ'] === '1';

/** Skipped without RabbitMQ, unless BERTH_REQUIRE_RABBITMQ=1. */
export function describeWithRabbit(
  name: string,
  suite: (rig: RpcRig) => void,
  certificates?: () => Certificates,
): void {
  if (!hasRabbit() && !isRequired) {
    describe.skip(`${name}, with RabbitMQ, which is not installed (Debian: rabbitmq-server)`, () =>
      suite(new RpcRig()));
    return;
  }
  describe(name, () => {
    const rig = new RpcRig();
    beforeAll(() => rig.setUp(certificates?.()));
    afterAll(() => rig.tearDown());
    beforeEach(() => rig.begin());
    afterEach(() => rig.end());
    suite(rig);
  });
}

class RpcRig {
  rabbit!: Rabbit;
  client!: RpcClient;
  /** The log, with the values of its fields. */
  lines: string[] = [];
  outcomes: ReplyOutcome[] = [];
  /** Arguments of casts, with the name of the server that received them. */
  casts: Record<string, unknown>[] = [];
  private servers: RpcServer[] = [];

  readonly onReply = (outcome: ReplyOutcome): void => void this.outcomes.push(outcome);

  async setUp(certificates: Certificates): Promise<void> {
    this.rabbit = await Rabbit.start(certificates);
  }

  tearDown(): Promise<void> {
    return this.rabbit.remove();
  }

  async begin(): Promise<void> {
    [this.lines, this.outcomes, this.casts] = [[], [], []];
    this.client = await this.newClient();
  }

  async end(): Promise<void> {
    await this.stopServers();
    await this.client.close();
  }

  newClient(): Promise<RpcClient> {
    return RpcClient.open(this.rabbit.transportUrl.replace('rabbit:', 'amqp:'));
  }

  /** Starts a server, which answers a call with its arguments by default. */
  startServer({ select = this.echo, limits, rabbitOptions = {}, url, name = 'one' }: Start): RpcServer {
    const options = { rabbit_retry_interval: '0', kombu_missing_consumer_retry_timeout: '3', ...rabbitOptions };
    const server = new RpcServer(
      {
        exchange: 'nova',
        topic: 'scheduler',
        server: name,
        program: 'berth-scheduler',
        transport: parseTransportUrl(url ?? this.rabbit.transportUrl),
        rabbit: rabbitOptionsFrom(options),
        limits: { ...DEFAULT_LIMITS, drainMs: 10_000, ...limits },
      },
      this.methodsOf(select, name),
      { info: this.write, warn: this.write },
    );
    this.servers.push(server);
    server.start();
    return server;
  }

  /** Starts a server and waits for its connections. */
  async start(options: Start = {}): Promise<RpcServer> {
    const server = this.startServer(options);
    await until('a connection', () => server.isReady);
    return server;
  }

  /** Starts a server with a call in work. */
  async startWithCall(options: Start = {}): Promise<HeldCall> {
    let finish: (answer: RpcAnswer) => void = () => undefined;
    const server = await this.start({ ...options, select: () => new Promise((resolve) => (finish = resolve)) });
    const id = await this.client.call('select_destinations', {});
    await until('a call', () => server.counters.calls === 1);
    return { server, id, finish };
  }

  async stopServers(): Promise<void> {
    await Promise.all(this.servers.splice(0).map((server) => server.drain()));
  }

  /** Waits for a line of the log. */
  async logged(text: string): Promise<void> {
    await until(`a log line with ${text}`, () => this.lines.some((line) => line.includes(text)));
  }

  async outcomesOf(count: number): Promise<readonly ReplyOutcome[]> {
    await until(`${count} outcomes`, () => this.outcomes.length >= count);
    return this.outcomes;
  }

  async messagesIn(queue: string): Promise<number> {
    const rows = (await this.rabbit.control('list_queues', 'name', 'messages')).split('\n');
    return Number(rows.map((row) => row.split('\t')).find(([name]) => name === queue)?.[1] ?? NaN);
  }

  private readonly echo: RpcCall = async (args) => ({ result: args, onReply: this.onReply });

  private methodsOf(select: RpcCall, name: string): RpcMethods {
    const version = '4.5';
    const casts = { sync_instance_info: (args: object): void => void this.casts.push({ name, ...args }) };
    const calls = { select_destinations: select };
    const oldest = { select_destinations: version };
    return [{ namespace: null, version, calls, casts, oldest }, baseEndpoint('scheduler')];
  }

  private readonly write = (fields: object, message: string): void => {
    const texts = Object.values(fields).map((value) =>
      value instanceof Error ? value.message : JSON.stringify(value),
    );
    this.lines.push([message, ...texts].join(' '));
  };
}
