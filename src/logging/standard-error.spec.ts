import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLines } from './standard-error';

const LINE_CHARACTERS = 1_000;
const WAITING_BYTES = 200_000;

describe('lines that nobody reads', () => {
  let folder: string;
  let file: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'berth-lines-'));
    // A pipe like that of a log collector: what does not fit is refused, not waited for.
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    file = openSync(join(folder, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const readAll = async (isEnough: (text: string) => boolean): Promise<string> => {
    const block = Buffer.alloc(65_536);
    let text = '';
    for (let tries = 0; tries < 300 && !isEnough(text); tries += 1) {
      try {
        text += block.toString('latin1', 0, readSync(file, block));
      } catch {
        await sleep(10);
      }
    }
    return text;
  };

  it('wait up to the bound; the rest is dropped, and told once there is room again', async () => {
    const stream = openLines(file, WAITING_BYTES);
    const written = 2_000;
    for (let line = 0; line < written; line += 1) stream.write(`${String(line).padEnd(LINE_CHARACTERS - 1)}\n`);
    const text = await readAll((so) => so.includes('dropped'));
    const lines = text.split('\n').filter((line) => line !== '');
    const notice = JSON.parse(lines.at(-1) ?? '{}') as { readonly level?: string; readonly lines?: number };
    expect(notice).toMatchObject({ level: 'warn', message: 'log lines were dropped' });
    expect(lines.length - 1 + (notice.lines ?? 0)).toBe(written);
    expect((lines.length - 1) * LINE_CHARACTERS).toBeLessThanOrEqual(WAITING_BYTES + 65_536);
    stream.write('afterwards\n');
    expect(await readAll((so) => so.includes('afterwards'))).toContain('afterwards');
    stream.end();
    await once(stream, 'close');
  });
});
