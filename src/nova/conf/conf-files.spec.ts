import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readConfFiles } from './conf-files';

describe('the files of nova', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nova-conf-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are given as paths and folders, in this order', () => {
    for (const name of ['b.conf', 'a.conf', 'c.txt']) writeFileSync(join(folder, name), name);
    const files = readConfFiles([join(folder, 'c.txt'), folder]);
    expect(files.map(({ path, text }) => [basename(path), text])).toEqual([
      ['c.txt', 'c.txt'],
      ['a.conf', 'a.conf'],
      ['b.conf', 'b.conf'],
    ]);
  });

  it('that do not exist are named', () => {
    expect(() => readConfFiles([join(folder, 'nova.conf')])).toThrow(/nova\.conf: cannot be read \(ENOENT\)/);
  });
});
