// Compiles src/ and migrations/ into dist/, builds console/ into dist/console/ at the same time, and puts the entries where
// they are expected: dist/main.js, dist/cli.js. They come last: half a build must not pass for one. Types are not checked:
// `npm run typecheck`. (swc compiles in a second, but searches of nested trees then take half as much time again.)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Whether it succeeded. What was wrong stands on the terminal. */
export async function build() {
  rmSync(`${root}dist`, { recursive: true, force: true });
  const [service, page] = [
    [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json', '--noCheck'],
    [`${root}scripts/build-console.mjs`],
  ].map((command) => spawn(process.execPath, command, { cwd: root, stdio: 'inherit' }));
  // Nothing may write into dist/ after this process has ended.
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
