// What a node does with a batch whose transaction is aborted by a commit on another node, in sessions with different
// settings. Berth's own session must commit nothing of such a batch and must receive an error. `INSERT … SELECT` makes
// the case reproducible: the abort does not interrupt it, and it stays successful although its transaction is gone.
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { CERTIFICATION, MYSQL } from '../../dist/src/platform/database/dialects.js';

const STRIKE_AFTER_MS = 500;
const SLOW = "INSERT INTO marks (what) SELECT CONCAT('slow', SLEEP(1.2)) FROM counters WHERE id = 3";

/** The settings of each session, and the statements around a transaction. */
const SESSIONS = {
  'a plain session': { setUp: [], control: MYSQL.control, isExact: false },
  'without the server’s own retry': {
    setUp: ['SET SESSION wsrep_retry_autocommit = 0'],
    control: MYSQL.control,
    isExact: false,
  },
  'as Berth uses it': { setUp: MYSQL.sessionSetup, control: CERTIFICATION.control, isExact: true },
};

const add = (id) => `UPDATE counters SET value = value + 1 WHERE id = ${id}`;
const mark = "INSERT INTO marks (what) VALUES ('behind')";

/**
 * Batches of one transaction. The other node changes counter 1 while the slow statement runs, or between two batches.
 */
const BATCHES = {
  'aborted in the middle of a batch': (control) => [[...control.begin, add(1), SLOW, add(2), mark, ...control.commit]],
  'aborted right before its commit': (control) => [[...control.begin, add(1), SLOW, ...control.commit]],
  'aborted between two batches': (control) => [
    [...control.begin, add(1)],
    [add(2), mark, ...control.commit],
  ],
  'not aborted': (control) => [[...control.begin, add(2), mark, ...control.commit]],
};

/** Returns how often Berth's own session kept a write of an aborted transaction or received success for it. */
export async function packets(cluster, { report }) {
  const [here, there] = cluster.nodes;
  await here.query('CREATE DATABASE IF NOT EXISTS berth_packets');
  await here.query('CREATE TABLE berth_packets.counters (id INT PRIMARY KEY, value INT NOT NULL) ENGINE=InnoDB');
  await here.query('CREATE TABLE berth_packets.marks (id BIGINT AUTO_INCREMENT PRIMARY KEY, what TEXT) ENGINE=InnoDB');
  let wrong = 0;
  for (const [who, session] of Object.entries(SESSIONS)) {
    for (const [what, batchesOf] of Object.entries(BATCHES)) {
      const found = await seen(here, there, session, batchesOf(session.control), what !== 'not aborted');
      const isRight =
        what === 'not aborted' ? found.isReported && found.kept === 2 : !found.isReported && found.kept === 0;
      report(`  ${who}, ${what}: ${found.answer}, ${found.kept} of its writes are there${isRight ? '' : ' (wrong)'}`);
      if (session.isExact && !isRight) wrong += 1;
    }
  }
  await here.query('DROP DATABASE berth_packets');
  return wrong;
}

async function seen(here, there, { setUp }, batches, isStruck) {
  await here.query('DELETE FROM berth_packets.marks');
  await here.query('REPLACE INTO berth_packets.counters VALUES (1, 0), (2, 0), (3, 0)');
  await there.query('SET SESSION wsrep_sync_wait = 1');
  await there.query('SELECT COUNT(*) FROM berth_packets.marks');
  const url = `${here.url}/berth_packets`;
  const connection = await mysql.createConnection({ uri: url, multipleStatements: true, flags: ['FOUND_ROWS'] });
  try {
    for (const statement of setUp) await connection.query(statement);
    const answer = await answerTo(connection, batches, async () => {
      await sleep(STRIKE_AFTER_MS);
      if (isStruck) await there.query('UPDATE berth_packets.counters SET value = 100 WHERE id = 1');
    });
    await connection.query('ROLLBACK').catch(() => connection.query('ROLLBACK'));
    const [row] = await there.query(
      'SELECT (SELECT SUM(value) FROM berth_packets.counters WHERE id > 1) AS counted, ' +
        '(SELECT COUNT(*) FROM berth_packets.marks) AS marked',
    );
    return { answer, isReported: answer === 'success', kept: Number(row.counted) + Number(row.marked) };
  } finally {
    connection.destroy();
  }
}

/** Strikes while the first batch runs, or after its answer if more batches follow. */
async function answerTo(connection, batches, strike) {
  const [first, ...others] = batches;
  const sent = connection.query(first.join(';\n'));
  sent.catch(() => undefined);
  if (others.length === 0) await strike();
  try {
    await sent;
    if (others.length > 0) await strike();
    for (const batch of others) await connection.query(batch.join(';\n'));
    return 'success';
  } catch (error) {
    return `error ${error.errno}`;
  }
}
