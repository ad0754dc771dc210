// Compiles client/ into client/dist/, src/ and migrations/ into dist/, builds console/ into dist/console/ beside that, and
// puts the entries where they are expected: dist/main.js, dist/cli.js. They come last: half a build must not pass for one.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildClient } from './build-client.mjs';
import { startConsoleBuild } from './build-console.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

export async function build() {
  rmSync(`${root}dist`, { recursive: true, force: true });
  const consoleBuild = startConsoleBuild();
  // Whoever gives up early leaves nobody behind who still writes.
  process.once('exit', consoleBuild.stop);
  buildClient();
  const tsc = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (tsc.status !== 0) process.exit(tsc.status ?? 1);
  if (!(await consoleBuild.ended)) process.exit(1);
  process.off('exit', consoleBuild.stop);
  mkdirSync(`${root}dist`, { recursive: true });
  writeFileSync(`${root}dist/main.js`, "'use strict';\nrequire('./src/main.js');\n");
  writeFileSync(`${root}dist/cli.js`, "#!/usr/bin/env node\n'use strict';\nrequire('./src/cli.js');\n", {
    mode: 0o755,
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
