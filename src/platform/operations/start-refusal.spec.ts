import type { DatabaseTarget } from '../database/data-source';
import { DIALECTS } from '../database/dialects';
import { unavailable } from '../database/unavailable';
import { StartRefused } from '../values/start-refused';
import { refusalOf, unusable } from './start-refusal';

const sqlite = { kind: 'sqlite', path: '/data/berth.db' } as DatabaseTarget;
const mysql = { kind: 'mysql', database: 'berth', hosts: [{ host: 'db1', port: 3306 }] } as unknown as DatabaseTarget;
const failure = (message: string, fields: object): Error => Object.assign(new Error(message), fields);

it.each([
  ['a full disk', sqlite, { code: 'SQLITE_FULL' }, 'The disk or the memory of the database is full.'],
  ['a full disk', mysql, { errno: 1114 }, 'The disk or the memory of the database is full.'],
  ['a read-only server', mysql, { errno: 1290 }, 'The database is read-only.'],
  ['the lock of another process', sqlite, { code: 'SQLITE_BUSY' }, 'Another process locks it for too long.'],
])('refuses the start in one line if a migration meets %s, and repeats a connection', (_, target, fields, reason) => {
  const error = failure('driver text', fields);
  const place = target === sqlite ? 'the database file /data/berth.db' : 'the database berth at db1:3306';
  expect(unusable(target, error, ' after 3 attempts')).toEqual(
    new StartRefused(`${place} cannot be used after 3 attempts: ${reason} (driver text)`),
  );
  expect(unusable(target, unavailable(DIALECTS[target.kind], error))?.message).toContain('driver text');
  expect(refusalOf(target, error)).toBeUndefined();
});

it('leaves errors of the migration itself as they are', () => {
  expect(unusable(sqlite, failure('no such column', { code: 'SQLITE_ERROR' }))).toBeUndefined();
});
