// Rules across several options: authentication of a reachable service, database, connection pool.

import { parseDatabaseUrl } from './database-url';
import type { KeystoneOptions } from './groups/keystone-options';
import { keystoneProblems, keystoneWarnings } from './keystone-laws';
import { DATABASE_LIMITS } from './limits/database';
import type { DatabaseConfig, PlatformConfig, ServerConfig } from './platform-config';
import type { ServerSettings } from './server-settings';

interface LawFindings {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

const exposureOf = (strategy: string, host: string): string =>
  `[api] auth_strategy ${strategy} accepts every caller without a check, and BERTH_HOST ${host} can be reached from other machines`;

/** A strategy without real authentication is accepted only on loopback, or with BERTH_ALLOW_NOAUTH. */
export const judgeAuthentication = (
  strategy: string,
  server: ServerConfig,
  { allowNoauth }: Pick<ServerSettings, 'allowNoauth'>,
  keystone: KeystoneOptions,
): LawFindings => {
  if (strategy === 'static') return { problems: [], warnings: [] };
  if (strategy === 'keystone') return { problems: keystoneProblems(keystone), warnings: keystoneWarnings(keystone) };
  if (server.isLoopback) return { problems: [], warnings: [] };
  const exposure = exposureOf(strategy, server.host);
  return allowNoauth
    ? { problems: [], warnings: [`${exposure}; allowed by BERTH_ALLOW_NOAUTH`] }
    : { problems: [`${exposure}; set BERTH_ALLOW_NOAUTH=1 if that is meant`], warnings: [] };
};

type PoolOptions = Pick<PlatformConfig['placement_database'], 'max_pool_size' | 'max_overflow' | 'pool_timeout'>;

const poolSize = ({ max_pool_size: kept, max_overflow: overflow }: PoolOptions): number =>
  kept === 0 ? DATABASE_LIMITS.poolConnectionsMax : Math.min(kept + overflow, DATABASE_LIMITS.poolConnectionsMax);

type DatabaseFindings =
  | { readonly database: DatabaseConfig; readonly warnings: readonly string[] }
  | { readonly problem: string };

/** The database of an address, with the pool options. */
export const chooseDatabase = (url: string, origin: string, pool: PoolOptions, cwd: string): DatabaseFindings => {
  const parsed = parseDatabaseUrl(url, cwd);
  if (!parsed.ok) return { problem: `${origin}: the database address ${parsed.problem}` };
  const { address } = parsed;
  return {
    database:
      address.kind === 'sqlite'
        ? address
        : { ...address, poolSize: poolSize(pool), acquireTimeoutMs: pool.pool_timeout * 1_000 },
    warnings: parsed.warnings.map((warning) => `${origin}: the database address’s ${warning}`),
  };
};
