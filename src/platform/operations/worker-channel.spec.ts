import { EventEmitter } from 'node:events';
import { PROCESS_LIMITS } from '../config/limits/processes';
import type { WorkerPort } from './worker-channel';
import { WorkerChannel } from './worker-channel';
import type { WorkerMessage } from './worker-exchange';

/** A worker's channel to the supervisor, without any behaviour of its own. */
class Port extends EventEmitter implements WorkerPort {
  readonly pid = 7;
  readonly said: WorkerMessage[] = [];

  send(message: WorkerMessage): boolean {
    this.said.push(message);
    return true;
  }
}
const LONG_MS = 60_000;

describe('the only process', () => {
  it('answers its own question', async () => {
    const channel = new WorkerChannel(undefined);
    channel.answer('count', () => Promise.resolve(3));
    expect(channel.hasOthers).toBe(false);
    expect(await channel.ask('count', LONG_MS)).toEqual({ answers: [{ pid: process.pid, value: 3 }], missing: 0 });
  });

  it('is missing if it has no answer or fails to give it', async () => {
    const channel = new WorkerChannel(undefined);
    channel.answer('fails', () => Promise.reject(new Error('no')));
    for (const kind of ['fails', 'unknown'])
      expect(await channel.ask(kind, LONG_MS)).toEqual({ answers: [], missing: 1 });
  });
});

describe('one of several', () => {
  let port: Port;
  let channel: WorkerChannel;
  beforeEach(() => {
    port = new Port();
    channel = new WorkerChannel(port);
  });
  afterEach(() => channel.close());

  it('has the supervisor ask all workers, once for all concurrent callers', async () => {
    const asked = [channel.ask('count', LONG_MS), channel.ask('count', LONG_MS)];
    expect(port.said).toEqual([{ berth: 'ask', id: 1, kind: 'count', withinMs: LONG_MS }]);
    const answers = [
      { pid: 1, value: 3 },
      { pid: 2, value: 4 },
    ];
    for (const answer of answers) port.emit('message', { berth: 'answered', id: 1, answer });
    port.emit('message', { berth: 'all-answered', id: 1, missing: 1 });
    for (const answered of await Promise.all(asked)) expect(answered).toMatchObject({ answers, missing: 1 });
    void channel.ask('count', LONG_MS);
    expect(port.said).toHaveLength(2);
    port.emit('message', { berth: 'all-answered', id: 2, missing: 0 });
  });

  it('answers the questions that it knows, and no others', async () => {
    channel.answer('count', () => 3);
    port.emit('message', { berth: 'question', id: 4, kind: 'unknown' });
    port.emit('message', { berth: 'question', id: 5, kind: 'count' });
    port.emit('message', 'somebody else’s');
    await new Promise((resume) => setImmediate(resume));
    expect(port.said).toEqual([{ berth: 'answer', id: 5, value: 3 }]);
  });

  it('waits for the supervisor up to a limit, and keeps the answers received by then', async () => {
    const asked = channel.ask('count', -PROCESS_LIMITS.workersAnswerMarginMs);
    const answer = { pid: 1, value: 3 };
    port.emit('message', { berth: 'answered', id: 1, answer });
    expect(await asked).toEqual({ answers: [answer], missing: 1 });
    // Later messages have no effect.
    port.emit('message', { berth: 'answered', id: 1, answer });
    port.emit('message', { berth: 'all-answered', id: 1, missing: 0 });
    expect(await asked).toEqual({ answers: [answer], missing: 1 });
  });

  it('receives nothing after it is closed', async () => {
    channel.answer('count', () => 3);
    channel.close();
    port.emit('message', { berth: 'question', id: 5, kind: 'count' });
    await new Promise((resume) => setImmediate(resume));
    expect(port.said).toEqual([]);
  });
});
