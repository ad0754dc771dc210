// A steady load of claims and releases at a fixed rate, and the client's record of the acknowledged ones, which the
// service must never contradict.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { allocationBody } from '../races/campaign.mjs';

const ANSWER_WITHIN_MS = 40_000;
const TICK_MS = 20;
/** The share of acknowledged claims that the client releases again. */
const RELEASED_SHARE = 0.2;

const HEADERS = {
  'x-auth-token': 'admin',
  'content-type': 'application/json',
  'openstack-api-version': 'placement 1.39',
};

export class Load {
  /** The last acknowledged state of each consumer: `held`, `gone` or `refused`. No entry: the outcome is unknown. */
  reported = new Map();
  faults = [];
  counts = {};
  /** Time of the last acknowledgement of each process, and its longest silence in milliseconds. */
  voices = new Map();
  #running = new Set();
  #isOn = true;

  constructor(processes, providers, perSecond) {
    this.processes = processes;
    this.providers = providers;
    this.listenAfresh();
    this.done = this.#run(perSecond);
  }

  /** Restarts the measurement of silences. */
  listenAfresh() {
    const now = Date.now();
    for (const { name } of this.processes) this.voices.set(name, { last: now, longest: 0 });
  }

  silenceOf({ name }) {
    const { last, longest } = this.voices.get(name);
    return Math.max(longest, Date.now() - last);
  }

  lastOf({ name }) {
    return this.voices.get(name).last;
  }

  async stop() {
    this.#isOn = false;
    await this.done;
    await Promise.all(this.#running);
  }

  async #run(perSecond) {
    const began = Date.now();
    let sent = 0;
    while (this.#isOn) {
      const due = ((Date.now() - began) / 1000) * perSecond;
      for (; sent < due; sent += 1) {
        const claim = this.#claim(this.processes[sent % this.processes.length]);
        this.#running.add(claim);
        void claim.finally(() => this.#running.delete(claim));
      }
      await sleep(TICK_MS);
    }
  }

  async #claim(service) {
    const consumer = randomUUID();
    const provider = this.providers[Math.floor(Math.random() * this.providers.length)];
    const body = allocationBody({ [provider]: { VCPU: 1 } }, null);
    const status = await this.#ask(service, 'PUT', consumer, body);
    if (status === 204) this.reported.set(consumer, { what: 'held', provider });
    if (status === 409) this.reported.set(consumer, { what: 'refused' });
    if (status !== 204 || Math.random() > RELEASED_SHARE) return;
    this.reported.delete(consumer);
    const released = await this.#ask(service, 'DELETE', consumer);
    if (released === 204) this.reported.set(consumer, { what: 'gone' });
    // No other client writes to this consumer, so its claim must have existed.
    if (released === 404) this.faults.push(`${consumer}: its claim was acknowledged, its release found nothing`);
    if (released === 409) this.reported.set(consumer, { what: 'held', provider });
  }

  /** Returns the status; undefined if there was no answer. */
  async #ask(service, method, consumer, body) {
    const sentAt = Date.now();
    try {
      const response = await fetch(`${service.url}/allocations/${consumer}`, {
        method,
        headers: HEADERS,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      const text = await response.text();
      this.#note(service, response, text, method);
      return response.status;
    } catch (error) {
      const waited = ((Date.now() - sentAt) / 1000).toFixed(1);
      this.faults.push(`${method} to the process ${service.name}: no answer in ${waited} s (${error.message})`);
      return undefined;
    }
  }

  #note({ name }, response, text, method) {
    const key = `${response.status}`;
    this.counts[key] = (this.counts[key] ?? 0) + 1;
    if (response.status === 204) {
      const voice = this.voices.get(name);
      voice.longest = Math.max(voice.longest, Date.now() - voice.last);
      voice.last = Date.now();
      return;
    }
    // Only this request writes to its consumer, so no generation can conflict.
    if (response.status === 409 && text.includes('placement.concurrent_update'))
      this.faults.push(`${method} to the process ${name}: a conflict with no other writer: ${text.slice(0, 300)}`);
    const isExcused = response.status === 503 && response.headers.has('retry-after');
    if (response.status >= 500 && !isExcused) {
      this.faults.push(`${method} to the process ${name}: ${response.status} ${text.slice(0, 200)}`);
    }
  }
}
