// Runs the access-control suites. With --matrix: prints the table of routes and policy rules for
// docs/reference/access.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const JEST = join(ROOT, 'node_modules/jest/bin/jest.js');

const args = process.argv.slice(2);
const wantsMatrix = args.includes('--matrix');
const passedOn = args.filter((arg) => arg !== '--matrix');

function runSuites(suites, env) {
  const run = spawnSync(process.execPath, [JEST, suites, ...passedOn], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: wantsMatrix ? ['ignore', 'ignore', 'inherit'] : 'inherit',
  });
  return run.status ?? 1;
}

function printMatrix() {
  const folder = mkdtempSync(join(tmpdir(), 'berth-access-'));
  const file = join(folder, 'access.md');
  try {
    const status = runSuites('test/e2e/access-page', { BERTH_ACCESS_REPORT: file });
    process.stdout.write(readFileSync(file, 'utf8'));
    if (status !== 0) console.error('docs/reference/access.md says otherwise: npm run docs');
    return status;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = wantsMatrix ? printMatrix() : runSuites('test/e2e/access', {});
