// Key pairs in the database. Private keys are not stored.
import { Injectable } from '@nestjs/common';
import type { Page, PageQuery } from '../../../compute/registry-page';
import { cutAt, pageOf } from '../../../compute/registry-page.sql';
import { Database } from '../../../platform/database/database';
import { insertUnlessThere } from '../../../platform/database/sql';
import { Table } from '../../../platform/database/table';
import { Keypair } from './keypair.entity';

const KEYPAIRS = new Table(Keypair);
const SELECT = `SELECT ${KEYPAIRS.all.of('k')} FROM facade_keypairs k WHERE k.user_id = ?`;

@Injectable()
export class Keypairs {
  constructor(private readonly db: Database) {}

  /** Sorted by name. */
  async list(userId: string, { limit, marker = '' }: PageQuery): Promise<Page<Keypair>> {
    const text = `${SELECT} AND k.name > ? ORDER BY k.name LIMIT ${limit + 1}`;
    const rows = await this.db.read((sql) => sql.query<object>(text, [userId, marker]));
    const found = rows.map((row) => KEYPAIRS.read(row));
    return pageOf(cutAt(limit, found), ({ name }) => name);
  }

  async find(userId: string, name: string): Promise<Keypair | undefined> {
    const [row] = await this.db.read((sql) => sql.query<object>(`${SELECT} AND k.name = ?`, [userId, name]));
    return row === undefined ? undefined : KEYPAIRS.read(row);
  }

  /** Returns false if the user already has a key pair with this name. */
  add(keypair: Keypair): Promise<boolean> {
    return this.db.write((tx) => insertUnlessThere(tx, KEYPAIRS.all.insert([keypair])));
  }

  /** Returns false if the user has no key pair with this name. */
  async remove(userId: string, name: string): Promise<boolean> {
    const text = 'DELETE FROM facade_keypairs WHERE user_id = ? AND name = ?';
    return (await this.db.write((tx) => tx.run(text, [userId, name]))) === 1;
  }
}
