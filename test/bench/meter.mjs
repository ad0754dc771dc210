// Measures requests: CPU time of processes (reliable on a noisy machine), latency and bytes.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';

const TICK_MS = 10;
/** The client does not reuse a connection that was idle for this long; the server keeps it longer. */
const IDLE_MS = 60_000;

/** CPU milliseconds that the processes have used, including threads and children that have ended. */
export function cpuMs(pids) {
  let ticks = 0;
  for (const pid of pids) {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * TICK_MS;
}

/** Resident memory in MiB. */
export function rssMib(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

export class Client {
  constructor(url, { connections = 1, keepAlive = true, headers = {} } = {}) {
    this.url = new URL(url);
    this.keepAlive = keepAlive;
    // Node's agent respects the server's keep-alive timeout only if it has a timeout of its own.
    this.agent = new http.Agent({ keepAlive, maxSockets: connections, timeout: IDLE_MS });
    this.headers = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.36', ...headers };
  }

  /** Throws unless the answer is a success. */
  async ask(method, path, body) {
    const answer = await this.send(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text().slice(0, 500)}`);
    return answer;
  }

  send(method, path, body, headers = {}) {
    return this.sendText(method, path, body === undefined ? undefined : JSON.stringify(body), headers);
  }

  /** The same with a body of JSON text. */
  sendText(method, path, payload, headers = {}) {
    const prefix = this.url.pathname.replace(/\/$/, '');
    return new Promise((resolve, reject) => {
      const request = http.request(
        {
          host: this.url.hostname,
          port: this.url.port,
          method,
          path: prefix + path,
          agent: this.agent,
          headers: {
            ...this.headers,
            ...(payload !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(payload),
            }),
            ...headers,
          },
        },
        (response) => {
          const chunks = [];
          let bytes = 0;
          response.on('data', (chunk) => {
            bytes += chunk.length;
            chunks.push(chunk);
          });
          response.on('end', () =>
            resolve({ status: response.statusCode, bytes, text: () => Buffer.concat(chunks).toString() }),
          );
        },
      );
      request.on('error', reject);
      request.end(payload);
    });
  }

  close() {
    this.agent.destroy();
  }
}

/**
 * Sends one request after the other and reads only the status of each answer, so a burst measures the server. A full
 * client would take a third of the machine.
 */
export class BurstClient {
  socket;
  received = '';
  left;
  waiting;

  constructor(url, { keepAlive = true } = {}) {
    this.url = new URL(url);
    this.keepAlive = keepAlive;
  }

  send(method, path, body) {
    const payload = body === undefined ? '' : JSON.stringify(body);
    const { host, pathname } = this.url;
    const head =
      `${method} ${pathname.replace(/\/$/, '')}${path} HTTP/1.1\r\nhost: ${host}\r\nx-auth-token: admin\r\n` +
      `openstack-api-version: placement 1.36\r\ncontent-type: application/json\r\n` +
      `content-length: ${payload.length}\r\nconnection: ${this.keepAlive ? 'keep-alive' : 'close'}\r\n\r\n`;
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket ??= this.connect();
      this.socket.write(head + payload);
    });
  }

  connect() {
    const socket = net.connect(Number(this.url.port), this.url.hostname).setEncoding('latin1');
    socket.on('data', (text) => this.take(text));
    const end = (error) => {
      if (this.socket === socket) this.socket = undefined;
      this.waiting?.reject(error ?? new Error('the connection was closed'));
    };
    return socket.on('error', end).on('close', () => end());
  }

  /** For a large answer it keeps only the number of bytes that are still to come. */
  take(text) {
    if (this.left === undefined) {
      this.received += text;
      const headEnd = this.received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.received.slice(0, headEnd))?.[1] ?? 0);
      this.left = headEnd + 4 + length - this.received.length;
    } else this.left -= text.length;
    if (this.left > 0) return;
    const status = Number(this.received.slice(9, 12));
    [this.received, this.left] = ['', undefined];
    const { waiting } = this;
    this.waiting = undefined;
    if (!this.keepAlive) this.close();
    waiting?.resolve({ status });
  }

  close() {
    this.socket?.destroy();
    this.socket = undefined;
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
