// Worker threads for simulations, with scripts instead of the scheduler; the document selects the script's behaviour.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CallerGone } from '../../platform/event-loop/caller';
import { Client } from '../../platform/event-loop/client';
import { InvalidInput, TooManyRequests, Unavailable } from '../../platform/values/errors';
import { SimulationThreads } from './simulation-threads';

const SCRIPT = `
const { threadId } = require('node:worker_threads');
const kept = [];
module.exports = ({ body, requestId }) => {
  const wish = Buffer.from(body).toString();
  if (wish === 'hang') for (;;);
  if (wish === 'eat') for (;;) kept.push(new Array(100_000).fill({}));
  if (wish === 'end') process.exit(3);
  if (wish === 'refuse') return { refusal: 'hosts.0: no' };
  if (wish === 'break') throw new Error('broken');
  return Uint8Array.from(Buffer.from(requestId + ' in thread ' + threadId));
};
`;

describe('simulation threads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-threads-'));
  const script = join(folder, 'thread.js');
  const made: SimulationThreads[] = [];
  beforeAll(() => writeFileSync(script, SCRIPT));
  afterEach(() => Promise.all(made.splice(0).map((threads) => threads.onModuleDestroy())));
  afterAll(() => rmSync(folder, { recursive: true }));

  const start = (bounds: { readonly seconds?: number; readonly waiting?: number } = {}): SimulationThreads => {
    const data = { plugins: [], directory: folder, version: '1' };
    const threads = new SimulationThreads(script, data, {
      threads: 1,
      waiting: 2,
      memoryMib: 32,
      seconds: 60,
      ...bounds,
    });
    made.push(threads);
    return threads;
  };
  const textOf = async (answer: Promise<Uint8Array>): Promise<string> => Buffer.from(await answer).toString();
  const task = (wish: string): { body: Uint8Array; requestId: string } => ({ body: Buffer.from(wish), requestId: 'r' });

  it('start on demand and answer one document after another', async () => {
    const threads = start();
    expect(threads.running).toBe(0);
    const answers = await Promise.all([textOf(threads.answerTo(task(''))), textOf(threads.answerTo(task('')))]);
    expect(answers[0]).toMatch(/^r in thread \d+$/);
    expect(answers[1]).toBe(answers[0]);
    expect(threads.running).toBe(1);
  });

  it('report the refusal of a document, and unexpected errors', async () => {
    const threads = start();
    await expect(threads.answerTo(task('refuse'))).rejects.toThrow(new InvalidInput('hosts.0: no'));
    await expect(threads.answerTo(task('break'))).rejects.toMatchObject({ cause: { message: 'broken' } });
    expect(await textOf(threads.answerTo(task('')))).toMatch(/^r/);
  });

  it.each([
    ['hang', 1, /took longer than 1 s/],
    ['eat', 100, /took more than 32 MiB/],
  ])('end a document that would %s for ever, and serve the next', async (wish, seconds, message) => {
    const threads = start({ seconds });
    const [failed, next] = await Promise.allSettled([threads.answerTo(task(wish)), threads.answerTo(task(''))]);
    expect(failed).toMatchObject({ status: 'rejected', reason: expect.any(InvalidInput) });
    expect(String((failed as PromiseRejectedResult).reason)).toMatch(message);
    expect(next).toMatchObject({ status: 'fulfilled' });
  });

  it('fail only their document when they exit', async () => {
    const threads = start();
    await expect(threads.answerTo(task('end'))).rejects.toMatchObject({
      cause: { message: expect.stringContaining('exited') as unknown },
    });
    expect(await textOf(threads.answerTo(task('')))).toMatch(/^r/);
  });

  it('end when their client disconnects', async () => {
    const threads = start();
    const caller = { isGone: false };
    const answer = threads.answerTo(task('hang'), caller);
    const next = threads.answerTo(task(''));
    caller.isGone = true;
    await expect(answer).rejects.toThrow(CallerGone);
    expect(await textOf(next)).toMatch(/^r/);
    await expect(threads.answerTo(task('hang'), caller)).rejects.toThrow(CallerGone);
  });

  it('serve the client with the least usage first, and drop a document of the client with the most queued', async () => {
    const threads = start({ waiting: 3 });
    const [busy, quiet] = [new Client(), new Client()];
    const order: string[] = [];
    const ask = (name: string, client: Client): Promise<unknown> =>
      threads.answerTo(task(''), { isGone: false, client }).then(
        () => order.push(name),
        (error: unknown) => order.push(`${name}: ${(error as Error).constructor.name}`),
      );
    busy.charge(1_000);
    await Promise.all([...['b1', 'b2', 'b3', 'b4'].map((name) => ask(name, busy)), ask('quiet', quiet)]);
    expect(order).toEqual(['b4: TooManyRequests', 'b1', 'quiet', 'b2', 'b3']);
    expect(quiet.usageMs).toBeGreaterThan(0);
  });

  it('limit the queue', async () => {
    const threads = start({ waiting: 1 });
    const asked = Promise.allSettled([threads.answerTo(task('hang')), threads.answerTo(task(''))]);
    await expect(threads.answerTo(task(''))).rejects.toThrow(TooManyRequests);
    await threads.onModuleDestroy();
    for (const each of await asked) {
      expect(each).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
    }
    expect(threads.running).toBe(0);
  });
});
