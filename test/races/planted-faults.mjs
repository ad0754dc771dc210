// `node test/races/planted-faults.mjs`: proves that the race campaign can fail. For each deliberate fault it copies the build,
// inserts the fault and runs the campaign until it finds a fault. The run fails if a fault stays undetected.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Cloud, openDatabase, runCampaign, startServices } from './campaign.mjs';
import { plant } from './plant.mjs';

const USAGE = 'src/placement/inventories/usage.writes.js';
const CONSUMERS = 'src/placement/consumers/consumers.writes.js';

/** Each fault with the edits of the build that cause it: [file, text, replacement]. */
const FAULTS = {
  'the condition for room is removed': [[USAGE, 'if (room > 0)', 'if (false)']],
  'old amounts are read before the consumer is held': [
    [
      CONSUMERS,
      'const fresh = new Map();',
      'const fresh = new Map(); const early = await readConsumers(tx, sorted.map((claimant) => claimant.uuid));',
    ],
    [
      CONSUMERS,
      'return fresh.size === 0 ? read : new Map([...fresh, ...read]);',
      'return new Map([...fresh, ' +
        '...[...read].map(([uuid, held]) => [uuid, { ...held, before: early.get(uuid)?.before ?? [] }])]);',
    ],
  ],
  'units are not checked': [[USAGE, 'if (amounts.length > 0)', 'if (false)']],
  'the sum of a group is not checked': [
    ['src/placement/allocations/claim-law.js', 'sum.room += move.room;', 'sum.room = move.room;'],
  ],
  'a claim in one round trip is not judged': [
    [
      'src/placement/allocations/allocations.writes.js',
      'CASE ${matchedRows} WHEN ? THEN ? END',
      'CASE ? WHEN -1 THEN 0 ELSE ? END',
    ],
  ],
  'a group that does not fit is taken for granted': [
    ['src/placement/allocations/allocation-writer.js', 'throw new GroupConflict();', ';'],
  ],
  'a group is acknowledged before it is committed': [
    [
      'src/placement/allocations/allocation-groups.js',
      'await this.db.write((tx) => this.writer.writeTogether(tx, group, nowMs), { since });',
      'void this.db.write((tx) => this.writer.writeTogether(tx, group, nowMs), { since }).catch(() => undefined);',
    ],
  ],
  'the number of affected rows is ignored': [
    ['src/placement/allocations/allocation-writer.js', 'const hasMoved = !isHuge &&', 'const hasMoved = !isHuge ||'],
  ],
};

const { values } = parseArgs({
  options: { database: { type: 'string', default: 'mysql' }, rounds: { type: 'string', default: '10' } },
});
let unnoticed = 0;

for (const [fault, edits] of Object.entries(FAULTS)) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-faults-'));
  const entry = plant(folder, edits);
  const database = await openDatabase(values.database, folder);
  const services = await startServices({
    count: values.database === 'mysql' ? 2 : 1,
    databaseUrl: database.url,
    entry,
  });
  try {
    const cloud = new Cloud(services.urls, database.query);
    const [found] = await runCampaign(cloud, Number(values.rounds), { onlyFirst: true });
    console.log(
      `${found === undefined ? 'UNNOTICED' : 'noticed'}: ${fault}${found === undefined ? '' : ` (${found})`}`,
    );
    if (found === undefined) unnoticed += 1;
  } finally {
    await services.stop();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(
  `${Object.keys(FAULTS).length - unnoticed} of ${Object.keys(FAULTS).length} planted faults noticed on ${values.database}`,
);
process.exit(unnoticed === 0 ? 0 : 1);
