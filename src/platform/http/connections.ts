// The connections of the servers and their requests in flight. A server that closes waits for all connections, even
// those without a request; during shutdown those are destroyed here.
//
// After a pause of the process (a stopped machine, or a blocked event loop) timers run before sockets are read: data
// that arrived in time is unread when the timeout fires. So every connection gets one more turn of the event loop
// before it is closed, in which all received data is read.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { HTTP_LIMITS } from '../config/limits/http';

interface ConnectionTimes {
  readonly keepAliveMarginMs: number;
  readonly requestTimeoutMs: number;
}

interface Connection {
  /** Answers to the requests in flight. */
  readonly inFlight: Set<ServerResponse>;
  /** Number of requests so far; the head of each has been read. */
  requestCount: number;
  /** The latest request with its answer, while it is in flight or incomplete. */
  last: { readonly request: IncomingMessage; readonly response: ServerResponse } | undefined;
  /** Bytes read when its timeout fired and its margin began. */
  bytesReadAtMargin: number | undefined;
  /** Set if its data was unreadable or late. */
  refusal: Refusal | undefined;
}

interface Refusal {
  /** The refused request, if its head was read. */
  readonly request: IncomingMessage | undefined;
  readonly answer: () => void;
}

export class Connections {
  private readonly open = new Map<Socket, Connection>();
  /** TLS connections with a handshake in progress, by remote address and port. */
  private readonly handshakes = new Map<string, Socket>();
  private isClosing = false;

  constructor(private readonly times: ConnectionTimes = HTTP_LIMITS) {}

  /** Tracks the connections of this server from now on. */
  watch(server: Server): void {
    if (server instanceof TlsServer) {
      server.on('connection', (socket: Socket) => this.onTcpConnection(socket));
      server.on('secureConnection', (socket: Socket) => {
        this.handshakes.delete(endOf(socket));
        this.onConnection(socket);
      });
    } else {
      server.on('connection', (socket: Socket) => this.onConnection(socket));
    }
    server.on('request', (request, response) => this.onRequest(request, response));
    // With a listener, Node does not close the socket itself.
    server.on('timeout', (socket: Socket) => this.onIdleTimeout(socket));
  }

  /** Begins the shutdown: closes idle connections now, and others after their last answer. */
  async closeIdle(): Promise<void> {
    this.isClosing = true;
    // The caller itself can run in a turn before the sockets are read.
    await eventLoopTurn();
    await eventLoopTurn();
    for (const socket of this.handshakes.values()) socket.destroy();
    for (const [socket, { inFlight }] of this.open) if (inFlight.size === 0) socket.destroy();
  }

  /** Whether requests can be answered on it; for TLS, whether the handshake succeeded. */
  isOpen(socket: Socket): boolean {
    return this.open.has(socket);
  }

  /**
   * Handles a request that is incomplete at its timeout: refuses it unless it is complete one turn later. If more data
   * has arrived by then, it gets one more period of the same length.
   */
  onRequestTimeout(socket: Socket, refuse: () => void): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return refuse();
    const { requestCount } = connection;
    const which = unfinished(connection) === undefined ? requestCount + 1 : requestCount;
    const isIncomplete = (): boolean =>
      connection.requestCount < which || (connection.requestCount === which && unfinished(connection) !== undefined);
    const bytesRead = socket.bytesRead;
    setImmediate(() => {
      if (!isIncomplete()) return;
      if (socket.bytesRead === bytesRead) return refuse();
      const end = setTimeout(() => {
        setImmediate(() => {
          if (isIncomplete()) refuse();
        });
      }, this.times.requestTimeoutMs);
      socket.once('close', () => clearTimeout(end));
    });
  }

  /**
   * Refuses the latest data on a connection, once. `answer` gets the request if its head was read. It runs after the
   * answers to all earlier requests, because a client expects answers in order. If the request already has an answer,
   * the connection just ends.
   */
  refuse(socket: Socket, answer: (request: IncomingMessage | undefined) => void): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return answer(undefined);
    // Data after refused data is not read, so it cannot be refused again.
    if (connection.refusal !== undefined) return;
    const request = unfinished(connection);
    connection.refusal = { request, answer: () => answer(request) };
    refuseAfterAnswers(socket, connection, connection.refusal);
  }

  private onTcpConnection(socket: Socket): void {
    const end = endOf(socket);
    this.handshakes.set(end, socket);
    socket.once('close', () => {
      if (this.handshakes.get(end) === socket) this.handshakes.delete(end);
    });
    if (this.isClosing) socket.destroy();
  }

  private onConnection(socket: Socket): void {
    if (this.isClosing) {
      socket.destroy();
      return;
    }
    const connection: Connection = {
      inFlight: new Set(),
      requestCount: 0,
      last: undefined,
      bytesReadAtMargin: undefined,
      refusal: undefined,
    };
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
  }

  private onRequest(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    connection.inFlight.add(response);
    connection.requestCount += 1;
    connection.last = { request, response };
    response.once('close', () => {
      connection.inFlight.delete(response);
      if (connection.last?.request === request && request.complete) connection.last = undefined;
      if (connection.refusal !== undefined) refuseAfterAnswers(socket, connection, connection.refusal);
      // Bytes already written are still sent.
      if (this.isClosing && connection.inFlight.size === 0) socket.destroySoon();
    });
  }

  /** Nothing was received or sent during the socket's idle timeout. */
  private onIdleTimeout(socket: Socket): void {
    const bytesRead = socket.bytesRead;
    const unsent = socket.writableLength;
    setImmediate(() => {
      if (socket.bytesRead !== bytesRead || socket.writableLength !== unsent) return;
      const connection = this.open.get(socket);
      if (connection !== undefined && connection.inFlight.size > 0 && unsent === 0) {
        // The client has read all data so far and still waits for the rest of the answer.
        socket.setTimeout(socket.timeout ?? 0);
      } else if (
        connection !== undefined &&
        connection.inFlight.size === 0 &&
        connection.bytesReadAtMargin !== bytesRead
      ) {
        // Clients know this timeout from the Keep-Alive header. A client that used all of it can have a request on its
        // way.
        connection.bytesReadAtMargin = bytesRead;
        socket.setTimeout(this.times.keepAliveMarginMs);
      } else {
        socket.destroy();
      }
    });
  }
}

/** The request with an incomplete body. */
const unfinished = ({ last }: Connection): IncomingMessage | undefined =>
  last?.request.complete === false ? last.request : undefined;

function refuseAfterAnswers(socket: Socket, { last, inFlight }: Connection, { request, answer }: Refusal): void {
  const isUnanswered = request !== undefined && last?.request === request && !last.response.headersSent;
  if (inFlight.size > (isUnanswered ? 1 : 0)) return;
  if (request === undefined || isUnanswered) answer();
  else socket.destroySoon();
}

const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress ?? ''} ${remotePort ?? ''}`;

const eventLoopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
