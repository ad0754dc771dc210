// A small HTTP server for specs: answers requests with scripted responses and records them.
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type ScriptedAnswer = (response: ServerResponse, received: ReceivedRequest) => void;

export const answers =
  (status: number, document?: unknown, headers: Readonly<Record<string, string>> = {}): ScriptedAnswer =>
  (response) => {
    response.writeHead(status, headers);
    response.end(typeof document === 'string' || document === undefined ? document : JSON.stringify(document));
  };

/**
 * An address without a listener. The system never assigns this port; on an ephemeral port a connection could receive
 * that port as its own local port and connect to itself.
 */
export const UNREACHABLE_URL = 'http://127.0.0.1:2';

/** Closes the connection without an answer. */
export const hangsUp: ScriptedAnswer = (response) => void response.socket?.destroy();

export class ScriptedServer {
  readonly received: ReceivedRequest[] = [];
  readonly #server: Server;
  #turns: ScriptedAnswer[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const received = { method, url, headers, body: Buffer.concat(parts).toString() };
        this.received.push(received);
        const answer = this.#turns.length > 1 ? this.#turns.shift() : this.#turns[0];
        answer?.(response, received);
      });
    });
  }

  static async start(): Promise<ScriptedServer> {
    const server = new ScriptedServer();
    await new Promise<void>((listening) => server.#server.listen(0, '127.0.0.1', listening));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** One response per request; the last one repeats for all further requests. */
  plays(...scriptedAnswers: ScriptedAnswer[]): void {
    this.#turns = scriptedAnswers;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((closed) => void this.#server.close(() => closed()));
  }
}
