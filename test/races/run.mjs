// `npm run races -- [--database sqlite|mysql] [--rounds 50]`: the race campaign against built processes, two on MySQL,
// one on SQLite. Ends with the number of faults; exit code 1 when there is any.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Cloud, openDatabase, runCampaign, startServices } from './campaign.mjs';

const { values } = parseArgs({
  options: { database: { type: 'string' }, rounds: { type: 'string', default: '50' }, entry: { type: 'string' } },
});
const kinds = values.database === undefined ? ['sqlite', 'mysql'] : [values.database];
const rounds = Number(values.rounds);
let failed = 0;

for (const kind of kinds) {
  const count = kind === 'mysql' ? 2 : 1;
  const folder = mkdtempSync(join(tmpdir(), 'berth-races-'));
  const database = await openDatabase(kind, folder);
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
process.exit(failed === 0 ? 0 : 1);
