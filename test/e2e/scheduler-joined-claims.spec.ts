// Concurrent claims of one process share a transaction. Each decision is answered as if its claim were alone: one that
// cannot be granted takes nothing from the others.
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { StatementCounter } from '../support/statement-counter';
import { installStatementCounter } from '../support/statement-counter';
import type { Json } from './scheduler-cloud';
import { allocationsOf, books, instance, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { operatorOf } from './scheduler-operator';

const REQUESTS = 24;
const SMALL = { flavor: { name: 'small', vcpus: 1, memory_mb: 512 } };

describe.each(testDatabaseKinds())('concurrent decisions on %s', (kind) => {
  let service: TestService;
  let operator: Operator;
  let counter: StatementCounter;
  let next = 1;
  beforeAll(async () => {
    service = await startTestService(kind);
    operator = operatorOf(service);
    counter = installStatementCounter();
    await operator.report('alpha', 16 * 512);
    await operator.report('beta', 4 * 512);
  });
  afterAll(async () => {
    counter.uninstall();
    await service.stop();
  });
  afterEach(async () => {
    for (const uuid of await operator.instances()) await operator.release(uuid);
    expect(await books(service)).toEqual({ consumers: 0, faults: [] });
  });

  const fresh = (count: number): string[] => Array.from({ length: count }, () => instance((next += 1)));
  const all = async (instances: readonly string[]): Promise<readonly (string | number)[]> => {
    const answers = await Promise.all(instances.map((uuid) => select(service, { instances: [uuid], ...SMALL })));
    return answers.map(({ status, json }) =>
      status === 200 ? ((json.selections as Json[])[0]?.['selected'].host as string) : status,
    );
  };

  it('are all placed, in fewer transactions', async () => {
    const instances = fresh(12);
    const statements = await counter.during(() => all(instances));
    for (const uuid of instances) expect(await allocationsOf(service, uuid)).not.toEqual({});
    expect([...(await operator.instances())].sort()).toEqual([...instances].sort());
    const claims = statements.filter((text) => text.startsWith('INSERT INTO scheduler_instances '));
    expect(claims.length).toBeGreaterThan(0);
    // SQLite has written one claim before the next decision is made.
    expect(claims.length).toBeLessThan(instances.length + (kind === 'mysql' ? 0 : 1));
  });

  it('sell each slot once where not all find room', async () => {
    const placed = await all(fresh(REQUESTS));
    expect(placed.filter((host) => host === 'alpha')).toHaveLength(16);
    expect(placed.filter((host) => host === 'beta')).toHaveLength(4);
    expect(placed.filter((host) => host === 409)).toHaveLength(REQUESTS - 20);
  });

  it('are placed together with one whose instance has allocations already', async () => {
    const [taken = '', ...others] = fresh(8);
    await select(service, { instances: [taken], ...SMALL });
    const held = await allocationsOf(service, taken);
    const placed = await all([...others.slice(0, 3), taken, ...others.slice(3)]);
    expect(placed[3]).toBe(409);
    expect(placed.filter((host) => host !== 409)).toHaveLength(others.length);
    expect(Object.keys(await allocationsOf(service, taken))).toEqual(Object.keys(held));
  });
});
