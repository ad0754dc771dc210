// nova's own scheduler and Berth decide the same requests. Skipped without Debian's python3-nova, RabbitMQ and MariaDB,
// unless BERTH_REQUIRE_CLIENTS=1. `node test/nova/compare/run.mjs` asks more requests.
import { writeFileSync } from 'node:fs';
import { testDatabaseKinds } from '../../support/databases';
import { hasRabbit } from '../../support/rabbit';
import { compare, shown, tableOf } from './comparison';
import { KINDS } from './kinds';
import { hasNova } from './reference';

const isAble = testDatabaseKinds().includes('mysql') && hasRabbit() && hasNova();
const suite = isAble || process.env['BERTH_REQUIRE_CLIENTS'] === '1' ? describe : describe.skip;
const requests = Number(process.env['BERTH_REQUESTS'] ?? KINDS.length);
const seed = Number(process.env['BERTH_SEED'] ?? 1);
const only = process.env['BERTH_ONLY'];
const output = process.env['BERTH_OUTPUT'];

suite('Berth and the scheduler of nova', () => {
  it(`choose the same hosts, or hosts that nova weighs equal (seed ${seed})`, async () => {
    const cases = await compare(seed, requests, only === undefined ? undefined : new Set(only.split(',')));
    const differences = cases.filter(({ outcome }) => outcome === 'different');
    if (output !== undefined) {
      writeFileSync(output, [tableOf(cases), ...differences.map(shown), ''].join('\n'));
      writeFileSync(`${output}.json`, JSON.stringify(differences));
    }
    expect(differences.map(shown)).toEqual([]);
    // Without a best host of its own, a comparison proves little.
    const decided = cases.filter(({ isRefusal }) => !isRefusal);
    expect(decided.filter(({ isUnique }) => isUnique).length).toBeGreaterThanOrEqual(cases.length / 2);
  }, 1_800_000);
});
