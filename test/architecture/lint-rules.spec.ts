// The lint rules of this project alone, as oxlint runs them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Sources, and the rules that refuse them. */
const CASES: Readonly<Record<string, readonly string[]>> = {
  'export const a = { ...{ b: 1 }, c: 2 };': ['no-spread-literal'],
  'export const a = [...[1], 2];': ['no-spread-literal'],
  'export const a = (b: object) => ({ ...b, c: 2 });': [],
  'export const a = { get b() { return 1; } };': ['no-accessor-literal'],
  'export class A { get b() { return 1; } }': [],
  "import { A } from './a';\nexport type B = A;": ['type-imports'],
  "import { type A, B } from './a';\nexport type C = [A, B];": ['type-imports'],
  "import { type A, B } from './a';\nexport type C = A;\nexport const d = B;": [],
  "import type { A } from './a';\nexport type B = A;": [],
  "import './a';": [],
  "import { A, D } from './a';\n@D()\nexport class B { constructor(readonly a: A) {} }": [],
};

it('oxlint refuses what the rules name, and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-lint-'));
  try {
    const rules = Object.fromEntries(
      ['no-spread-literal', 'no-accessor-literal', 'type-imports'].map((rule) => [`berth/${rule}`, 'error']),
    );
    const config = {
      categories: { correctness: 'off' },
      jsPlugins: [join(ROOT, 'scripts/lint-rules.mjs')],
      rules,
    };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    Object.keys(CASES).forEach((source, at) => writeFileSync(join(folder, `case-${at}.ts`), source));
    const oxlint = join(ROOT, 'node_modules/oxlint/bin/oxlint');
    const options = ['-c', join(folder, 'config.json'), '-f', 'json', folder];
    const { stdout, stderr } = spawnSync(process.execPath, [oxlint, ...options], { encoding: 'utf8', cwd: folder });
    expect(stderr).toBe('');
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] };
    const found = Object.keys(CASES).map((source, at) => {
      const own = diagnostics.filter(({ filename }) => filename.endsWith(`case-${at}.ts`));
      return [source, own.map(({ code }) => code.replace(/^berth\((.*)\)$/, '$1'))];
    });
    expect(Object.fromEntries(found)).toEqual(CASES);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
