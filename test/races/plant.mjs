// Copies the build and inserts a deliberate fault into the copy.
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** `edits` are [file, text, replacement]. Returns the entry file of the copy in `folder`. */
export function plant(folder, edits) {
  cpSync(`${root}dist`, join(folder, 'dist'), { recursive: true });
  cpSync(`${root}package.json`, join(folder, 'package.json'));
  symlinkSync(`${root}node_modules`, join(folder, 'node_modules'));
  for (const [file, text, replacement] of edits) {
    const path = join(folder, 'dist', file);
    const source = readFileSync(path, 'utf8');
    if (!source.includes(text)) throw new Error(`${file} has no "${text}" any more: mend this script`);
    writeFileSync(path, source.replace(text, replacement));
  }
  return join(folder, 'dist/main.js');
}
