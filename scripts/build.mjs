// Compiles src/ and migrations/ into dist/, builds console/ into dist/console/ in parallel, then writes the entry
// points dist/main.js and dist/cli.js. They come last, because an incomplete build must not count as a build. Types are
// not checked (`npm run typecheck`). swc is no faster, and its output runs searches of nested trees 50 % slower.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns whether the build succeeded; errors go to the terminal. */
export async function build() {
  rmSync(`${root}dist`, { recursive: true, force: true });
  const [service, page] = [
    [`${root}node_modules/@typescript/native/bin/tsc`, '-p', 'tsconfig.build.json', '--noCheck'],
    [`${root}scripts/build-console.mjs`],
  ].map((command) => spawn(process.execPath, command, { cwd: root, stdio: 'inherit' }));
  // The children must not write into dist/ after this process has ended.
  const stop = () => [service, page].forEach((child) => child.kill());
  process.once('exit', stop);
  const codes = await Promise.all([service, page].map((child) => once(child, 'exit').then(([code]) => code)));
  process.off('exit', stop);
  if (codes.some((code) => code !== 0)) return false;
  mkdirSync(`${root}dist`, { recursive: true });
  writeFileSync(`${root}dist/main.js`, "'use strict';\nrequire('./src/main.js');\n");
  writeFileSync(`${root}dist/cli.js`, "#!/usr/bin/env node\n'use strict';\nrequire('./src/cli.js');\n", {
    mode: 0o755,
  });
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !(await build())) process.exit(1);
