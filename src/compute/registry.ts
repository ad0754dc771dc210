// Operations of every registry: get, list, create, put, change, remove. The service of a registry adds its own. The
// result of a write is read inside its transaction, because another client can delete the document after the commit.
import { randomUUID } from 'node:crypto';
import type { FindOptionsWhere, Repository } from 'typeorm';
import type { Database } from '../platform/database/database';
import { StartOver } from '../platform/database/database';
import { repositoryIn } from '../platform/database/entity-source';
import type { DocumentKind, SqlParams, SqlReader, WriteTx } from '../platform/database/sql';
import { Table } from '../platform/database/table';
import { canonicalUuid } from '../platform/values/uuid';
import type { Warning } from './definition-rules';
import type { Registered } from './registered.entity';
import type { Named } from './registry-names';
import type { Page, PageQuery } from './registry-page';
import type { Condition } from './registry-page.sql';
import { pageOf, selectPage } from './registry-page.sql';
import {
  duplicateName,
  isDuplicate,
  notFound,
  refuseStale,
  removeUnreferenced,
  staleGeneration,
} from './registry-refusals';

/** A document after a write, with its warnings. */
export interface Written<E> {
  readonly isNew: boolean;
  /** The document before the write; undefined if it is new. */
  readonly before: E | undefined;
  readonly document: E;
  readonly warnings: readonly Warning[];
}

/** A change of some fields. A field that is undefined keeps its value. */
export type Change<D> = { readonly [K in keyof D]?: D[K] | undefined };

/** The document with the given fields of the change. */
export const given = <D extends object>(before: D, change: object): D => ({
  ...before,
  ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
});

interface Naming<E> {
  readonly entity: abstract new () => E;
  /** The property that names a document in paths. */
  readonly key: keyof E & string;
  /** The noun for a document in messages, with its article. */
  readonly what: `${'a' | 'an'} ${string}`;
  /** The kind under which changes are reported; if absent, the registry reports them itself. */
  readonly documentKind?: DocumentKind;
}

/** `D`: the document as clients write it, without its key. `F`: the filters of a list. */
export abstract class Registry<E extends Registered, D extends object, F> {
  protected readonly table: Table<E>;

  protected constructor(
    protected readonly db: Database,
    private readonly rows: Repository<E>,
    private readonly naming: Naming<E>,
  ) {
    this.table = new Table(naming.entity);
  }

  /** Throws not_found. */
  get(key: string): Promise<E> {
    return this.db.read((sql) => this.existing(sql, key));
  }

  /** Undefined if it does not exist. */
  lookUp(key: string): Promise<E | undefined> {
    return this.db.read((sql) => this.find(sql, key));
  }

  list(filter: F, page: PageQuery): Promise<Page<E>> {
    return this.db.readMuch(async (sql) => {
      const { table } = this;
      const source = { select: this.selected, id: `${table.name}.id`, table: table.name, key: this.keyColumn };
      const read = (row: object): E => table.read(row);
      const documents = await selectPage(sql, source, this.conditionsOf(filter), page, read);
      const { items, next } = pageOf(documents, (document) => this.keyOf(document));
      return { items: await this.whole(sql, items), next };
    });
  }

  /** `also` runs in the same transaction. Throws duplicate_name, invalid_request, and the errors of the registry. */
  create(
    definition: D,
    key: string = randomUUID(),
    also?: (tx: WriteTx, document: E) => Promise<void>,
  ): Promise<Written<E>> {
    return this.db.write(async (tx) => {
      await this.holdIn(tx, key);
      const written = await this.createIn(tx, key, definition);
      await also?.(tx, written.document);
      return written;
    });
  }

  /**
   * Creates the document, or replaces it at this `generation`. Throws generation_conflict and the errors of `create`.
   */
  put(key: string, definition: D, generation: number | undefined): Promise<Written<E>> {
    return this.db.write(async (tx) => {
      await this.holdIn(tx, key);
      const before = await this.find(tx, key);
      if (before?.generation !== generation) throw staleGeneration(this.called(key), generation, before?.generation);
      return before === undefined ? this.createIn(tx, key, definition) : this.updateIn(tx, key, before, definition);
    });
  }

  /** Throws not_found, generation_conflict, and the errors of `create`. */
  protected rewrite(key: string, generation: number | undefined, rewritten: (before: E) => D | E): Promise<Written<E>> {
    return this.db.write(async (tx) => {
      await this.holdIn(tx, key);
      const before = await this.existing(tx, key);
      refuseStale(this.called(key), generation, before.generation);
      const after = rewritten(before);
      if (after === before) return { isNew: false, before, document: before, warnings: [] };
      return this.updateIn(tx, key, before, after as D);
    });
  }

  /** Throws not_found; in_use if other rows refer to it. */
  remove(key: string): Promise<void> {
    return this.db.write(async (tx) => {
      await this.emptyIn(tx, key);
      const row = repositoryIn(tx, this.rows);
      this.reportChange(tx);
      await removeUnreferenced(
        tx,
        { what: this.called(key), whenUsed: this.whenUsed(this.called(key)) },
        async () => (await row.delete(this.where(key))).affected === 1,
      );
    });
  }

  protected called(key: string): string {
    return `${this.naming.what.replace(/^an? /, '')} ${key}`;
  }

  protected async find(sql: SqlReader, key: string): Promise<E | undefined> {
    const row = await repositoryIn(sql, this.rows).findOneBy(this.where(key));
    return row === null ? undefined : (await this.whole(sql, [row]))[0];
  }

  /** Plain SQL, because claims wait for it and it is faster than TypeORM. */
  protected async select(sql: SqlReader, condition: string, params: SqlParams): Promise<readonly E[]> {
    const rows = await sql.query<object>(`${this.selected} WHERE ${condition}`, params);
    const documents = rows.map((row) => this.table.read(row));
    return this.whole(sql, documents);
  }

  /** Finds a document by uuid, or by name if only one document has that name. */
  protected async namedByUuid(sql: SqlReader, text: string): Promise<Named<E>> {
    const uuid = canonicalUuid(text) ?? null;
    const order = 'ORDER BY CASE WHEN uuid = ? THEN 0 ELSE 1 END, id LIMIT 2';
    const found = await this.select(sql, `uuid = ? OR name = ? ${order}`, [uuid, text, uuid]);
    const isClear = found.length < 2 || this.keyOf(found[0] as E) === uuid;
    return { found: isClear ? found[0] : undefined, isAmbiguous: !isClear };
  }

  /** Whether another document has this name. */
  protected async isNameShared(sql: SqlReader, key: string, name: string): Promise<boolean> {
    const { table, keyColumn } = this;
    return (
      (await sql.query(`SELECT 1 FROM ${table.name} WHERE name = ? AND ${keyColumn} <> ? LIMIT 1`, [name, key]))
        .length > 0
    );
  }

  protected get keyColumn(): string {
    return this.table.nameOf(this.naming.key);
  }

  protected abstract conditionsOf(filter: F): readonly Condition[];

  /** Checks a document before it is written; returns warnings. */
  protected abstract checkIn(
    tx: WriteTx,
    key: string,
    definition: D,
    before: E | undefined,
  ): Promise<readonly Warning[]>;

  /** Error message for a duplicate key or name. */
  protected whenTaken(key: string, _definition: D): string {
    return `${this.naming.key}: there is ${this.naming.what} ${key} already.`;
  }

  /** Error message for the removal of a document that is in use. */
  protected whenUsed(called: string): string {
    return `The ${called} is in use by instances and cannot be removed.`;
  }

  /** Adds the data of dependent rows. */
  protected async whole(_sql: SqlReader, rows: readonly E[]): Promise<readonly E[]> {
    return rows;
  }

  /** Takes the lock that serialises writes of the same document. */
  protected async holdIn(_tx: WriteTx, _key: string): Promise<void> {
    return undefined;
  }

  /** Writes the dependent rows. */
  protected async fillIn(_tx: WriteTx, _row: E, _definition: D, _before: E | undefined): Promise<void> {
    return undefined;
  }

  /** Removes the dependent rows, or refuses the removal. */
  protected async emptyIn(_tx: WriteTx, _key: string): Promise<void> {
    return undefined;
  }

  private get selected(): string {
    return `SELECT ${this.table.all.of(this.table.name)} FROM ${this.table.name}`;
  }

  private keyOf(document: E): string {
    return document[this.naming.key] as string;
  }

  private where(key: string, generation?: number): FindOptionsWhere<E> {
    return { [this.naming.key]: key, ...(generation !== undefined && { generation }) } as FindOptionsWhere<E>;
  }

  protected async existing(sql: SqlReader, key: string): Promise<E> {
    const found = await this.find(sql, key);
    if (found === undefined) throw notFound(this.called(key));
    return found;
  }

  private async createIn(tx: WriteTx, key: string, definition: D): Promise<Written<E>> {
    const warnings = await this.checkIn(tx, key, definition, undefined);
    const row = { ...definition, [this.naming.key]: key, createdAtMs: Date.now() };
    const { identifiers } = await this.unlessTaken(tx, key, definition, () =>
      repositoryIn(tx, this.rows).insert(row as never),
    );
    const made = { ...row, ...identifiers[0] } as unknown as E;
    const document = await this.filled(tx, key, made, definition, undefined);
    return { isNew: true, before: undefined, document, warnings };
  }

  private async updateIn(tx: WriteTx, key: string, before: E, definition: D): Promise<Written<E>> {
    const warnings = await this.checkIn(tx, key, definition, before);
    const columns = this.rows.metadata.columns.filter(
      ({ isUpdate, propertyName }) => isUpdate && propertyName in definition,
    );
    const values = Object.fromEntries(
      columns.map(({ propertyName }) => [propertyName, (definition as Record<string, unknown>)[propertyName]]),
    );
    const changed = { ...values, generation: before.generation + 1, updatedAtMs: Date.now() };
    const { affected } = await this.unlessTaken(tx, key, definition, () =>
      repositoryIn(tx, this.rows).update(this.where(key, before.generation), changed as never),
    );
    if (affected !== 1) throw new StartOver(`${this.naming.what} changed while it was rewritten`);
    return { isNew: false, before, document: await this.filled(tx, key, before, definition, before), warnings };
  }

  private async filled(tx: WriteTx, key: string, row: E, definition: D, before: E | undefined): Promise<E> {
    await this.fillIn(tx, row, definition, before);
    this.reportChange(tx);
    const stored = await this.find(tx, key);
    if (stored === undefined) throw new Error(`${this.called(key)} vanished inside the transaction that wrote it`);
    return stored;
  }

  private reportChange(tx: WriteTx): void {
    const { documentKind } = this.naming;
    if (documentKind !== undefined) tx.changes.document(documentKind);
  }

  private async unlessTaken<T>(tx: WriteTx, key: string, definition: D, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isDuplicate(tx, error)) throw error;
      throw duplicateName(this.whenTaken(key, definition));
    }
  }
}
