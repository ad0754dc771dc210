// The allocations on one provider, on both databases.
import { findByProvider } from '../../src/placement/allocations/allocations.repository';
import type { WriteTx } from '../../src/platform/database/sql';
import { testDatabaseKinds } from '../support/databases';
import type { OpenDatabase } from '../support/open-database';
import { openTestDatabase } from '../support/open-database';

const uuidOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const [HOST, EMPTY] = [uuidOf(1), uuidOf(2)];
const [VCPU, MEMORY_MB, DISK_GB] = [0, 1, 2];
const CONSUMERS = 7;

describe.each(testDatabaseKinds())('allocations of a provider on %s', (kind) => {
  let open: OpenDatabase;
  beforeAll(async () => {
    open = await openTestDatabase(kind);
    await open.database.write(world);
  });
  afterAll(() => open.close());

  const shown = async (uuid: string): Promise<object | undefined> => {
    const found = await open.database.readMuch((sql) => findByProvider(sql, uuid));
    return (
      found && {
        generation: found.generation,
        changedAt: found.changedAt,
        shares: found.shares.map((share) => [
          share.consumerUuid,
          share.consumerGeneration,
          Object.fromEntries(share.resources),
        ]),
      }
    );
  };

  it('are in the order in which the consumers were created', async () => {
    expect(await shown(HOST)).toEqual({
      generation: 4,
      changedAt: 107,
      shares: Array.from({ length: CONSUMERS }, (_, at) => [
        uuidOf(100 + at),
        at,
        { VCPU: 1 + at, ...(at % 3 === 0 && { MEMORY_MB: 64 }), DISK_GB: 10 },
      ]),
    });
  });

  it('are empty for an unused provider, and undefined for a missing one', async () => {
    expect(await shown(EMPTY)).toEqual({ generation: 9, changedAt: undefined, shares: [] });
    expect(await shown(uuidOf(3))).toBeUndefined();
  });
});

/** Rows are written class by class from the last consumer on, so none of their orders equals the expected one. */
async function world(tx: WriteTx): Promise<void> {
  const provider =
    'INSERT INTO resource_providers (id, uuid, name, generation, root_provider_id, created_at) VALUES (?, ?, ?, ?, ?, 1)';
  await tx.run(provider, [1, HOST, 'host', 4, 1]);
  await tx.run(provider, [2, EMPTY, 'empty', 9, 2]);
  for (const classId of [VCPU, MEMORY_MB, DISK_GB]) {
    await tx.run(
      'INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved, min_unit, max_unit, ' +
        'step_size, allocation_ratio, capacity, used, version, created_at) VALUES (1, ?, 1000, 0, 1, 1000, 1, 1, 1000, 0, 0, 1)',
      [classId],
    );
  }
  await tx.run("INSERT INTO projects (id, external_id, created_at) VALUES (1, 'red', 1)");
  await tx.run("INSERT INTO users (id, external_id, created_at) VALUES (1, 'ann', 1)");
  for (let at = 0; at < CONSUMERS; at += 1) {
    await tx.run(
      'INSERT INTO consumers (id, uuid, generation, project_id, user_id, created_at) VALUES (?, ?, ?, 1, 1, 1)',
      [100 + at, uuidOf(100 + at), at],
    );
  }
  const hold = (at: number, classId: number, used: number): Promise<number> =>
    tx.run(
      'INSERT INTO allocations (consumer_id, resource_provider_id, resource_class_id, used, created_at) ' +
        'VALUES (?, 1, ?, ?, ?)',
      [100 + at, classId, used, 101 + at],
    );
  for (let at = CONSUMERS - 1; at >= 0; at -= 1) {
    await hold(at, DISK_GB, 10);
    if (at % 3 === 0) await hold(at, MEMORY_MB, 64);
    await hold(at, VCPU, 1 + at);
  }
}
