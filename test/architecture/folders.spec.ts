// The folders of the scheduling rules import each other without cycles, so each of them can be read after those below it.
import { join } from 'node:path';
import type { SourceFile } from './sources';
import { FILES, importsOf, SRC } from './sources';

const ROOM = 'scheduling-rules';

/** The folder directly below the room; undefined for other rooms and for files that stand in the room itself. */
const folderOf = (path: string): string | undefined => {
  const [room, folder, file] = path.split('/');
  return room === ROOM && file !== undefined ? folder : undefined;
};

/** The folders that each folder imports. */
function folderImports(files: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const imported = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    const from = folderOf(path);
    if (from === undefined) continue;
    const targets = imported.get(from) ?? new Set();
    imported.set(from, targets);
    for (const name of imports) {
      const to = folderOf(name);
      if (to !== undefined && to !== from) targets.add(to);
    }
  }
  return imported;
}

/** The folders that remain after those without imports are removed again and again: empty if there is no cycle. */
function foldersInCycles(files = FILES): readonly string[] {
  let left = [...folderImports(files)];
  for (;;) {
    const names = new Set(left.map(([name]) => name));
    const next = left.filter(([, targets]) => [...targets].some((target) => names.has(target)));
    if (next.length === left.length) return [...names].sort();
    left = next;
  }
}

it('sees the folders', () => expect(folderImports(FILES).size).toBeGreaterThan(8));

it('the folders of the scheduling rules form no cycle', () => expect(foldersInCycles()).toEqual([]));

it.each([
  ['numa/fit.ts', '../pipeline/limits'],
  ['host-state/host-state.ts', '../filters/host-attributes'],
  ['request-spec/request-spec.ts', '../pci/alias'],
])('would find the cycle that %s makes with %s', (file, name) => {
  const path = `${ROOM}/${file}`;
  const text = `import { X } from '${name}';`;
  const violation: SourceFile = { path, text, imports: importsOf(join(SRC, path), text) };
  expect(foldersInCycles([...FILES, violation])).toContain(folderOf(path));
});
