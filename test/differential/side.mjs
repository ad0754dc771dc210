// One of the two services. Requests are sent exactly as written: without added headers or path normalisation.
import { Agent, request } from 'node:http';

export class Side {
  #agent = new Agent({ keepAlive: false });

  constructor(url) {
    this.url = new URL(url);
    this.prefix = this.url.pathname.replace(/\/$/, '');
  }

  ask({ method, path, headers, body }) {
    const payload = body === undefined ? undefined : Buffer.from(body);
    const length = payload === undefined ? {} : { 'content-length': String(payload.length) };
    return new Promise((resolve, reject) => {
      const sent = request({
        agent: this.#agent,
        host: this.url.hostname,
        port: this.url.port,
        method,
        path: this.prefix + path,
        headers: { ...length, ...headers },
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      });
      sent.end(payload);
    });
  }

  close() {
    this.#agent.destroy();
  }
}
