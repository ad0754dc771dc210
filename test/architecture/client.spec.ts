// The client is a separate package: it depends on the API document, and not on the service's code.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../client/src');
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.ts') && !/\.(spec|fixture)\.ts$/.test(name));
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/\bfrom '([^']+)'|\bimport\(?\s*'([^']+)'/g)].map((match) => match[1] ?? match[2] ?? '');

it('imports nothing but its own files', () => {
  expect(FILES.length).toBeGreaterThan(15);
  const foreign = FILES.flatMap((name) =>
    importsOf(textOf(name))
      .filter((from) => !/^\.\/(generated\/)?[a-z-]+\.ts$/.test(from))
      .map((from) => `${name} -> ${from}`),
  );
  expect(foreign).toEqual([]);
});

it('uses no API that only Node has', () => {
  expect(FILES.filter((name) => /\b(process|Buffer|setImmediate|require)\b[.(]/.test(textOf(name)))).toEqual([]);
});

it.each(["import { createHash } from 'node:crypto';", "import { x } from '../../src/x';", "await import('undici');"])(
  'detects %s',
  (text) => expect(importsOf(text).filter((from) => !from.startsWith('./'))).toHaveLength(1),
);
