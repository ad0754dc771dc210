// `npm test`: every suite on SQLite, and also on MySQL/MariaDB if a server is reachable. Arguments go to Jest. The last
// line names the tested databases. With BERTH_ONCE_MORE=1 failed files run again, alone: the gate must judge the change,
// not the load of the machine.
import { spawnSync } from 'node:child_process';
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

const options = process.argv.slice(2);
// Suites wait for timers and databases almost half of their time, so two cores serve three workers.
let status = jest('--maxWorkers=3', ...options);
if (status !== 0 && process.env.BERTH_ONCE_MORE === '1') {
  console.error('\nOnce more, the failed files alone.');
  status = jest(...options, '--onlyFailures', '--maxWorkers=1', `--bail=${UNSTEADY_FILES_MAX + 1}`);
  if (status === 0) console.log('UNSTEADY: these files failed in parallel and passed alone. Fix them.');
}
const isOff = process.env.BERTH_TEST_MYSQL_URL === 'none';
const missing = isOff
  ? 'MySQL and MariaDB were switched off by BERTH_TEST_MYSQL_URL=none'
  : 'no MySQL or MariaDB was reachable';
console.log(`Databases tested: SQLite, ${server?.version ?? missing}.`);
process.exit(status);

/** Jest's exit status. */
function jest(...args) {
  // Workers inherit the flags. The first one forces collection before the heap takes all memory of the machine; it must
  // exceed `workerIdleMemoryLimit` plus the needs of the largest files. The second one saves 8 % of CPU, because suites
  // leave much garbage.
  const flags = ['--max-old-space-size=768', '--max-semi-space-size=64'];
  const env = { ...process.env, BERTH_TEST_MYSQL_URL: server?.url ?? 'none' };
  const command = [...flags, `${root}node_modules/jest/bin/jest.js`, ...args];
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit', env }).status ?? 1;
}
