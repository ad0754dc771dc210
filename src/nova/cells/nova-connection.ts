// A connection to one of nova's databases, which only reads.
import { ForeignMysql } from '../../platform/database/foreign-mysql';
import type { NovaDatabase } from '../conf/database-url';
import { NOVA_LIMITS } from './limits';

/** Throws DatabaseUnreadable. */
export const openNova = (
  database: NovaDatabase,
  openMs: number = NOVA_LIMITS.connectTimeoutMs,
): Promise<ForeignMysql> =>
  ForeignMysql.open(database, {
    setUp: ['SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ'],
    openMs,
    statementMs: NOVA_LIMITS.statementTimeoutMs,
  });
