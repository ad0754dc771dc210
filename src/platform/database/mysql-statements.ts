// How statements travel to MySQL: the round trips of a batch, which statements are prepared, and the results of the
// driver.
import type { ResultSetHeader } from 'mysql2';
import { DATABASE_LIMITS } from '../config/limits/database';
import { NO_ROWS } from './connections';
import type { SqlParams, SqlValue, Statement, StatementResult } from './sql';

/**
 * Splits statements into round trips. The driver writes all values into one text synchronously, so a batch with many
 * values takes several trips, and a statement with a long text travels alone.
 */
export function roundTripsOf(statements: readonly Statement[]): readonly (readonly Statement[])[] {
  const trips: Statement[][] = [];
  let values = Infinity;
  for (const statement of statements) {
    const isAlone = statement.params.some(isLongText);
    values += statement.params.length;
    if (isAlone || values > DATABASE_LIMITS.parametersPerBatch) {
      trips.push([]);
      values = statement.params.length;
    }
    trips.at(-1)?.push(statement);
    if (isAlone) values = Infinity;
  }
  return trips;
}

/** Long texts go as prepared parameters; in a statement's text the driver would escape them character by character. */
function isLongText(param: SqlValue): boolean {
  return typeof param === 'string' && param.length > DATABASE_LIMITS.longTextCharacters;
}

/** Maximum parameters of statements that are prepared; such texts do not vary with the number of values. */
const KEPT_PARAMETERS = 2;

/**
 * Whether to prepare the statement, which saves the server a third of its work. Only for text values: the driver would
 * send numbers as floating point.
 */
function isPlainQuestion(sql: string, params: SqlParams): boolean {
  if (params.length === 0 || params.length > KEPT_PARAMETERS) return false;
  return sql.startsWith('SELECT') && params.every((param) => typeof param === 'string');
}

export const isPrepared = (sql: string, params: SqlParams): boolean =>
  isPlainQuestion(sql, params) || params.some(isLongText);

export const NOTHING_DONE: StatementResult = { rows: NO_ROWS, affected: 0, insertId: 0 };

export function resultOf(result: unknown): StatementResult {
  if (Array.isArray(result)) return { rows: result, affected: 0, insertId: 0 };
  const { affectedRows: affected, insertId } = result as ResultSetHeader;
  return { rows: NO_ROWS, affected, insertId };
}
