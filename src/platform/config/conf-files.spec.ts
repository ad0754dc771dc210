import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOwnFile, readConfFiles } from './conf-files';

describe('configuration files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-conf-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are given as paths and folders, in this order', () => {
    for (const name of ['b.conf', 'a.conf', 'c.txt', '.d.conf']) writeFileSync(join(folder, name), name);
    const { files, problems } = readConfFiles(['c.txt', '.'], folder);
    expect(files.map(({ shown, text }) => [shown, text])).toEqual([
      ['c.txt', 'c.txt'],
      ['a.conf', 'a.conf'],
      ['b.conf', 'b.conf'],
    ]);
    expect(problems).toEqual([]);
  });

  it('that do not exist, or cannot be read, are named', () => {
    expect(readConfFiles(['no.conf', 'c.txt/x'], folder).problems).toEqual([
      expect.stringMatching(/^c\.txt\/x: cannot be read \(E/),
      'no.conf: there is no such file',
    ]);
  });

  it.each([
    ['/etc/berth/berth.conf', true],
    ['/etc/berth/berth-site.conf', true],
    ['/etc/berth/berth.conf.d/10-database.conf', true],
    ['/etc/berth/placement.conf', false],
    ['/etc/nova/nova.conf', false],
    ['/etc/placement/placement.conf.d/berth', false],
  ])('%s is own: %s', (path, expected) => {
    expect(isOwnFile(path)).toBe(expected);
  });
});
