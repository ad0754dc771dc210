// The configuration as the rest of the product sees it: typed, frozen, complete. Nothing outside of this folder reads
// the environment or a configuration file.

import type { OptionValue } from '../domain/options';
import type { GroupValues } from './options';
import type { TracingConfig } from './tracing-settings';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `auto`: for people where standard error is a terminal, else for machines. */
export const LOG_FORMATS = ['auto', 'json', 'pretty'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Where the service listens. */
export interface ServerConfig {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly workers: number;
  /** Bound to an address that only this machine reaches. */
  readonly isLoopback: boolean;
}

export interface SqliteDatabase {
  readonly kind: 'sqlite';
  /** Absolute. */
  readonly path: string;
}

export interface MysqlDatabase {
  readonly kind: 'mysql';
  /** In order of preference, one at least; one is used at a time. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  /** A Unix socket, which beats hosts and ports. */
  readonly socketPath: string | null;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly poolSize: number;
  readonly acquireTimeoutMs: number;
  /** Paths of PEM files; null: no TLS. */
  readonly tls: { readonly caFile: string; readonly certFile: string | null; readonly keyFile: string | null } | null;
}

export type DatabaseConfig = SqliteDatabase | MysqlDatabase;

/** Where a value came from, for messages: `berth.conf:12`, `BERTH_BERTH__PLUGINS`, `default`. */
type ValueOrigin = string;

export interface BerthConfig extends GroupValues {
  /** Every option that anybody declared, parts and plug-ins included, by group and name. */
  readonly values: Readonly<Record<string, Readonly<Record<string, OptionValue>>>>;
  readonly server: ServerConfig;
  readonly database: DatabaseConfig;
  readonly logging: { readonly level: LogLevel; readonly format: LogFormat };
  /** Where traces are sent; null: nowhere. */
  readonly tracing: TracingConfig | null;
  /** Path of the file that was read, absolute. */
  readonly file: string | null;
  /** Directory that relative paths in the configuration start from. */
  readonly cwd: string;
  /** What an operator should look at; nothing that stops the service. */
  readonly warnings: readonly string[];
  /** Origin of every value that is not a default, by `group.option`. */
  readonly origins: Readonly<Record<string, ValueOrigin>>;
}
