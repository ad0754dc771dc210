// Measures requests: CPU time of processes (which holds on a noisy machine), latency, bytes.
import { readFileSync } from 'node:fs';
import http from 'node:http';

const TICK_MS = 10;

/** CPU milliseconds that processes have used so far, threads and children that ended included. */
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
    this.agent = new http.Agent({ keepAlive, maxSockets: connections });
    this.headers = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.36', ...headers };
  }

  send(method, path, body, headers = {}) {
    const payload = body === undefined ? undefined : JSON.stringify(body);
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

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
