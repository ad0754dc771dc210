// `npm run check`, before each commit: types, lint and format of what changed since the last check, then the specs that
// import a file that differs from the last commit, and all rules of test/architecture. Results are cached in
// node_modules/.cache. The lint of a file is not repeated when only the types that it imports changed; .ci/run has no cache.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = 'node_modules/.cache';

const steps = [
  ['types', 'npm', ['run', '--silent', 'typecheck']],
  ['lint', 'eslint', ['--max-warnings=0', '--cache', `--cache-location=${cache}/eslint`, '.']],
  ['format', 'prettier', ['--check', '--log-level=warn', '--cache', '.']],
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
