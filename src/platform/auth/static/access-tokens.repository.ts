// Static tokens in the database, by name and by digest.
import type { SqlReader, WriteTx } from '../../database/sql';
import { Table } from '../../database/table';
import type { StoredToken, TokenGrant } from './access-token';
import { AccessToken } from './access-token.entity';

const TOKENS = new Table(AccessToken);
const INSERTED = TOKENS.without('id', 'revokedAtMs', 'lastUsedAtMs');
const SELECT = `SELECT ${TOKENS.all.of('t')} FROM access_tokens t`;

export async function findByDigest(sql: SqlReader, digest: string): Promise<StoredToken | undefined> {
  const [row] = await sql.query<object>(`${SELECT} WHERE t.sha256 = ?`, [digest]);
  return row && TOKENS.read(row);
}

export async function listTokens(sql: SqlReader, max: number): Promise<readonly StoredToken[]> {
  return (await sql.query<object>(`${SELECT} ORDER BY t.name LIMIT ?`, [max])).map((row) => TOKENS.read(row));
}

/** Throws on a duplicate name. */
export async function insertToken(tx: WriteTx, grant: TokenGrant, digest: string, nowMs: number): Promise<void> {
  const { sql, params } = INSERTED.insert([{ ...grant, digest, createdAtMs: nowMs }]);
  await tx.insert(sql, params);
}

/** Replaces the token of a name and clears a revocation. Returns whether the name exists. */
export async function replaceDigest(
  tx: WriteTx,
  name: string,
  { digest, expiresAtMs }: { readonly digest: string; readonly expiresAtMs: number | null | undefined },
  nowMs: number,
): Promise<boolean> {
  const expiry = expiresAtMs === undefined ? [] : [expiresAtMs];
  const matched = await tx.run(
    `UPDATE access_tokens SET sha256 = ?, created_at = ?, revoked_at = NULL, last_used_at = NULL` +
      `${expiry.length === 0 ? '' : ', expires_at = ?'} WHERE name = ?`,
    [digest, nowMs, ...expiry, name],
  );
  return matched === 1;
}

/** Returns whether the name exists. */
export async function revokeToken(tx: WriteTx, name: string, nowMs: number): Promise<boolean> {
  return (
    (await tx.run('UPDATE access_tokens SET revoked_at = COALESCE(revoked_at, ?) WHERE name = ?', [nowMs, name])) === 1
  );
}

export async function noteUse(tx: WriteTx, id: number, nowMs: number): Promise<void> {
  await tx.run('UPDATE access_tokens SET last_used_at = ? WHERE id = ?', [nowMs, id]);
}
