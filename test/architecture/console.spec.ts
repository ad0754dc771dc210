// The console uses the service through the client package only, so any server could serve it.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const FOLDER = join(__dirname, '../../console/src');
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.tsx?$/.test(name) && !/\.spec\.tsx?$/.test(name),
);
const { devDependencies } = JSON.parse(readFileSync(join(FOLDER, '../package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};
const PACKAGES = ['@berth/client', ...Object.keys(devDependencies)];

const foreignImportsOf = (name: string, text: string): readonly string[] =>
  ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((from) => {
      if (from.startsWith('.')) return relative(FOLDER, join(FOLDER, dirname(name), from)).startsWith('..');
      return !PACKAGES.some((known) => from === known || (from.startsWith(`${known}/`) && known !== '@berth/client'));
    });

it('imports its own files, its packages, and the client by its package name', () => {
  expect(FILES.length).toBeGreaterThan(100);
  const foreign = FILES.flatMap((name) =>
    foreignImportsOf(name, readFileSync(join(FOLDER, name), 'utf8')).map((from) => `${name} -> ${from}`),
  );
  expect(foreign).toEqual([]);
});

it.each([
  "import { limits } from '../../../../src/config/limits';",
  "import type { Client } from '../../../../client/src/client.ts';",
  "import { Client } from '@berth/client/src/client.ts';",
  "import { readFileSync } from 'node:fs';",
  "const { harbour } = await import('../../../../test/console/harbour');",
])('detects %s', (text) => expect(foreignImportsOf('pages/hosts/x.tsx', text)).toHaveLength(1));
