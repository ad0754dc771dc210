// Compiles client/ into client/dist/, src/ and migrations/ into dist/, and puts the entries where they are expected: dist/main.js, dist/cli.js.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildClient } from './build-client.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

export function build() {
  buildClient();
  rmSync(`${root}dist`, { recursive: true, force: true });
  const tsc = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (tsc.status !== 0) process.exit(tsc.status ?? 1);
  mkdirSync(`${root}dist`, { recursive: true });
  writeFileSync(`${root}dist/main.js`, "'use strict';\nrequire('./src/main.js');\n");
  writeFileSync(`${root}dist/cli.js`, "#!/usr/bin/env node\n'use strict';\nrequire('./src/cli.js');\n", {
    mode: 0o755,
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build();
