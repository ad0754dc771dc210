import type { DatabaseTarget } from '../database/data-source';
import { StartRefused } from '../values/start-refused';
import { migrationRefusalOf, refusalOf } from './start-refusal';

const sqlite = { kind: 'sqlite', path: '/data/berth.db' } as DatabaseTarget;
const mysql = { kind: 'mysql', database: 'berth', hosts: [{ host: 'db1', port: 3306 }] } as unknown as DatabaseTarget;
const failure = (message: string, fields: object): Error => Object.assign(new Error(message), fields);

it.each([
  ['a full disk', sqlite, { code: 'SQLITE_FULL' }, 'The disk or the memory of the database is full.'],
  ['a full disk', mysql, { errno: 1114 }, 'The disk or the memory of the database is full.'],
  ['a read-only server', mysql, { errno: 1290 }, 'The database is read-only.'],
])('refuses the start in one line if a migration meets %s, and repeats a connection', (_, target, fields, reason) => {
  const error = failure('driver text', fields);
  expect(migrationRefusalOf(target, error)).toEqual(
    new StartRefused(`the database schema cannot be brought up to date: ${reason} (driver text)`),
  );
  expect(refusalOf(target, error)).toBeUndefined();
});

it('leaves errors of the migration itself as they are', () => {
  expect(migrationRefusalOf(sqlite, failure('no such column', { code: 'SQLITE_ERROR' }))).toBeUndefined();
});
