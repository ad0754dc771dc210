// Column decorators for entities. A column has the name of its property in snake case; time columns omit the unit.
import type { ColumnOptions, ValueTransformer } from 'typeorm';
import { Column, VirtualColumn } from 'typeorm';

type Options = Pick<ColumnOptions, 'name' | 'nullable' | 'primary' | 'insert' | 'update'>;
type Decorated = (options?: Options) => PropertyDecorator;

const snakeCase = (property: string): string => property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const column =
  (kind: ColumnOptions): Decorated =>
  (options = {}) =>
  (target, property) =>
    Column({ name: snakeCase(String(property)), ...kind, ...options })(target, property);

const nullOr = (transform: (value: unknown) => unknown) => (value: unknown) =>
  value === null || value === undefined ? value : transform(value);

const FLAG: ValueTransformer = { to: nullOr((is) => (is === true ? 1 : 0)), from: nullOr((value) => value === 1) };
const parsed = nullOr((text) => JSON.parse(text as string) as unknown);
const DOCUMENT: ValueTransformer = { to: (value) => JSON.stringify(value ?? null), from: parsed };
const DOCUMENT_OR_NULL: ValueTransformer = { to: nullOr((value) => JSON.stringify(value)), from: parsed };

/** The auto-increment id. An INSERT must not name it, because MariaDB can read DEFAULT as zero. */
export const RowId = (): PropertyDecorator =>
  Column({ name: 'id', type: 'integer', primary: true, generated: 'increment', insert: false, update: false });
export const IntegerColumn = column({ type: 'bigint' });
export const RatioColumn = column({ type: 'double' });
export const TextColumn = column({ type: 'varchar' });
/** A boolean, stored as 1 or 0. */
export const FlagColumn = column({ type: 'smallint', transformer: FLAG });
/** A JSON document, stored as text. */
export const JsonColumn: Decorated = (options = {}) =>
  column({ type: 'text', transformer: options.nullable === true ? DOCUMENT_OR_NULL : DOCUMENT })(options);

/** A time in milliseconds since the epoch. The property's name ends in the unit, the column's name does not. */
export const TimeColumn: Decorated =
  (options = {}) =>
  (target, property) =>
    IntegerColumn({ name: snakeCase(String(property).replace(/Ms$/, '')), ...options })(target, property);

/** Time of the last update, or else of the creation, in milliseconds since the epoch. Read-only. */
export const ChangedAt = (): PropertyDecorator =>
  VirtualColumn({ type: 'bigint', query: (alias) => `COALESCE(${alias}.updated_at, ${alias}.created_at)` });
