import mysql from 'mysql2/promise';
// Reads the tables of a service directly, to check that a request changed nothing. Excludes what a refused request can
// still change: the change log and its lanes, owners (which are never removed) and stored decisions.
import { Sqlite } from '../support/sqlite-driver.mjs';

const LEFT_OUT =
  /^(sqlite_.*|change_log|writer_lanes|projects|users|consumer_types|scheduler_decisions|scheduler_decision_subjects|scheduler_plans|registry_locks|berth_migrations|migrations)$/;

/** Columns that a claim can raise and never lowers. */
const RAISED = {
  resource_providers: ['generation', 'updated_at'],
  inventories: ['version', 'updated_at'],
  server_groups: ['generation', 'version', 'updated_at'],
};

const isRaised = (now, was) => Number(now) >= Number(was);
/** Columns of the last refused report. */
const REFUSED = { scheduler_services: ['refused_at', 'refusal'] };
const isAny = () => true;

function isSameBut(columns, isAllowed, before, after) {
  if (columns === undefined || before === after) return before === after;
  const [old, now] = [rowsById(before), rowsById(after)];
  return (
    old.size === now.size &&
    [...now].every(([id, row]) => {
      const was = old.get(id);
      return (
        was !== undefined &&
        Object.keys(row).every(
          (key) => row[key] === was[key] || (columns.includes(key) && isAllowed(row[key], was[key])),
        )
      );
    })
  );
}

const rowsById = (rows) =>
  new Map(
    rows
      .split('\n')
      .filter((row) => row !== '')
      .map((row) => JSON.parse(row))
      .map((row) => [row.id, row]),
  );

export class Tables {
  constructor(url) {
    this.url = url;
  }

  async dump() {
    const tables = new Map();
    for (const name of await this.names()) {
      const rows = await this.query(`SELECT * FROM ${name}`);
      tables.set(
        name,
        rows
          .map((row) => JSON.stringify(row))
          .sort()
          .join('\n'),
      );
    }
    return tables;
  }

  /** Describes the first table that differs; undefined if none does. */
  difference(before, after) {
    for (const [name, rows] of after) {
      if (rows === before.get(name)) continue;
      const known = new Set((before.get(name) ?? '').split('\n'));
      return `${name}: ${rows.split('\n').find((row) => !known.has(row)) ?? 'a row is gone'}`.slice(0, 300);
    }
    return undefined;
  }

  /** The same, but ignores raised counters: a claim that was rolled back raises them. */
  differenceBeyondRaised(before, after) {
    return this.differenceBeyond(RAISED, isRaised, before, after);
  }

  /** The same, but ignores that reports were refused. */
  differenceBeyondRefusals(before, after) {
    return this.differenceBeyond(REFUSED, isAny, before, after);
  }

  differenceBeyond(columns, isAllowed, before, after) {
    const same = [...after].filter(([name, rows]) => isSameBut(columns[name], isAllowed, before.get(name) ?? '', rows));
    return this.difference(new Map([...before, ...same]), after);
  }

  async names() {
    if (this.known !== undefined) return this.known;
    const asked = this.isSqlite
      ? `SELECT name FROM sqlite_master WHERE type = 'table'`
      : 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()';
    const all = (await this.query(asked)).map((row) => row.name);
    return (this.known = all.filter((name) => !LEFT_OUT.test(name)).sort());
  }

  get isSqlite() {
    return this.url.startsWith('sqlite');
  }

  async query(sql) {
    if (this.isSqlite) {
      this.db ??= new Sqlite(this.url.replace('sqlite:///', ''), { readonly: true });
      return this.db.prepare(sql).all();
    }
    this.pool ??= mysql.createPool(this.url);
    return (await this.pool.query(sql))[0];
  }

  async close() {
    this.db?.close();
    await this.pool?.end();
  }
}
