// Measures one endpoint in rounds: CPU of its processes and times of its answers.
import { randomUUID } from 'node:crypto';
import { cpuMs, median } from './meter.mjs';
import { dice } from './worlds.mjs';

/** Sends `perRound` requests per round. One write precedes every tenth request, unless the requests are writes. */
export class Measured {
  random = dice(1);
  times = [];
  roots = [];
  spent = 0;
  asked = 0;
  last;

  constructor({ client, pids }, perRound, ask, made, withWrites) {
    Object.assign(this, { client, pids, perRound, made, withWrites });
    this.ask = () => ask(client, this.random);
    this.targets = made.inventories.filter((each) => each.name === 'VCPU');
  }

  async warmUp(count) {
    for (let done = 0; done < count; done += 1) await this.ask();
    for (let at = 0; at < 20; at += 1) this.roots.push(await timed(() => this.client.send('GET', '/')));
  }

  async measureOnce() {
    for (let done = 0; done < this.perRound;) {
      if (this.withWrites) await this.write();
      const before = cpuMs(this.pids);
      for (let at = 0; at < 10 && done < this.perRound; at += 1, done += 1) {
        const began = performance.now();
        this.last = await this.ask();
        this.times.push(performance.now() - began);
        if (this.last.status >= 400 && this.last.status !== 409) {
          throw new Error(`${this.last.status}: ${this.last.text().slice(0, 300)}`);
        }
      }
      this.spent += cpuMs(this.pids) - before;
    }
    this.asked += this.perRound;
  }

  write() {
    const target = this.targets[Math.floor(this.random() * this.targets.length)];
    return this.client.send('PUT', `/allocations/${randomUUID()}`, {
      allocations: { [this.made.providers[target.provider - 1].uuid]: { resources: { VCPU: 1 } } },
      project_id: 'bench',
      user_id: 'bench',
      consumer_generation: null,
    });
  }

  get figures() {
    const latency = Math.max(0, median(this.times) - median(this.roots));
    return { cpu: this.spent / this.asked, latency, last: this.last };
  }
}

export async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
