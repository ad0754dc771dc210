import { execFileSync } from 'node:child_process';
import fs, { closeSync, constants, fstatSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LineWriter } from './line-writer';

const LINE_CHARACTERS = 1_000;
const WAITING_BYTES = 200_000;
const LONG_MS = 10_000;

const writerTo = (file: number, waitingBytes = WAITING_BYTES): LineWriter =>
  new LineWriter(file, {
    waitingBytes,
    gatherMs: 100,
    refusedNotice: (lines) => `${JSON.stringify({ message: 'log lines were dropped', lines })}\n`,
  });

describe('lines without a reader', () => {
  let folder: string;
  let file: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'berth-lines-'));
    // A pipe like that of a log collector: a full pipe refuses data instead of blocking.
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    file = openSync(join(folder, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK);
  });
  afterEach(() => {
    closeSync(file);
    rmSync(folder, { recursive: true });
  });

  const readAll = async (isEnough: (text: string) => boolean): Promise<string> => {
    const block = Buffer.alloc(65_536);
    let text = '';
    for (let tries = 0; tries < 1_000 && !isEnough(text); tries += 1) {
      try {
        text += block.toString('latin1', 0, readSync(file, block));
      } catch {
        await sleep(10);
      }
    }
    return text;
  };

  it('wait up to the limit; further ones are dropped, and reported when there is room again', async () => {
    const stream = writerTo(file);
    const written = 2_000;
    for (let line = 0; line < written; line += 1) stream.write(`${String(line).padEnd(LINE_CHARACTERS - 1)}\n`);
    const text = await readAll((so) => so.includes('dropped'));
    const lines = text.split('\n').filter((line) => line !== '');
    const notice = JSON.parse(lines.at(-1) ?? '{}') as { readonly lines?: number };
    expect(notice).toMatchObject({ message: 'log lines were dropped' });
    expect(lines.length - 1 + (notice.lines ?? 0)).toBe(written);
    expect((lines.length - 1) * LINE_CHARACTERS).toBeLessThanOrEqual(WAITING_BYTES + 65_536);
    stream.write('afterwards\n');
    expect(await readAll((so) => so.includes('afterwards'))).toContain('afterwards');
    stream.writeLast(0);
  });

  it('are abandoned after a limited number of attempts at exit', async () => {
    const stream = writerTo(file);
    for (let line = 0; line < 150; line += 1) stream.write(`${String(line).padEnd(LINE_CHARACTERS - 1)}\n`);
    await stream.finish(LONG_MS);
    stream.writeLast(2);
    const block = Buffer.alloc(WAITING_BYTES);
    expect(block.toString('latin1', 0, readSync(file, block))).toMatch(/^0 +\n1 +\n/);
  });
});

describe('the end of a process', () => {
  const { write } = fs;
  const LINES = Array.from({ length: 40 }, (_, line) => `${String(line).padEnd(LINE_CHARACTERS - 1)}\n`);
  let folder: string;
  let file: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'berth-lines-'));
    file = openSync(join(folder, 'lines'), 'w+');
  });
  afterEach(() => {
    jest.restoreAllMocks();
    closeSync(file);
    rmSync(folder, { recursive: true });
  });

  it('waits for a running write, and keeps the order of the last lines', async () => {
    // The asynchronous write starts late and writes only a part.
    jest.spyOn(fs, 'write').mockImplementation((...[to, block, done]: Parameters<typeof write>) => {
      const part = Buffer.from(block).subarray(0, 100);
      setTimeout(() => write(to, part, (error, written) => done(error, written, '')), 50);
    });
    const stream = writerTo(file);
    for (const line of LINES) stream.write(line);
    await stream.finish(LONG_MS);
    stream.write('the end\n');
    stream.writeLast(0);
    expect(readFileSync(join(folder, 'lines'), 'latin1')).toBe([...LINES, 'the end\n'].join(''));
  });

  it('reports the lines dropped so far', async () => {
    jest.spyOn(fs, 'write').mockImplementation((...[to, block, done]: Parameters<typeof write>) => {
      setTimeout(() => write(to, Buffer.from(block), (error, written) => done(error, written, '')), 50);
    });
    const stream = writerTo(file, LINE_CHARACTERS * 30);
    for (const line of LINES) stream.write(line);
    await stream.finish(LONG_MS);
    stream.writeLast(0);
    const lines = readFileSync(join(folder, 'lines'), 'latin1').split('\n');
    expect(lines.slice(0, -2)).toEqual(LINES.slice(0, 30).map((line) => line.trimEnd().padEnd(LINE_CHARACTERS - 1)));
    expect(JSON.parse(lines.at(-2) ?? '')).toMatchObject({ message: 'log lines were dropped', lines: 10 });
  });

  it('waits for a silent writer only for the given time', async () => {
    jest.spyOn(fs, 'write').mockImplementation(() => undefined);
    const stream = writerTo(file);
    for (const line of LINES) stream.write(line);
    await stream.finish(20);
    stream.writeLast(0);
    // A block with an unknown fate is not written twice.
    expect(readFileSync(join(folder, 'lines'), 'latin1')).toBe(LINES.slice(16).join(''));
  });
});

it('writes nothing after its last lines, because its file descriptor can be reused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-lines-'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const file = openSync(join(folder, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK);
  const stream = writerTo(file);
  for (let line = 0; line < 150; line += 1) stream.write(`${String(line).padEnd(LINE_CHARACTERS - 1)}\n`);
  await stream.finish(LONG_MS);
  stream.writeLast(0);
  closeSync(file);
  const other = openSync(join(folder, 'other'), 'w+');
  expect(other).toBe(file);
  stream.write('late\n');
  // Several times the flush delay and the retry delay.
  await sleep(500);
  expect(fstatSync(other).size).toBe(0);
  closeSync(other);
  rmSync(folder, { recursive: true });
});

it('lets lines that come while others are written wait for company too', async () => {
  const file = openSync('/dev/null', 'w');
  const stream = writerTo(file);
  const { write } = fs;
  // Every write finds a new line queued, as under constant load.
  const writes = jest.spyOn(fs, 'write').mockImplementation((...asked: Parameters<typeof write>) => {
    stream.write('the next line\n');
    write(...asked);
  });
  stream.write('the first line\n');
  await sleep(550);
  const { length: count } = writes.mock.calls;
  writes.mockRestore();
  // One write per 100 ms.
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(5);
  await stream.finish(LONG_MS);
  closeSync(file);
});

describe('lines that cannot be written', () => {
  it('end neither the process that goes on nor hold one that ends', async () => {
    const full = openSync('/dev/full', 'w');
    const stream = writerTo(full);
    stream.write('at first\n');
    // Two retry periods.
    await sleep(350);
    stream.write('then\n');
    await stream.finish(LONG_MS);
    expect(() => stream.writeLast(50)).not.toThrow();
    closeSync(full);
  });

  it('wait for a reader that comes back', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'berth-lines-'));
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const first = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const file = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    closeSync(first);
    const stream = writerTo(file);
    stream.write('to nobody\n');
    // Two retry periods.
    await sleep(250);
    await stream.finish(LONG_MS);
    expect(() => stream.writeLast(50)).not.toThrow();
    const second = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    stream.writeLast(1);
    const block = Buffer.alloc(100);
    expect(block.toString('latin1', 0, readSync(second, block))).toBe('to nobody\n');
    [second, file].forEach((each) => closeSync(each));
    rmSync(folder, { recursive: true });
  });
});
