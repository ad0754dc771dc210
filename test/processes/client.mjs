// A client that counts the answers and errors of a single connection.
import { Agent, get } from 'node:http';

/** Sends requests on one keep-alive connection and opens another when that one ends. */
export class Client {
  errors = [];
  answered = 0;
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url) {
    this.url = url;
  }

  async ask() {
    try {
      const status = await statusOf(`${this.url}/resource_providers`, {
        agent: this.#agent,
        headers: { 'x-auth-token': 'admin' },
      });
      if (status === 200) this.answered += 1;
      else this.errors.push(String(status));
    } catch (error) {
      this.errors.push(error.code ?? error.message);
    }
  }
}

export function statusOf(url, given = {}) {
  return new Promise((resolve, reject) => {
    get(url, given, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });
}
