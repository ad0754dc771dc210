import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { OPTION_ROWS } from './options';

const SRC = join(__dirname, '../..');

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/\.(spec|fixture)\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));

const active = OPTION_ROWS.filter(({ kind }) => kind !== 'ignored');

it('every option is declared in one place', () => {
  const declaration = /\b(\w+): (?:boolean|integer|number|text|choice|list|multi)\(/g;
  const declared = sources
    .filter(({ path }) => /^(platform\/config\/groups|scheduling-rules)\/|\.options\.ts$/.test(path))
    .flatMap(({ text }) => [...text.matchAll(declaration)].map(([, name]) => name));
  declared.push('max_io_ops_per_host', 'max_instances_per_host'); // Constants that two filters share.
  expect(declared.sort()).toEqual(active.map(({ name }) => name).sort());
});

it('every option is read, except those that say that nothing reads them', () => {
  const readers = sources.filter(({ path }) => !/^platform\/config\/(groups\/|former-options)/.test(path));
  const isRead = (name: string): boolean =>
    readers.some(({ text }) => new RegExp(`\\b${name}\\b(?!: \\w+\\()`).test(text));
  const unread = active.filter(({ name }) => !isRead(name));
  expect(unread.map(({ name }) => name)).toEqual(active.filter(({ isUnread }) => isUnread).map(({ name }) => name));
});
