// Every built-in part must have a table of its rules.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schedulerRegistry } from './built-in';

interface SourceFile {
  readonly name: string;
  readonly text: string;
}

const filesOf = (folder: string): readonly SourceFile[] =>
  readdirSync(join(__dirname, folder))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.fixture.ts'))
    .map((name) => ({ name, text: readFileSync(join(__dirname, folder, name), 'utf8') }));

const registry = schedulerRegistry();
const KINDS = [
  ['filters', 'filter', [...registry.filters.keys()]],
  ['weighers', 'weigher', [...registry.weighers.keys()]],
  ['prefilters', 'prefilter', [...registry.prefilters.keys()]],
] as const;

/** Parts with a constant result have no boundary to test. */
const ALWAYS_THE_SAME: ReadonlySet<string> = new Set(['AllHostsFilter', 'ComputeStatusPrefilter']);

/** The part's own spec, or that of its family: `<family>.<kind>s.spec.ts`, which imports the part. */
function isSpecOf(base: string, kind: string, spec: SourceFile): boolean {
  if (spec.name === `${base}.spec.ts`) return true;
  return new RegExp(`(^|\\.)${kind}s\\.spec\\.ts$`).test(spec.name) && spec.text.includes(`from './${base}'`);
}

describe.each(KINDS)('the built-in %s', (folder, kind, names) => {
  const files = filesOf(folder);
  const [specs, sources] = [true, false].map((wanted) =>
    files.filter(({ name }) => name.endsWith('.spec.ts') === wanted),
  );

  it.each(names)('%s have a spec with a table of their rules', (name) => {
    const [source, another] = (sources ?? []).filter(({ text }) => text.includes(`name: '${name}'`));
    const base = (source?.name ?? '').replace(/\.ts$/, '');
    expect([base, another]).toEqual([expect.stringMatching(/./), undefined]);
    const tables = (specs ?? []).filter((spec) => isSpecOf(base, kind, spec));
    expect(tables.map((spec) => spec.name)).not.toEqual([]);
    const value = /export const (\w+) = define/.exec(source?.text ?? '')?.[1] ?? '?';
    const table = new RegExp(`\\b${kind}Table\\(\\s*${value}\\b`);
    expect(tables.some(({ text }) => table.test(text) || ALWAYS_THE_SAME.has(name))).toBe(true);
  });
});
