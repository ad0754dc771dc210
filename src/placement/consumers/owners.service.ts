// Projects, users and consumer types. These rows are created on first use and never deleted, so their ids can be cached
// forever. Missing rows are committed before the write that needs them.
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../../platform/database/database';
import type { SqlReader } from '../../platform/database/sql';
import { chunks, marks } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import type { StoredOwner } from './consumer.entity';
import { StoredConsumerType, StoredProject, StoredUser } from './consumer.entity';

/** Ids of projects and users by external id. A cache bounded by `max` would allocate its lists at the start. */
const OWNERS_MAX = 50_000;

const PROJECTS = new Table<StoredOwner>(StoredProject);
const USERS = new Table<StoredOwner>(StoredUser);
const TYPES = new Table<StoredOwner>(StoredConsumerType);

const NAMES_PER_STATEMENT = 500;

interface OwnerNames {
  readonly projects: ReadonlySet<string>;
  readonly users: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
}

export interface OwnerIds {
  readonly projects: ReadonlyMap<string, number>;
  readonly users: ReadonlyMap<string, number>;
  readonly types: ReadonlyMap<string, number>;
}

@Injectable()
export class OwnersService {
  private readonly known = new Map(
    [PROJECTS, USERS, TYPES].map((kind) => [
      kind,
      new LRUCache<string, number>({ maxSize: OWNERS_MAX, sizeCalculation: () => 1 }),
    ]),
  );

  constructor(private readonly db: Database) {}

  /** Returns the ids of all names and creates the missing rows. Runs no statement if all ids are cached. */
  async ensure(names: OwnerNames): Promise<OwnerIds> {
    return {
      projects: await this.ensureKind(PROJECTS, names.projects),
      users: await this.ensureKind(USERS, names.users),
      types: await this.ensureKind(TYPES, names.types),
    };
  }

  private async ensureKind(kind: Table<StoredOwner>, names: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const ids = new Map<string, number>();
    const missing: string[] = [];
    const cache = this.known.get(kind);
    for (const name of names) {
      const id = cache?.get(name);
      if (id === undefined) missing.push(name);
      else ids.set(name, id);
    }
    for (const part of chunks(missing, NAMES_PER_STATEMENT)) {
      for (const [name, id] of await this.findOrCreate(kind, part)) {
        ids.set(name, id);
        cache?.set(name, id);
      }
    }
    return ids;
  }

  private async findOrCreate(kind: Table<StoredOwner>, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = await this.db.read((sql) => find(sql, kind, names));
    const missing = names.filter((name) => !found.has(name));
    if (missing.length === 0) return found;
    const nowMs = Date.now();
    const { sql: insert, params } = kind
      .only('name', 'createdAtMs')
      .insert(missing.map((name) => ({ name, createdAtMs: nowMs })));
    await this.db.write((tx) => tx.run(insert + tx.dialect.onDuplicateIgnore(kind.nameOf('name')), params));
    return this.db.read((sql) => find(sql, kind, names));
  }
}

async function find(
  sql: SqlReader,
  kind: Table<StoredOwner>,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query<Pick<StoredOwner, 'id' | 'name'>>(
    `SELECT ${kind.only('id', 'name').as('o')} FROM ${kind.name} o WHERE o.${kind.nameOf('name')} IN (${marks(names.length)})`,
    names,
  );
  return new Map(rows.map((row) => [row.name, row.id]));
}
