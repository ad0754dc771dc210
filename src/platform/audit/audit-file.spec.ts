import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AuditFile } from './audit-file';

/** Refuses every byte, like a full disk. */
const FULL = '/dev/full';

describe('a file of lines', () => {
  let folder: string;
  let path: string;
  let reported: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'berth-lines-'));
    path = join(folder, 'lines');
    reported = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const opened = (at = path): Promise<AuditFile> =>
    AuditFile.open({
      path: at,
      onFailed: (error) => reported.push((error as NodeJS.ErrnoException).code ?? String(error)),
      onRecovered: () => reported.push('recovered'),
    });
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await pause(1);
  };
  const numbered = (count: number): string => Array.from({ length: count }, (_, i) => `${i}\n`).join('');

  it('has every line in order after it is closed, readable for its group', async () => {
    const file = await opened();
    for (let i = 0; i < 1_000; i += 1) expect(file.write(`${i}\n`)).toBe(true);
    expect(await file.close()).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(numbered(1_000));
    expect(statSync(path).mode & 0o137).toBe(0);
    expect(reported).toEqual([]);
  });

  it('appends to an existing file', async () => {
    for (const line of ['one\n', 'two\n']) {
      const file = await opened();
      file.write(line);
      await file.close();
    }
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  });

  it('writes queued lines once the file accepts them', async () => {
    symlinkSync(FULL, path);
    const file = await opened();
    file.write('waits\n');
    await until(() => reported.length > 0);
    rmSync(path);
    file.reopen();
    await until(() => reported.includes('recovered'));
    expect(await file.close()).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe('waits\n');
    expect(reported).toEqual(['ENOSPC', 'recovered']);
  });

  it('switches to a new file of the same name without losing or splitting a line', async () => {
    const file = await opened();
    for (let i = 0; i < 3; i += 1) {
      for (let line = i * 100; line < i * 100 + 100; line += 1) file.write(`${line}\n`);
      renameSync(path, `${path}.${i}`);
      file.reopen();
      await until(() => {
        try {
          return statSync(path).isFile();
        } catch {
          return false;
        }
      });
    }
    await file.close();
    const all = [`${path}.0`, `${path}.1`, `${path}.2`, path].map((each) => readFileSync(each, 'utf8')).join('');
    expect(all).toBe(numbered(300));
  });

  it('keeps the old file if the new one cannot be opened', async () => {
    const file = await opened();
    renameSync(folder, `${folder}-away`);
    file.reopen();
    file.write('kept\n');
    await until(() => reported.length > 0);
    expect([await file.close(), file.write('too late\n')]).toEqual([0, false]);
    renameSync(`${folder}-away`, folder);
    expect(readFileSync(path, 'utf8')).toBe('kept\n');
    expect(reported).toEqual(['ENOENT']);
  });

  it('refuses to start with a file that cannot be opened', async () => {
    await expect(opened(join(folder, 'nowhere', 'lines'))).rejects.toThrow('ENOENT');
  });
});
