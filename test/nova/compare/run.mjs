// `node test/nova/compare/run.mjs [--seed N --requests N --only KIND,KIND --output FILE]`: asks nova's scheduler and Berth the
// same requests, and prints a table of the outcomes by kind, then every difference.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '400' },
    only: { type: 'string' },
    output: { type: 'string' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'berth-compare-'));
const output = values.output ?? join(folder, 'table');
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  ['node_modules/jest/bin/jest.js', '--selectProjects', 'nova', '--testPathPatterns', 'compare/comparison'],
  {
    cwd: join(dirname(fileURLToPath(import.meta.url)), '../../..'),
    encoding: 'utf8',
    env: {
      ...process.env,
      BERTH_REQUIRE_CLIENTS: '1',
      BERTH_SEED: values.seed,
      BERTH_REQUESTS: values.requests,
      BERTH_OUTPUT: output,
      ...(values.only !== undefined && { BERTH_ONLY: values.only }),
    },
  },
);
try {
  process.stdout.write(`seed ${values.seed}\n${readFileSync(output, 'utf8')}`);
} catch {
  process.stderr.write(stdout + stderr);
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;
