// `npm test`: every suite on SQLite, and also on MySQL/MariaDB if a server is reachable. Prints the counts by layer and
// the tested databases. Arguments go to Jest. With BERTH_ONCE_MORE=1 it reruns up to three failed files alone, and
// reports those that then pass as unsteady.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reachableMysql } from './test-database.mjs';

/** More failed files than this indicate a real fault. */
const UNSTEADY_FILES_MAX = 3;

const root = fileURLToPath(new URL('..', import.meta.url));
const server = await reachableMysql();
if (server === undefined && process.env.BERTH_REQUIRE_MYSQL === '1') {
  console.error('MySQL or MariaDB is required here (BERTH_REQUIRE_MYSQL=1) and none is reachable.');
  process.exit(1);
}

const isWorkers = (word) => word.startsWith('--maxWorkers');
const folder = mkdtempSync(join(tmpdir(), 'berth-jest-'));
// Suites wait for timers and databases almost half of their time, so two cores serve three workers.
let { status, results } = runJest(
  ...(process.argv.some(isWorkers) ? [] : ['--maxWorkers=3']),
  ...process.argv.slice(2),
);
let unsteady = [];
if (process.env.BERTH_ONCE_MORE === '1') ({ status, results, unsteady } = onceMore(status, results));
printCounts(results);
for (const path of unsteady) console.log(`UNSTEADY: ${path} failed in parallel and passed alone. Fix it.`);
rmSync(folder, { recursive: true, force: true });
const isOff = process.env.BERTH_TEST_MYSQL_URL === 'none';
const missing = isOff
  ? 'MySQL and MariaDB were switched off by BERTH_TEST_MYSQL_URL=none'
  : 'no MySQL or MariaDB was reachable';
const mysql = server === undefined ? missing : server.version;
console.log(`Databases tested: SQLite, ${mysql}.`);
process.exit(status);

/** Jest's exit status and its result per file. */
function runJest(...options) {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const jest = spawnSync(
    process.execPath,
    [
      // Workers inherit the flag: it forces collection before the heap takes all memory of the machine. The limit must
      // exceed `workerIdleMemoryLimit` plus the needs of the largest files.
      '--max-old-space-size=768',
      // Suites leave much garbage: with the default of 16 MB they take 8 % more CPU.
      '--max-semi-space-size=64',
      join(root, 'node_modules/jest/bin/jest.js'),
      '--json',
      `--outputFile=${report}`,
      ...options,
    ],
    {
      cwd: root,
      // The report goes to a file; the terminal shows stderr.
      stdio: ['inherit', 'ignore', 'inherit'],
      env: { ...process.env, BERTH_TEST_MYSQL_URL: server?.url ?? 'none' },
    },
  );
  try {
    return { status: jest.status ?? 1, results: JSON.parse(readFileSync(report, 'utf8')) };
  } catch {
    console.error('Jest wrote no report.');
    process.exit(jest.status || 1);
  }
}

/** Reruns a few failed files one after the other: the gate must judge the change, not the machine's load. */
function onceMore(status, results) {
  const failed = results.testResults.filter((file) => file.status === 'failed').map((file) => file.name);
  if (status === 0 || failed.length === 0 || failed.length > UNSTEADY_FILES_MAX)
    return { status, results, unsteady: [] };
  console.error(`\nOnce more, alone: ${failed.join(', ')}`);
  const again = runJest('--runInBand', '--runTestsByPath', ...failed);
  const of = (name) => again.results.testResults.find((file) => file.name === name);
  return {
    status: again.status,
    results: { testResults: results.testResults.map((file) => of(file.name) ?? file) },
    unsteady: failed.filter((name) => of(name)?.status === 'passed').map((name) => name.slice(root.length)),
  };
}

function printCounts(results) {
  const layers = new Map();
  for (const suite of results.testResults) {
    const path = suite.name.slice(root.length);
    const layer = path.startsWith('test/') ? path.split('/')[1] : 'unit';
    const count = layers.get(layer) ?? { passed: 0, failed: 0, skipped: 0 };
    layers.set(layer, count);
    if (suite.assertionResults.length === 0 && suite.status === 'failed') count.failed += 1;
    for (const { status } of suite.assertionResults) {
      if (status === 'passed') count.passed += 1;
      else if (status === 'failed') count.failed += 1;
      else count.skipped += 1;
    }
  }
  for (const [layer, { passed, failed, skipped }] of [...layers].sort()) {
    console.log(`${layer.padEnd(14)} ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  }
}
