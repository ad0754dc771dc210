// The connections of a server, and how many requests are under way on each. A server that closes waits for all of them,
// those included whose client never asks for anything; here those are let go once the service is on its way out.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export class Connections {
  /** How many requests are under way on each. */
  private readonly busy = new Map<Socket, number>();
  private isLeaving = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.came(socket));
    server.on('request', ({ socket }, response) => this.began(socket, response));
  }

  /** From here on nobody is waited for who asks for nothing: what is under way ends, then its connection does. */
  letGo(): void {
    this.isLeaving = true;
    for (const [socket, requests] of this.busy) if (requests === 0) socket.destroy();
  }

  private came(socket: Socket): void {
    if (this.isLeaving) {
      socket.destroy();
      return;
    }
    this.busy.set(socket, 0);
    socket.once('close', () => this.busy.delete(socket));
  }

  private began(socket: Socket, response: ServerResponse): void {
    this.count(socket, 1);
    response.once('close', () => {
      this.count(socket, -1);
      // What was written is still sent.
      if (this.isLeaving && this.busy.get(socket) === 0) socket.destroySoon();
    });
  }

  private count(socket: Socket, change: 1 | -1): void {
    const requests = this.busy.get(socket);
    if (requests !== undefined) this.busy.set(socket, requests + change);
  }
}
