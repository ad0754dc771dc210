// The connections of the servers and their requests in flight. A server that closes waits also for connections that
// never sent a request; during shutdown those are destroyed here.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  /** Answers to the requests in flight. */
  readonly inFlight: Set<ServerResponse>;
  last?: Exchange;
  /** Unreadable data has arrived, perhaps in the body of a request. */
  refusal?: { readonly current: Exchange | undefined; readonly answer: () => void };
}

export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private isClosing = false;

  /** Tracks the connections of this server from now on. */
  watch(server: Server): void {
    const event = server instanceof TlsServer ? 'secureConnection' : 'connection';
    server.on(event, (socket: Socket) => this.onConnection(socket));
    server.on('request', (request, response) => this.onRequest(request, response));
  }

  /** Begins the shutdown: closes idle connections now, and others after their last answer. */
  closeIdle(): void {
    this.isClosing = true;
    for (const [socket, { inFlight }] of this.open) if (inFlight.size === 0) socket.destroy();
  }

  /** Whether requests can be answered on it; for TLS, whether the handshake succeeded. */
  isOpen(socket: Socket): boolean {
    return this.open.has(socket);
  }

  /**
   * Refuses unreadable data on a connection, once. `answer` gets the request if its head was read. It runs after the
   * answers to earlier requests. A request that already has an answer gets no second one: the connection just ends.
   */
  refuse(socket: Socket, answer: (request: IncomingMessage | undefined) => void): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return answer(undefined);
    if (connection.refusal !== undefined) return;
    const current = connection.last?.request.complete === false ? connection.last : undefined;
    connection.refusal = { current, answer: () => answer(current?.request) };
    refuseAfterAnswers(socket, connection);
  }

  private onConnection(socket: Socket): void {
    const connection: Connection = { inFlight: new Set() };
    this.open.set(socket, connection);
    socket.once('close', () => {
      this.open.delete(socket);
      // Node closes the answer that it is sending, but not the answers to pipelined requests behind it.
      setImmediate(() => {
        for (const response of connection.inFlight) {
          response.destroy();
          response.emit('close');
        }
      });
    });
    if (this.isClosing) socket.destroy();
  }

  private onRequest(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    connection.inFlight.add(response);
    connection.last = { request, response };
    response.once('close', () => {
      connection.inFlight.delete(response);
      refuseAfterAnswers(socket, connection);
      // Bytes already written are still sent.
      if (this.isClosing && connection.inFlight.size === 0) socket.destroySoon();
    });
  }
}

function refuseAfterAnswers(socket: Socket, { inFlight, refusal }: Connection): void {
  if (refusal === undefined) return;
  const { current, answer } = refusal;
  const isUnanswered = current?.response.headersSent === false;
  if (inFlight.size > (isUnanswered ? 1 : 0)) return;
  if (current === undefined || isUnanswered) answer();
  else socket.destroySoon();
}
