// `node test/galera/planted-faults.mjs [--rounds 40]`: proves that the campaigns on a cluster can fail. For each mechanism that
// makes Berth exact on a cluster, it disables the mechanism and runs a campaign. The run fails if a fault stays
// undetected.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { plant } from '../races/plant.mjs';
import { Cluster } from './cluster.mjs';
import { freshness, races } from './races.mjs';

const DIALECTS = 'src/platform/database/dialects.js';
const PROVIDERS = 'src/placement/resource-providers/providers.writes.js';

const inRaces = (cluster, entry, rounds, report) => races(cluster, { rounds, onlyFirst: true, entry, report });
const inFreshness = (cluster, entry, rounds, report) => freshness(cluster, { pairs: 4 * rounds, entry, report });

/** The disabled mechanisms, each with the edits of the build and the campaign that must detect it. */
const FAULTS = {
  'a transaction that was aborted is not told from the next': [
    [
      [DIALECTS, 'isGivenBy: ([row]) =>', 'isGivenBy: ([row]) => false &&'],
      [DIALECTS, 'wsrep_retry_autocommit = 0', 'wsrep_retry_autocommit = 1'],
    ],
    inRaces,
  ],
  'trees are held by a lock that only reads': [
    [
      [
        PROVIDERS,
        'return tx.run(`UPDATE resource_providers SET holds = holds + 1 WHERE id IN (${(0, sql_1.marks)(sorted.length)})`, sorted);',
        'return (await tx.query(`SELECT id FROM resource_providers WHERE id IN (${(0, sql_1.marks)(sorted.length)}) FOR UPDATE`, sorted)).length;',
      ],
    ],
    inRaces,
  ],
  'reads do not wait for what other nodes committed': [
    [[DIALECTS, 'wsrep_sync_wait = 1', 'wsrep_sync_wait = 0']],
    inFreshness,
  ],
};

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '40' } } });
const report = (line) => console.log(`  ${line}`);
let unnoticed = 0;
const cluster = await Cluster.start();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => void cluster.close().finally(() => process.exit(1)));
}
try {
  for (const [fault, [edits, noticing]] of Object.entries(FAULTS)) {
    const folder = mkdtempSync(join(tmpdir(), 'berth-faults-'));
    try {
      const found = await noticing(cluster, plant(folder, edits), Number(values.rounds), report).catch((error) => {
        report(error.message);
        return 1;
      });
      console.log(`${found === 0 ? 'UNNOTICED' : 'noticed'}: ${fault}`);
      if (found === 0) unnoticed += 1;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
} finally {
  await cluster.close();
}
console.log(`${unnoticed} planted faults went unnoticed`);
process.exit(unnoticed === 0 ? 0 : 1);
