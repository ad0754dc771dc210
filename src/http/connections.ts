// The connections of the servers, what is under way on each, and when they end. A server that closes waits for all of them,
// those included whose client never asks for anything; here those are let go once the service is on its way out.
//
// A process that stood still (its machine was paused, or had too much to do) looks at its timers first and at its sockets
// behind them: what came in time lies unread when the time seems to be over. So whoever is about to be closed has one
// more turn of the loop, in which everything is read that is there.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { HTTP_LIMITS } from '../config/limits';

interface ConnectionTimes {
  readonly keepAliveMarginMs: number;
  readonly requestTimeoutMs: number;
}

interface Connection {
  /** How many requests are under way. */
  underWay: number;
  /** How many have begun so far; the head of each has been read. */
  begun: number;
  /** The one that began last, with its answer, while it is under way or not all there. */
  last: { readonly request: IncomingMessage; readonly response: ServerResponse } | undefined;
  /** What had been read of it when its time was over and its margin began. */
  heardAtMargin: number | undefined;
  /** What came on it could not be read, or not in time. */
  refusal: Refusal | undefined;
}

interface Refusal {
  /** The request that is refused, where its head was read. */
  readonly request: IncomingMessage | undefined;
  readonly answer: () => void;
}

export class Connections {
  private readonly open = new Map<Socket, Connection>();
  /** Those of TLS whose handshake is under way, by the other end's address and port. */
  private readonly handshakes = new Map<string, Socket>();
  private isLeaving = false;

  constructor(private readonly times: ConnectionTimes = HTTP_LIMITS) {}

  /** From here on the connections of this server are among them. */
  watch(server: Server): void {
    if (server instanceof TlsServer) {
      server.on('connection', (socket: Socket) => this.knocked(socket));
      server.on('secureConnection', (socket: Socket) => {
        this.handshakes.delete(endOf(socket));
        this.came(socket);
      });
    } else {
      server.on('connection', (socket: Socket) => this.came(socket));
    }
    server.on('request', (request, response) => this.began(request, response));
    // Node leaves the closing to whoever listens.
    server.on('timeout', (socket: Socket) => this.fellSilent(socket));
  }

  /** From here on nobody is waited for who asks for nothing: what is under way ends, then its connection does. */
  async letGo(): Promise<void> {
    this.isLeaving = true;
    // What called may itself have been read in this turn, before the sockets.
    await turn();
    await turn();
    for (const socket of this.handshakes.values()) socket.destroy();
    for (const [socket, { underWay }] of this.open) if (underWay === 0) socket.destroy();
  }

  /** Whether requests can be answered on it: of TLS, whether the handshake was ended well. */
  isOpen(socket: Socket): boolean {
    return this.open.has(socket);
  }

  /**
   * A request is not all there when its time is over: refuses it, unless it is there a turn later. If more of it is,
   * it has as long again, once.
   */
  late(socket: Socket, refuse: () => void): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return refuse();
    const { begun } = connection;
    const which = unfinished(connection) === undefined ? begun + 1 : begun;
    const isMissing = (): boolean =>
      connection.begun < which || (connection.begun === which && unfinished(connection) !== undefined);
    const heard = socket.bytesRead;
    setImmediate(() => {
      if (!isMissing()) return;
      if (socket.bytesRead === heard) return refuse();
      const end = setTimeout(() => {
        setImmediate(() => {
          if (isMissing()) refuse();
        });
      }, this.times.requestTimeoutMs);
      socket.once('close', () => clearTimeout(end));
    });
  }

  /**
   * Refuses what came on it last, once: by what `answer` says of the request, as far as that was read, behind the answers
   * to all that was asked before, since a client takes them in the order of its questions. A request that has an answer
   * already gets no second one; then the connection just ends.
   */
  refuse(socket: Socket, answer: (request: IncomingMessage | undefined) => void): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return answer(undefined);
    // What else comes behind that is not read any more, so it cannot be read either.
    if (connection.refusal !== undefined) return;
    const request = unfinished(connection);
    connection.refusal = { request, answer: () => answer(request) };
    refuseInTurn(socket, connection, connection.refusal);
  }

  private knocked(socket: Socket): void {
    const end = endOf(socket);
    this.handshakes.set(end, socket);
    socket.once('close', () => {
      if (this.handshakes.get(end) === socket) this.handshakes.delete(end);
    });
    if (this.isLeaving) socket.destroy();
  }

  private came(socket: Socket): void {
    if (this.isLeaving) {
      socket.destroy();
      return;
    }
    this.open.set(socket, { underWay: 0, begun: 0, last: undefined, heardAtMargin: undefined, refusal: undefined });
    socket.once('close', () => this.open.delete(socket));
  }

  private began(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    connection.underWay += 1;
    connection.begun += 1;
    connection.last = { request, response };
    response.once('close', () => {
      connection.underWay -= 1;
      if (connection.last?.request === request && request.complete) connection.last = undefined;
      if (connection.refusal !== undefined) refuseInTurn(socket, connection, connection.refusal);
      // What was written is still sent.
      if (this.isLeaving && connection.underWay === 0) socket.destroySoon();
    });
  }

  /** Nothing was read from it, or taken by it, for as long as the server waits for that. */
  private fellSilent(socket: Socket): void {
    const heard = socket.bytesRead;
    const untaken = socket.writableLength;
    setImmediate(() => {
      if (socket.bytesRead !== heard || socket.writableLength !== untaken) return;
      const connection = this.open.get(socket);
      if (connection !== undefined && connection.underWay > 0 && untaken === 0) {
        // It has taken all there is; the rest of the answer is owed to it.
        socket.setTimeout(socket.timeout ?? 0);
      } else if (connection !== undefined && connection.underWay === 0 && connection.heardAtMargin !== heard) {
        // Clients were told the time that is over now. Whoever used it up may have a request on its way.
        connection.heardAtMargin = heard;
        socket.setTimeout(this.times.keepAliveMarginMs);
      } else {
        socket.destroy();
      }
    });
  }
}

/** The request whose body is not all there. */
const unfinished = ({ last }: Connection): IncomingMessage | undefined =>
  last?.request.complete === false ? last.request : undefined;

function refuseInTurn(socket: Socket, { last, underWay }: Connection, { request, answer }: Refusal): void {
  const isUnanswered = request !== undefined && last?.request === request && !last.response.headersSent;
  if (underWay > (isUnanswered ? 1 : 0)) return;
  if (request === undefined || isUnanswered) answer();
  else socket.destroySoon();
}

const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress ?? ''} ${remotePort ?? ''}`;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
