// A TCP proxy between a client and a server that fails on demand: it holds packets back, drops the data of the existing
// connections while new ones work, cuts connections, or refuses new ones.
import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

interface Upstream {
  readonly host: string;
  readonly port: number;
}

/** What happens to the data of one connection, by direction. */
type Fate = 'pass' | 'hold' | 'swallow';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  requests: Fate;
  answers: Fate;
  readonly held: Buffer[];
  /** Called for each answer of the server. */
  onAnswer: (() => void) | undefined;
}

type Fates = Pick<Pair, 'requests' | 'answers'>;

const PASS: Fates = { requests: 'pass', answers: 'pass' };

export class TcpProxy {
  private readonly pairs = new Set<Pair>();
  private isShut = false;
  private ofNew = PASS;

  private constructor(
    private readonly server: Server,
    private readonly upstream: Upstream,
  ) {
    server.on('connection', (client: Socket) => this.accept(client));
  }

  static async open(upstream: Upstream): Promise<TcpProxy> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new TcpProxy(server, upstream);
  }

  get port(): number {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
    return address.port;
  }

  /** The number of open connections that work. */
  get open(): number {
    return [...this.pairs].filter((pair) => pair.answers === 'pass').length;
  }

  get host(): string {
    return '127.0.0.1';
  }

  /** Drops all data of the existing connections in both directions and keeps them open. New connections work. */
  dropPackets(): void {
    for (const pair of this.pairs) {
      pair.requests = 'swallow';
      pair.answers = 'swallow';
    }
  }

  /** Drops all data of existing and new connections, like a stopped host. */
  freeze(): void {
    this.ofNew = { requests: 'swallow', answers: 'swallow' };
    this.dropPackets();
  }

  /** Holds back what the clients of the existing connections send from now on. */
  holdRequests(): void {
    for (const pair of this.pairs) pair.requests = 'hold';
  }

  /** Holds back what clients send from now on, also on new connections. */
  holdAllRequests(): void {
    this.ofNew = { ...PASS, requests: 'hold' };
    this.holdRequests();
  }

  /** Drops the server's answers on the existing connections from now on. */
  loseAnswers(): void {
    for (const pair of this.pairs) pair.answers = 'swallow';
  }

  /** Drops the server's answers from now on, also on new connections. */
  loseAllAnswers(): void {
    this.ofNew = { ...PASS, answers: 'swallow' };
    this.loseAnswers();
  }

  /**
   * Delivers the held data, even of closed clients. Resolves with their number when the server has answered all of it.
   */
  async deliver(): Promise<number> {
    const late = [...this.pairs].filter((pair) => pair.held.length > 0);
    await Promise.all(
      late.map(async (pair) => {
        const answered = new Promise<void>((resolve) => {
          pair.onAnswer = resolve;
          pair.server.once('close', resolve);
        });
        pair.requests = 'pass';
        pair.server.write(Buffer.concat(pair.held.splice(0)));
        await answered;
      }),
    );
    return late.length;
  }

  /** Cuts the connections that hold nothing back; new ones work. */
  passNewRequests(): void {
    this.ofNew = PASS;
    for (const { client, server, held } of this.pairs) {
      if (held.length > 0) continue;
      client.destroy();
      server.destroy();
    }
  }

  /** Cuts all connections; new ones work. */
  cut(): void {
    this.ofNew = PASS;
    for (const { client, server } of this.pairs) {
      client.destroy();
      server.destroy();
    }
  }

  /** Resets all connections: clients receive an error instead of an end of stream. */
  reset(): void {
    for (const { client, server } of this.pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
  }

  /** Cuts all connections and refuses new ones until `reopen`. */
  shut(): void {
    this.isShut = true;
    this.cut();
  }

  reopen(): void {
    this.isShut = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>((closed) => void this.server.close(() => closed()));
  }

  private accept(client: Socket): void {
    if (this.isShut) {
      client.destroy();
      return;
    }
    const server = connect(this.upstream);
    const pair: Pair = { client, server, ...this.ofNew, held: [], onAnswer: undefined };
    this.pairs.add(pair);
    client.on('data', (data: Buffer) => {
      if (pair.requests === 'pass') server.write(data);
      else if (pair.requests === 'hold') pair.held.push(data);
    });
    server.on('data', (data: Buffer) => {
      if (pair.answers === 'pass' && !client.destroyed) client.write(data);
      pair.onAnswer?.();
    });
    for (const socket of [client, server]) socket.on('error', () => undefined);
    server.on('close', () => {
      this.pairs.delete(pair);
      if (pair.answers === 'pass') client.destroy();
    });
    // While packets are held or dropped, the server does not learn of the client's end either.
    client.on('close', () => {
      if (pair.requests === 'pass') server.destroy();
    });
  }
}
