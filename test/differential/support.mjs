// Loads helpers of the test suites, written in TypeScript, in plain Node: compiles them like the tests.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';

export async function importTypeScript(path) {
  const source = readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
  const options = {
    swcrc: false,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'es6' },
  };
  const folder = mkdtempSync(join(tmpdir(), 'berth-differential-'));
  try {
    const file = join(folder, 'compiled.mjs');
    writeFileSync(file, transformSync(source, options).code);
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
