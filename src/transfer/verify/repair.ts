// Repairs the violations that `findBrokenLaws` finds, one kind after another, with an explanation of each repair. A dry
// run only reports. Order: references first, usage last, because one repair can cause or fix the next violation.
import { REPAIR_LIMITS } from '../../platform/config/limits/transfer';
import type { Database } from '../../platform/database/database';
import { WHOLE_LOAD } from '../../platform/database/database';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { chunks } from '../../platform/database/sql';
import { byText } from '../../platform/values/text-order';
import type { WrongCapacity, WrongUsage } from './broken-laws';
import { findGhosts, findWrongCapacity, findWrongUsage } from './broken-laws';
import { findOrphans, ORPHAN_RULES, orphanSubject, repairOrphans } from './orphans';
import { describeTreeRepair, findTreeRepairs, repairTrees } from './tree-repairs';

/** Maximum of repairs in the list; all of them are counted. */
const REPAIRS_LISTED = 1_000;
const LIMIT = ` LIMIT ${REPAIR_LIMITS.foundPerRound}`;

/** One kind of violation: how to find, describe and repair it. */
interface Repair<F> {
  readonly find: (sql: SqlReader) => Promise<readonly F[]>;
  readonly describe: (fault: F) => string;
  /** Returns how many were repaired. Rows that have changed in the meantime are left for the next run. */
  readonly apply: (tx: WriteTx, faults: readonly F[]) => Promise<number>;
}

/** `isDry`: writes no changes. `report` receives a sentence for each repair. */
export async function repairDatabase(database: Database, isDry: boolean, report: (text: string) => void) {
  let [found, repaired] = [0, 0];
  const run = async <F>(repair: Repair<F>): Promise<void> => {
    const faults = await database.readSnapshot((sql) => repair.find(sql), WHOLE_LOAD);
    for (const fault of faults) {
      found += 1;
      if (found <= REPAIRS_LISTED) report(repair.describe(fault));
    }
    if (isDry) return;
    for (const part of chunks(faults, REPAIR_LIMITS.repairsPerWrite)) {
      repaired += await database.write((tx) => repair.apply(tx, part));
    }
  };
  for (const rule of ORPHAN_RULES) {
    await run({
      find: (sql) => findOrphans(sql, rule),
      describe: (orphan) => `${orphanSubject(orphan)}: ${rule.repair}`,
      apply: repairOrphans,
    });
  }
  await run(GHOSTS);
  await run({ find: findTreeRepairs, describe: describeTreeRepair, apply: repairTrees });
  await run(CAPACITY);
  await run(USAGE);
  if (found > REPAIRS_LISTED) report(`… and ${found - REPAIRS_LISTED} more`);
  return { found, repaired };
}

const GHOSTS: Repair<{ readonly id: number; readonly uuid: string }> = {
  find: (sql) => findGhosts(sql, LIMIT),
  describe: ({ uuid }) => `consumer ${uuid}: removed: a consumer exists only while it has allocations`,
  apply: async (tx, faults) => {
    let count = 0;
    for (const { id } of [...faults].sort(byText(({ uuid }) => uuid))) {
      // The update locks the row: a concurrent claim either has committed before, or finds the consumer deleted.
      await tx.run('UPDATE consumers SET generation = generation + 1 WHERE id = ?', [id]);
      const [row] = await tx.query('SELECT 1 AS one FROM allocations WHERE consumer_id = ? LIMIT 1', [id]);
      if (row === undefined) count += await tx.run('DELETE FROM consumers WHERE id = ?', [id]);
    }
    return count;
  },
};

const CAPACITY: Repair<WrongCapacity> = {
  find: (sql) => findWrongCapacity(sql, REPAIR_LIMITS.foundPerRound),
  describe: (row) =>
    `${row.name} on resource provider ${row.uuid}: capacity set from ${row.capacity} to ${row.right}, which is ` +
    'what total, reserved and ratio give',
  apply: async (tx, faults) => {
    let count = 0;
    for (const row of faults) {
      const matched = await tx.run(
        'UPDATE inventories SET capacity = ?, version = version + 1 ' +
          'WHERE id = ? AND total = ? AND reserved = ? AND allocation_ratio = ?',
        [row.right, row.id, row.total, row.reserved, row.allocationRatio],
      );
      count += matched;
      if (matched > 0) tx.changes.tree(row.provider_id);
    }
    return count;
  },
};

const USAGE: Repair<WrongUsage> = {
  find: (sql) => findWrongUsage(sql, LIMIT),
  describe: ({ name, uuid, used, held }) =>
    `${name} on resource provider ${uuid}: used set from ${used} to ${Number(held)}, the sum of the allocations`,
  apply: async (tx, faults) => {
    let count = 0;
    for (const { id, provider_id: providerId, class_id: classId } of faults) {
      // Locks the record first: a concurrent writer of its usage either has committed its allocations too, or waits.
      await tx.run('UPDATE inventories SET version = version + 1 WHERE id = ?', [id]);
      const matched = await tx.run(
        'UPDATE inventories SET used = (SELECT COALESCE(SUM(a.used), 0) FROM allocations a ' +
          'WHERE a.resource_provider_id = ? AND a.resource_class_id = ?) WHERE id = ?',
        [providerId, classId, id],
      );
      count += matched;
      tx.changes.usage(providerId, classId);
    }
    return count;
  },
};
