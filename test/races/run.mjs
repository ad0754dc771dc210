// `node test/races/run.mjs [--database sqlite|mysql] [--rounds 50] [--kills 20]`: runs the race campaign against built
// processes, two on MySQL and one on SQLite. With `--kills` it kills processes while they place batches instead. It
// prints the number of faults; the exit code is 1 if there is one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killRounds } from './batches.mjs';
import { Cloud, openDatabase, runCampaign, startServices } from './campaign.mjs';

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    entry: { type: 'string' },
    rounds: { type: 'string', default: '50' },
    kills: { type: 'string', default: '0' },
  },
});
const kinds = values.database === undefined ? ['sqlite', 'mysql'] : [values.database];
const [rounds, kills] = [Number(values.rounds), Number(values.kills)];
let failed = 0;

for (const kind of kinds) {
  const count = kind === 'mysql' ? 2 : 1;
  const folder = mkdtempSync(join(tmpdir(), 'berth-races-'));
  const database = await openDatabase(kind, folder);
  if (kills > 0) {
    failed += await killed(kind, folder, database);
    continue;
  }
  const services = await startServices({
    count,
    databaseUrl: database.url,
    ...(values.entry !== undefined && { entry: values.entry }),
  });
  try {
    console.log(`races on ${kind}, ${count} process(es), ${rounds} rounds of each kind`);
    const cloud = new Cloud(services.urls, database.query);
    const faults = await runCampaign(cloud, rounds, { report: (line) => console.log(`  ${line}`) });
    for (const fault of faults.slice(0, 20)) console.log(`  FAULT ${fault}`);
    console.log(`  ${faults.length} faults`);
    failed += faults.length;
  } finally {
    await services.stop();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The number of faults that the batches of killed processes left. */
async function killed(kind, folder, database) {
  console.log(`batches on ${kind} whose process is killed`);
  const { url: databaseUrl, query } = database;
  const entry = values.entry === undefined ? {} : { entry: values.entry };
  try {
    const report = (line) => console.log(`  ${line}`);
    const faults = await killRounds({ databaseUrl, query, rounds: kills, report, ...entry });
    for (const fault of faults.slice(0, 20)) console.log(`  FAULT ${fault}`);
    console.log(`  ${faults.length} faults`);
    return faults.length;
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exit(failed === 0 ? 0 : 1);
