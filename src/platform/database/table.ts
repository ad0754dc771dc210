// Derives hand-written SQL from an entity: its columns in a fixed order, rows from entities, entities from rows.
import type { ValueTransformer } from 'typeorm';
import { getMetadataArgsStorage } from 'typeorm';
import { DATABASE_LIMITS } from '../config/limits/database';
import type { SqlValue, Statement, WriteTx } from './sql';
import { chunks, rowMarks } from './sql';

type Entity<E> = abstract new () => E;

interface TableColumn {
  readonly property: string;
  readonly name: string;
  /** SQL expression of a column that is not stored. */
  readonly computed: ((alias: string) => string) | undefined;
  readonly toColumn: (value: unknown) => unknown;
  readonly toProperty: (value: unknown) => unknown;
}

/** A subset of a table's columns. */
class Columns<E extends object> {
  readonly names: readonly string[];
  private readonly insertion: string;

  constructor(
    table: string,
    private readonly columns: readonly TableColumn[],
  ) {
    this.names = columns.map(({ name }) => name);
    this.insertion = `INSERT INTO ${table} (${this.names.join(', ')}) VALUES `;
  }

  /** `a.x, a.y` */
  of(alias: string): string {
    return this.names.map((name) => `${alias}.${name}`).join(', ');
  }

  /** `a.x_y AS xY, a.z`: rows are entities without conversion if no column has a transformer. */
  as(alias: string): string {
    const named = ({ property, name, computed }: TableColumn): string =>
      name === property && computed === undefined
        ? `${alias}.${name}`
        : `${computed?.(alias) ?? `${alias}.${name}`} AS ${property}`;
    return this.columns.map(named).join(', ');
  }

  /** `x = ?, y = ?` */
  get assigned(): string {
    return this.names.map((name) => `${name} = ?`).join(', ');
  }

  /** The column values of this entity; null for missing properties. */
  valuesOf(entity: Partial<E>): readonly SqlValue[] {
    const values: SqlValue[] = [];
    this.addValues(values, entity, {});
    return values;
  }

  /** `common`: values for properties that an entity does not set. */
  insert(entities: readonly Partial<E>[], common: Partial<E> = {}): Statement {
    const params: SqlValue[] = [];
    for (const entity of entities) this.addValues(params, entity, common);
    return { sql: this.insertion + rowMarks(entities.length, this.names.length), params };
  }

  /**
   * Inserts any number of entities in as many statements as needed. `behind` follows the values, for a duplicate
   * clause.
   */
  async insertAll(
    tx: WriteTx,
    entities: readonly Partial<E>[],
    { suffix = '', size = DATABASE_LIMITS.rowsPerInsert }: { readonly suffix?: string; readonly size?: number } = {},
  ): Promise<void> {
    for (const part of chunks(entities, size)) {
      const { sql, params } = this.insert(part);
      await tx.run(sql + suffix, params);
    }
  }

  private addValues(values: SqlValue[], entity: Partial<E>, common: Partial<E>): void {
    for (const { property, toColumn } of this.columns) {
      const value = entity[property as keyof E] ?? common[property as keyof E] ?? null;
      values.push(toColumn(value) as SqlValue);
    }
  }

  /** The entity of a row, with the properties whose columns the row has. */
  read(row: object): E {
    const values = row as Readonly<Record<string, unknown>>;
    const entity: Record<string, unknown> = {};
    for (const { property, name, toProperty } of this.columns) {
      if (values[name] !== undefined) entity[property] = toProperty(values[name]);
    }
    return entity as E;
  }
}

export class Table<E extends object> {
  readonly name: string;
  /** All stored columns. */
  readonly all: Columns<E>;
  private readonly columns: readonly TableColumn[];

  constructor(entity: Entity<E>) {
    const storage = getMetadataArgsStorage();
    this.name = storage.filterTables(entity)[0]?.name ?? entity.name;
    this.columns = storage.filterColumns(lineage(entity)).map(({ propertyName: property, options }) => {
      const transformer = options.transformer as ValueTransformer | undefined;
      const name = options.name ?? property;
      return {
        property,
        name,
        computed: (options as { readonly query?: TableColumn['computed'] }).query,
        toColumn: (value: unknown): unknown => (transformer === undefined ? value : transformer.to(value)),
        toProperty: (value: unknown): unknown => (transformer === undefined ? value : transformer.from(value)),
      };
    });
    this.all = this.picked(() => true);
  }

  /** The column name of a property. */
  nameOf(property: keyof E): string {
    const column = this.columns.find((each) => each.property === property);
    if (column === undefined) throw new Error(`${this.name} has no column for ${String(property)}`);
    return column.name;
  }

  only<K extends keyof E & string>(...properties: readonly K[]): Columns<Pick<E, K>> {
    return new Columns(
      this.name,
      this.columns.filter(({ property }) => (properties as readonly string[]).includes(property)),
    );
  }

  /** All stored columns except these. */
  without<K extends keyof E & string>(...properties: readonly K[]): Columns<Omit<E, K>> {
    return this.picked((property) => !(properties as readonly string[]).includes(property));
  }

  read(row: object): E {
    return this.all.read(row);
  }

  private picked<P extends object>(isPicked: (property: string) => boolean): Columns<P> {
    return new Columns(
      this.name,
      this.columns.filter(({ property, computed }) => computed === undefined && isPicked(property)),
    );
  }
}

/** The row type that `Columns.as` selects. */
export type RowOf<C extends { read(row: object): object }> = ReturnType<C['read']>;

/** The row type after a LEFT JOIN, where all columns can be null. */
export type JoinedRow<R> = R | { readonly [K in keyof R]: null };

/** The class and its base classes, whose columns it inherits. */
function lineage(entity: Entity<object>): Entity<object>[] {
  const parent = Object.getPrototypeOf(entity) as unknown;
  return parent === Function.prototype ? [entity] : [...lineage(parent as Entity<object>), entity];
}
