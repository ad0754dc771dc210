// `node test/nova/cloud/run.mjs [--scheduler berth|berth-inside|nova] [--only NAME] [--keep]`: starts a whole cloud and runs the scenarios.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { RUNBOOK } from './runbook.mjs';
import { allUp, removeAll, SCENARIOS } from './scenarios.mjs';
import { Cloud } from './services.mjs';

const { values } = parseArgs({
  options: {
    scheduler: { type: 'string', default: 'berth' },
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
    mysql: { type: 'string', default: process.env.BERTH_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'berth-cloud-'));
const dist = join(dirname(fileURLToPath(import.meta.url)), '../../../dist');
const cloud = new Cloud({ ...values, folder, dist, computes: ['cn1', 'cn2', 'cn3'] });
let failed = 0;
try {
  await cloud.start();
  for (const [name, scenario] of Object.entries({ ...SCENARIOS, ...RUNBOOK })) {
    if (name !== 'prepare' && values.only !== undefined && !values.only.split(',').includes(name)) continue;
    const from = performance.now();
    const took = () => `${((performance.now() - from) / 1000).toFixed(1).padStart(6)} s`;
    try {
      await allUp(cloud);
      await scenario(cloud);
      process.stdout.write(`${took()}  ok    ${name}\n`);
    } catch (error) {
      failed += 1;
      process.stdout.write(`${took()}  FAILED ${name}: ${error.stack}\n`);
      await removeAll(cloud).catch((fault) => process.stdout.write(`the rest stays: ${fault.message}\n`));
    }
  }
  if (values.keep) {
    process.stdout.write(
      `${folder}\n${Object.entries(cloud.clientEnvironment())
        .map(([k, v]) => `export ${k}=${v}`)
        .join('\n')}\n`,
    );
    await new Promise((resume) => process.once('SIGINT', resume));
  }
} catch (error) {
  failed += 1;
  process.stdout.write(`${error.stack}\n`);
} finally {
  await cloud.stop();
  if (failed === 0) rmSync(folder, { recursive: true, force: true });
  else process.stdout.write(`The logs are in ${folder}\n`);
}
process.exitCode = failed === 0 ? 0 : 1;
