// Requests at a steady rate, independent of earlier answers: claims and reads, each of which must succeed at the first
// attempt.
import { randomUUID } from 'node:crypto';
import { Agent, fetch } from 'undici';

export const HEADERS = {
  'x-auth-token': 'admin',
  'x-roles': 'admin,service',
  'content-type': 'application/json',
  'openstack-api-version': 'placement 1.39',
};
const TICK_MS = 10;
/** The number of claims in five requests. */
const CLAIMS_OF_FIVE = 2;
const CONNECTIONS = 64;
/** On a machine that is slower than the rate, fewer requests are sent: a queue in the client measures nothing. */
const UNDER_WAY_MOST = 128;

export class Load {
  asked = 0;
  acknowledged = [];
  failures = [];
  slowestMs = 0;
  /** Requests that were due and not sent because of the maximum. */
  heldBack = 0;
  seconds = 0;
  #agent = new Agent({ connections: CONNECTIONS });
  #inFlight = new Set();
  #began = 0;
  #timer;

  constructor(url, providers, rate) {
    Object.assign(this, { url, providers, rate });
  }

  begin() {
    this.#began = performance.now();
    this.#timer = setInterval(() => {
      const due = Math.floor(((performance.now() - this.#began) / 1000) * this.rate) - this.heldBack;
      while (this.asked < due && this.#inFlight.size < UNDER_WAY_MOST) this.#askOne();
      this.heldBack += Math.max(0, due - this.asked);
    }, TICK_MS);
  }

  /** Waits for running requests. */
  async end() {
    clearInterval(this.#timer);
    this.seconds = (performance.now() - this.#began) / 1000;
    await Promise.all(this.#inFlight);
    await this.#agent.close();
  }

  #askOne() {
    const turn = this.asked++;
    const provider = this.providers[turn % this.providers.length];
    const asking = (turn % 5 < CLAIMS_OF_FIVE ? this.#claim(provider) : this.#read(turn, provider)).finally(() =>
      this.#inFlight.delete(asking),
    );
    this.#inFlight.add(asking);
  }

  async #claim(provider) {
    const consumer = randomUUID();
    const body = {
      allocations: { [provider]: { resources: { VCPU: 1 } } },
      project_id: 'p',
      user_id: 'u',
      consumer_generation: null,
      consumer_type: 'INSTANCE',
    };
    if (await this.#expect(204, 'PUT', `/allocations/${consumer}`, body)) this.acknowledged.push(consumer);
  }

  #read(turn, provider) {
    const path =
      turn % 2 === 0 ? `/resource_providers/${provider}/usages` : '/allocation_candidates?resources=VCPU:1&limit=5';
    return this.#expect(200, 'GET', path);
  }

  async #expect(status, method, path, body) {
    const began = performance.now();
    try {
      const response = await fetch(`${this.url}${path}`, this.#with(method, body));
      const text = await response.text();
      this.slowestMs = Math.max(this.slowestMs, performance.now() - began);
      if (response.status === status) return true;
      this.failures.push(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      this.failures.push(`${method} ${path}: ${error.cause?.message ?? error.message}`);
    }
    return false;
  }

  #with(method, body) {
    return {
      method,
      headers: HEADERS,
      dispatcher: this.#agent,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
  }
}

export const pause = (ms) => new Promise((resume) => setTimeout(resume, ms));
