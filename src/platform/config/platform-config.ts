// The configuration for the rest of the product: typed, frozen, complete. No code outside this folder reads the
// environment or a configuration file.

import type { GroupValues, OptionGroups, OptionValue } from '../values/options';
import type { PlatformGroups } from './platform-options';
import type { TracingConfig } from './tracing-settings';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `auto`: `pretty` if standard error is a terminal, otherwise `json`. */
export const LOG_FORMATS = ['auto', 'json', 'pretty'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The listening address. */
export interface ServerConfig {
  readonly host: string;
  /** With 0 the system chooses the port. */
  readonly port: number;
  /** Bound to a loopback address. */
  readonly isLoopback: boolean;
}

export interface SqliteDatabase {
  readonly kind: 'sqlite';
  /** Absolute path. */
  readonly path: string;
}

export interface MysqlDatabase {
  readonly kind: 'mysql';
  /** In order of preference, at least one; the service uses one host at a time. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  /** A Unix socket; it takes precedence over hosts and ports. */
  readonly socketPath: string | null;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly poolSize: number;
  readonly acquireTimeoutMs: number;
  /** Paths of PEM files; null without TLS. */
  readonly tls: { readonly caFile: string; readonly certFile: string | null; readonly keyFile: string | null } | null;
}

export type DatabaseConfig = SqliteDatabase | MysqlDatabase;

/** Origin of a value, for messages: `berth.conf:12`, `BERTH_BERTH__PLUGINS`, `default`. */
type ValueOrigin = string;

/** The part of a configuration outside its groups. */
interface ConfigFacts {
  /** Every declared option by group and name, including those of parts and plug-ins. */
  readonly values: Readonly<Record<string, Readonly<Record<string, OptionValue>>>>;
  readonly server: ServerConfig;
  readonly database: DatabaseConfig;
  readonly logging: { readonly level: LogLevel; readonly format: LogFormat };
  /** Target of traces; null if tracing is off. */
  readonly tracing: TracingConfig | null;
  /** Absolute paths of the configuration files, in the order in which they are read. */
  readonly files: readonly string[];
  /** Folder of the first configuration file, otherwise the working directory: base of paths of certificates. */
  readonly folder: string;
  /** Base directory of relative paths in the configuration. */
  readonly cwd: string;
  /** Warnings for the operator; they do not stop the service. */
  readonly warnings: readonly string[];
  /** Origin of every value that is not a default, by `group.option`. */
  readonly origins: Readonly<Record<string, ValueOrigin>>;
}

/** A configuration with these groups of options. */
export type Config<G extends OptionGroups> = ConfigFacts & GroupValues<G>;

/** The part of the configuration that the platform reads. */
export type PlatformConfig = Config<PlatformGroups>;
