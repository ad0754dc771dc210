// `node test/differential/run.mjs --other URL [--streams edges,tour,writes,candidates,queries] [--requests 3000]
//                          [--candidates 1000] [--queries 2000] [--seed N] [--database sqlite|mysql]
//                          [--minors 0-39] [--build FOLDER] [--examples]`
// Sends the same requests to a separate Berth and to another Placement endpoint and compares the answers. The exit code
// is 1 if a difference is not in the list of known ones. See README.md.
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { startBerth } from './berth.mjs';
import { Pair } from './pair.mjs';
import { report } from './report.mjs';
import { Side } from './side.mjs';
import { STREAMS } from './streams.mjs';

const { values } = parseArgs({
  options: {
    other: { type: 'string' },
    streams: { type: 'string', default: Object.keys(STREAMS).join(',') },
    requests: { type: 'string', default: '3000' },
    candidates: { type: 'string', default: '1000' },
    queries: { type: 'string', default: '2000' },
    minors: { type: 'string', default: '0-39' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    database: { type: 'string', default: 'sqlite' },
    build: { type: 'string' },
    examples: { type: 'boolean', default: false },
  },
});
if (values.other === undefined) {
  console.error('differential: name the endpoint to compare with, as in --other http://127.0.0.1:8778');
  process.exit(2);
}

const tag = randomBytes(4).toString('hex');
const berth = await startBerth(values.database, values.build);
const sides = [new Side(berth.url), new Side(values.other)];
if (!(await isServing(sides[1]))) {
  console.error(`differential: ${values.other} does not answer as a Placement service; nothing was compared`);
  await berth.stop();
  process.exit(2);
}
let unknown = 0;
let running;
process.on('SIGTERM', () => {
  if (running !== undefined) report(running);
  void berth.stop().then(() => process.exit(1));
});
try {
  console.log(`differential: run ${tag}, seed ${values.seed}, Berth on ${values.database}, other ${values.other}`);
  for (const name of values.streams.split(',')) {
    const began = Date.now();
    const pair = new Pair(...sides, tag).another(0xf00 + Object.keys(STREAMS).indexOf(name));
    running = { name, pair, seconds: 'a run that was stopped', isWordy: values.examples };
    const notes = await STREAMS[name](pair, values);
    const seconds = ((Date.now() - began) / 1000).toFixed(0);
    unknown += report({ name, pair, seconds, notes, isWordy: values.examples });
  }
} finally {
  for (const side of sides) side.close();
  await berth.stop();
}
console.log(unknown === 0 ? 'no unknown difference' : `${unknown} kinds of unknown difference`);
process.exit(unknown === 0 ? 0 : 1);

/** Sends a request that needs the database, so a proxy without a service fails the check. */
async function isServing(side) {
  const headers = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39' };
  const answer = await side
    .ask({ method: 'GET', path: '/resource_providers?name=nobody', headers })
    .catch(() => undefined);
  return answer?.status === 200;
}
