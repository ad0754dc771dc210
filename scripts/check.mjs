// `npm run check`, before each commit: types, lint, format and all rules of test/architecture, then the specs that
// import a file that differs from the last commit.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const steps = [
  ['types', 'npm', ['run', '--silent', 'typecheck']],
  ['lint', 'oxlint', ['--deny-warnings']],
  ['format', 'oxfmt', ['--check']],
  ['architecture', 'jest', ['--selectProjects', 'architecture', '--silent']],
  ['tests', 'jest', ['--selectProjects', 'unit', 'conformance', '--onlyChanged', '--silent']],
];

/** Two steps at a time, one for each core of a small machine. */
const failed = [];
const waiting = steps.values();
await Promise.all([work(), work()]);
if (failed.length > 0) console.error(`FAILED: ${failed.join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);

async function work() {
  for (const [name, command, options] of waiting) {
    const began = performance.now();
    const { status, output } = await run(command, options);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    console.log(`${status === 0 ? 'passed' : 'FAILED'} after ${seconds.padStart(5)} s: ${name}`);
    if (status === 0) continue;
    failed.push(name);
    console.error(output);
  }
}

function run(command, options) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, BERTH_TEST_MYSQL_URL: 'none', PATH: `${root}node_modules/.bin:${process.env.PATH}` };
    const child = spawn(command, options, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output }));
  });
}
