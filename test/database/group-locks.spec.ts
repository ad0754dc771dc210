// Locks of server groups that other services register: one claim at a time for each group, and no row for ever.
import { ReleasedInstances } from '../../src/compute/instances/released-instances';
import { lockServerGroup } from '../../src/compute/registry-locks.writes';
import { SCHEDULER_LIMITS } from '../../src/platform/config/limits/scheduler';
import { testDatabaseKinds } from '../support/databases';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';

const NOW = 1_800_000_000_000;
const DAY_MS = SCHEDULER_LIMITS.groupLocksKeptSeconds * 1000;
const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));

describe.each(testDatabaseKinds())('group locks on %s', (kind) => {
  let open: OpenDatabase;
  let warnings: unknown[] = [];
  beforeAll(async () => (open = await openTestDatabase(kind)));
  afterAll(() => open.close());
  beforeEach(() => (warnings = []));

  const lock = (group: string, nowMs: number): Promise<void> =>
    open.database.write((tx) => lockServerGroup(tx, group, nowMs));
  const cleanUp = (nowMs: number): Promise<void> =>
    new ReleasedInstances(open.database, { warn: (fields) => void warnings.push(fields) }).removeGroupLocks(nowMs);
  const names = (): Promise<readonly string[]> =>
    open.database.read(async (sql) =>
      (await sql.query<{ name: string }>('SELECT name FROM registry_locks ORDER BY name')).map(({ name }) => name),
    );

  it('are removed a day after the last claim, and no other lock is', async () => {
    const before = await names();
    await lock('old', NOW);
    await lock('used', NOW);
    await lock('used', NOW + 2);
    await cleanUp(NOW + DAY_MS);
    expect(await names()).toEqual([...before, 'group/old', 'group/used'].sort());
    await cleanUp(NOW + DAY_MS + 1);
    expect(await names()).toEqual([...before, 'group/used'].sort());
    await cleanUp(NOW + DAY_MS + 3);
    expect(await names()).toEqual(before);
    expect(warnings).toEqual([]);
  });

  it('of claims within one millisecond, or with a clock behind, still change their row', async () => {
    const version = async (): Promise<number> =>
      open.database.read(async (sql) =>
        Number(
          (await sql.query<{ version: number }>("SELECT version FROM registry_locks WHERE name = 'group/clock'"))[0]
            ?.version,
        ),
      );
    for (const [nowMs, expected] of [
      [NOW, NOW],
      [NOW, NOW + 1],
      [NOW - DAY_MS, NOW + 2],
      [NOW + 5, NOW + 5],
    ] as const) {
      await lock('clock', nowMs);
      expect(await version()).toBe(expected);
    }
  });

  it('are removed a bounded number at a time', async () => {
    const groups = SCHEDULER_LIMITS.groupLocksPerRound + 1;
    await open.database.write(async (tx) => {
      await tx.run("DELETE FROM registry_locks WHERE name LIKE 'group/%'");
      for (let at = 0; at < groups; at += 1) await lockServerGroup(tx, `many-${at}`, NOW);
    });
    const count = async (): Promise<number> => (await names()).filter((name) => name.startsWith('group/')).length;
    await cleanUp(NOW + 2 * DAY_MS);
    expect(await count()).toBe(1);
    await cleanUp(NOW + 2 * DAY_MS);
    expect(await count()).toBe(0);
  });

  it('admit one claim at a time while rows are removed', async () => {
    let [inside, most, claims] = [0, 0, 0];
    const claim = (): Promise<void> =>
      open.database.write(async (tx) => {
        await lockServerGroup(tx, 'raced', NOW);
        inside += 1;
        most = Math.max(most, inside);
        await pause(1);
        inside -= 1;
        claims += 1;
      });
    // The clean-up believes that every row is unused.
    let isDone = false;
    const cleaning = (async () => {
      while (!isDone) {
        await cleanUp(NOW + 2 * DAY_MS);
        await pause(1);
      }
    })();
    for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 4 }, claim));
    isDone = true;
    await cleaning;
    expect({ most, claims }).toEqual({ most: 1, claims: 80 });
  });
});
