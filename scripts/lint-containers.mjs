// Checks the Dockerfile and docker-compose.yml, which no test runs.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { validate } = createRequire(import.meta.url)('dockerfile-utils');

const problems = validate(readFileSync(`${root}Dockerfile`, 'utf8'), {});
for (const { range, message } of problems) console.log(`Dockerfile:${range.start.line + 1}: ${message}`);
const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
const compose = spawnSync(npx, ['--no-install', 'dclint', '--max-warnings', '0', 'docker-compose.yml'], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(problems.length === 0 && compose.status === 0 ? 0 : 1);
