// Columns of entities. A column is called like its property, in snake case; of a time, without the unit.
import { Column, VirtualColumn } from 'typeorm';
import type { ColumnOptions, ValueTransformer } from 'typeorm';

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

/** The row's number, which the database gives: an INSERT does not name it, for MariaDB may take DEFAULT for a zero. */
export const RowId = (): PropertyDecorator =>
  Column({ name: 'id', type: 'integer', primary: true, generated: 'increment', insert: false, update: false });
export const IntegerColumn = column({ type: 'bigint' });
export const RatioColumn = column({ type: 'double' });
export const TextColumn = column({ type: 'varchar' });
/** A boolean, kept as 1 or 0. */
export const FlagColumn = column({ type: 'smallint', transformer: FLAG });
/** A document, kept as text. */
export const JsonColumn: Decorated = (options = {}) =>
  column({ type: 'text', transformer: options.nullable === true ? DOCUMENT_OR_NULL : DOCUMENT })(options);

/** A time in milliseconds since the epoch; the property's name ends in the unit, the column's does not. */
export const TimeColumn: Decorated =
  (options = {}) =>
  (target, property) =>
    IntegerColumn({ name: snakeCase(String(property).replace(/Ms$/, '')), ...options })(target, property);

/** When the row last changed, in milliseconds since the epoch: its update, else its creation. Only read. */
export const ChangedAt = (): PropertyDecorator =>
  VirtualColumn({ type: 'bigint', query: (alias) => `COALESCE(${alias}.updated_at, ${alias}.created_at)` });
