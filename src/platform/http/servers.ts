// The servers of the application, one per listening address: plain HTTP, or TLS with certificates that can be renewed
// at run time. All servers have the same limits and share the connection tracking.
import { lookup } from 'node:dns/promises';
import type { RequestListener, Server, ServerOptions } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { Server as TlsServer } from 'node:tls';
import { HTTP_LIMITS } from '../config/limits/http';
import type { ServerTls } from '../config/server-tls';
import type { Connections } from './connections';

interface ServerLog {
  warn(fields: object, message: string): void;
}

export class Servers {
  private readonly servers: Server[] = [];
  private handler: RequestListener | undefined;
  /** Connections dropped since the last log line about it. */
  private dropped = 0;

  constructor(
    private readonly tls: ServerTls | undefined,
    private readonly connections: Connections,
    private readonly log: ServerLog,
  ) {}

  /** The server that the web application is built on. */
  main(handler: RequestListener): Server {
    this.handler = handler;
    return this.make(handler);
  }

  /**
   * Also listens at the further addresses of the host name: `localhost` often has two. Ignores failures, because a
   * machine can lack one of them.
   */
  async listenAtOtherAddresses(name: string): Promise<void> {
    const [main] = this.servers;
    if (main === undefined) return;
    const { address, port } = main.address() as AddressInfo;
    const others = (await lookup(name, { all: true }).catch(() => [])).filter((each) => each.address !== address);
    await Promise.all(
      others.map(async (each) => {
        if (this.handler === undefined) return;
        const server = this.make(this.handler);
        await new Promise<void>((settled) => {
          server.once('error', () => settled());
          server.listen({ host: each.address, port }, settled);
        });
      }),
    );
  }

  /** New connections use these certificates; open connections keep the old ones. */
  renew(tls: ServerTls): void {
    for (const server of this.servers) if (server instanceof TlsServer) server.setSecureContext(contextOf(tls));
  }

  /** Resolves when all further servers have closed; the web application closes the main one. */
  async closeFurther(): Promise<void> {
    const further = this.servers.slice(1).filter((server) => server.listening);
    await Promise.all(further.map((server) => new Promise((closed) => server.close(closed))));
  }

  private make(handler: RequestListener): Server {
    const { tls } = this;
    const server =
      tls === undefined
        ? createServer(SERVER_OPTIONS, handler)
        : createTlsServer(
            {
              ...SERVER_OPTIONS,
              ...contextOf(tls),
              handshakeTimeout: HTTP_LIMITS.tlsHandshakeTimeoutMs,
              requestCert: tls.clientCa !== undefined,
              rejectUnauthorized: true,
            },
            handler,
          );
    server.maxConnections = HTTP_LIMITS.connectionsMax;
    server.on('drop', () => this.reportDropped());
    this.connections.watch(server);
    this.servers.push(server);
    return server;
  }

  private reportDropped(): void {
    this.dropped += 1;
    if (this.dropped > 1) return;
    const report = (): void => {
      const fields = { refused: this.dropped, most: HTTP_LIMITS.connectionsMax };
      this.dropped = 0;
      this.log.warn(fields, 'Connection limit reached; new connections were closed.');
    };
    setTimeout(report, HTTP_LIMITS.droppedLogEveryMs).unref();
  }
}

const SERVER_OPTIONS: ServerOptions = {
  maxHeaderSize: HTTP_LIMITS.headerBytes,
  // The edge itself refuses a request without Host, with an error document.
  requireHostHeader: false,
  headersTimeout: HTTP_LIMITS.headersTimeoutMs,
  requestTimeout: HTTP_LIMITS.requestTimeoutMs,
  keepAliveTimeout: HTTP_LIMITS.keepAliveTimeoutMs,
  connectionsCheckingInterval: HTTP_LIMITS.connectionsCheckingIntervalMs,
};

const contextOf = ({ cert, key, clientCa }: ServerTls): SecureContextOptions => ({
  cert,
  key,
  ...(clientCa && { ca: clientCa }),
  minVersion: 'TLSv1.2',
});
