// waits.mjs loads this file into a service (`node --import`). It reports the longest hold of the event loop between two
// runs of a timer of 2 ms, by the clock and by the CPU time of the loop's thread. Only the CPU time is the service's:
// on a busy machine the clock goes on while the thread waits. With BERTH_HOLD_PROFILE it also reports which functions
// ran during the longest hold.
import { openSync, readSync } from 'node:fs';
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 2;
const SAMPLE_US = 250;
/** Number of reported functions: the innermost ones that took this share of the hold. */
const FRAMES_SHOWN = 6;
const SHARE = 0.4;

function watch() {
  const cpuFile = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const buffer = Buffer.alloc(64);
  const cpuMs = () => Number(buffer.toString('latin1', 0, readSync(cpuFile, buffer, 0, 64, 0)).split(' ')[0]) / 1e6;
  const profiler = process.env.BERTH_HOLD_PROFILE === undefined ? undefined : new Profiler();
  let [atMs, atCpuMs] = [performance.now(), cpuMs()];
  let worst = fresh();
  setInterval(() => {
    const [nowMs, nowCpuMs] = [performance.now(), cpuMs()];
    const held = nowCpuMs - atCpuMs;
    worst.clockMs = Math.max(worst.clockMs, nowMs - atMs);
    if (held > worst.cpuMs) worst = { ...worst, cpuMs: held, from: atMs, to: nowMs };
    [atMs, atCpuMs] = [nowMs, nowCpuMs];
  }, TICK_MS).unref();
  process.on('message', (message) => {
    if (message === 'begin') {
      profiler?.begin();
      worst = fresh();
      [atMs, atCpuMs] = [performance.now(), cpuMs()];
    } else if (message === 'end') process.send({ ...worst, by: profiler?.end(worst) ?? '' });
  });
  process.channel.unref();
}

function fresh() {
  return { clockMs: 0, cpuMs: 0, from: 0, to: 0 };
}

class Profiler {
  session = new Session();

  constructor() {
    this.session.connect();
    this.session.post('Profiler.enable');
    this.session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  }

  begin() {
    this.session.post('Profiler.start');
  }

  /** The chain of functions that took most of that time. */
  end({ from, to }) {
    let profile;
    this.session.post('Profiler.stop', (_, answer) => (profile = answer?.profile));
    if (profile === undefined) return '';
    // The profile uses the machine's monotonic clock; performance.now() counts from the start of the process.
    const offsetUs = Number(process.hrtime.bigint() / 1_000n) - performance.now() * 1_000;
    const [inclusive, own] = [new Map(), new Map()];
    const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
    let [at, total] = [profile.startTime, 0];
    profile.samples.forEach((sample, index) => {
      at += profile.timeDeltas[index];
      if (at < from * 1_000 + offsetUs || at > to * 1_000 + offsetUs) return;
      total += 1;
      own.set(sample, (own.get(sample) ?? 0) + 1);
      for (let node = sample; node !== undefined; node = parents.get(node)) {
        inclusive.set(node, (inclusive.get(node) ?? 0) + 1);
      }
    });
    const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
    const chain = [];
    let node = profile.nodes[0];
    for (;;) {
      const heaviest = (node.children ?? []).sort((a, b) => (inclusive.get(b) ?? 0) - (inclusive.get(a) ?? 0))[0];
      if (heaviest === undefined || (inclusive.get(heaviest) ?? 0) < total * SHARE) break;
      node = nodes.get(heaviest);
      chain.push(`${nameOf(node)} ${inclusive.get(heaviest)}/${total}`);
    }
    return `${chain.slice(-FRAMES_SHOWN).join(' > ')}; by themselves: ${byThemselves(own, nodes)}`;
  }
}

const nameOf = ({ callFrame: { functionName, url, lineNumber } }) =>
  `${functionName}@${url.split('/').at(-1)}:${lineNumber + 1}`;

/** The functions with the most samples of their own, whatever their callers. */
function byThemselves(own, nodes) {
  const counts = new Map();
  for (const [id, count] of own) {
    const name = nameOf(nodes.get(id));
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const heaviest = [...counts].sort((a, b) => b[1] - a[1]).slice(0, FRAMES_SHOWN);
  return heaviest.map(([name, count]) => `${name} ${count}`).join(', ');
}

if (isMainThread && process.send !== undefined) watch();
