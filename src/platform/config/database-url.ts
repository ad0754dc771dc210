// Parses database addresses: `sqlite:///relative`, `sqlite:////absolute`, `mysql://user:password@host:port/name`.
// Several hosts are separated by commas in order of preference (`@db1,db2:3307,[::1]:3308/name`). A driver name as in
// SQLAlchemy (`mysql+pymysql://`) is ignored. Messages never contain the address, because it includes a password.

import { resolve } from 'node:path';
import { DATABASE_LIMITS } from './limits/database';
import type { MysqlDatabase, SqliteDatabase } from './platform-config';

/** The facts from the address; the pool limits come from the options. */
type DatabaseAddress = SqliteDatabase | Omit<MysqlDatabase, 'poolSize' | 'acquireTimeoutMs'>;

type ParsedDatabaseUrl =
  | { readonly ok: true; readonly address: DatabaseAddress; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problem: string };

type HostAddress = MysqlDatabase['hosts'][number];

const refuse = (problem: string): ParsedDatabaseUrl => ({ ok: false, problem });

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that is not an escape: the text is used as written.
    return text;
  }
};

const parseSqlite = (rest: string, cwd: string): ParsedDatabaseUrl => {
  const path = rest.replace(/\?.*$/s, '');
  if (!path.startsWith('/')) return refuse('must be sqlite:///relative/path or sqlite:////absolute/path');
  const file = decode(path.slice(1));
  if (file === '' || file === ':memory:') return refuse('must name a file: a database in memory cannot be shared');
  return { ok: true, address: { kind: 'sqlite', path: resolve(cwd, file) }, warnings: [] };
};

const MYSQL = /^(?:([^:@/?]*)(?::([^?]*))?@)?((?:\[[^\]]*\]|[^/?@[\]])*)(?:\/([^?/]*))?(?:\?(.*))?$/s;
const HOST = /^(\[[^\]]+\]|[^:[\]\s]*)(?::(\d{1,5}))?$/;
const MYSQL_PORT = 3306;
const HONOURED = new Set(['charset', 'unix_socket', 'ssl_ca', 'ssl_cert', 'ssl_key']);

const queryWarnings = (query: URLSearchParams): readonly string[] => {
  const charset = query.get('charset');
  return [
    ...(charset === null || charset === 'utf8mb4' ? [] : [`charset=${charset} has no effect: it is always utf8mb4`]),
    ...[...query.keys()].filter((key) => !HONOURED.has(key)).map((key) => `parameter ${key} has no effect`),
  ];
};

/** The hosts in order, or the problem with them. */
const parseHosts = (list: string): readonly HostAddress[] | string => {
  if (list === '') return [{ host: 'localhost', port: MYSQL_PORT }];
  const hosts: HostAddress[] = [];
  for (const [at, text] of list.split(',').entries()) {
    const [, name = '', digits] = HOST.exec(text.trim()) ?? [];
    if (name === '' && (list.includes(',') || digits === undefined))
      return `must name its host ${at + 1} as host, host:port, [address] or [address]:port`;
    const port = digits === undefined ? MYSQL_PORT : Number(digits);
    if (port < 1 || port > 65_535) return 'must have a port between 1 and 65535';
    const host = name === '' ? 'localhost' : name.replace(/^\[(.*)\]$/, '$1');
    if (hosts.some((each) => each.host === host && each.port === port)) return `must not name its host ${at + 1} twice`;
    hosts.push({ host, port });
  }
  if (hosts.length > DATABASE_LIMITS.hostsMax) return `must not name more than ${DATABASE_LIMITS.hostsMax} hosts`;
  return hosts;
};

const parseMysql = (rest: string): ParsedDatabaseUrl => {
  const match = MYSQL.exec(rest);
  if (match === null) return refuse('must be mysql://user:password@host:port/database');
  const [, user = '', password = '', hostList = '', database = '', query = ''] = match;
  if (database === '') return refuse('must name the database after the host: mysql://user:password@host:port/database');
  if (user === '') return refuse('must name a user: mysql://user:password@host:port/database');
  const hosts = parseHosts(hostList);
  if (typeof hosts === 'string') return refuse(hosts);
  const parameters = new URLSearchParams(query);
  const caFile = parameters.get('ssl_ca');
  const clientFiles = { certFile: parameters.get('ssl_cert'), keyFile: parameters.get('ssl_key') };
  if (caFile === null && (clientFiles.certFile ?? clientFiles.keyFile) !== null) {
    return refuse('must have ssl_ca where it has ssl_cert or ssl_key');
  }
  return {
    ok: true,
    address: {
      kind: 'mysql',
      hosts,
      socketPath: parameters.get('unix_socket'),
      user: decode(user),
      password: decode(password),
      database: decode(database),
      tls: caFile === null ? null : { caFile, ...clientFiles },
    },
    warnings: queryWarnings(parameters),
  };
};

/** A relative SQLite path starts at `cwd`. */
export const parseDatabaseUrl = (text: string, cwd: string): ParsedDatabaseUrl => {
  const match = /^([a-z0-9]+)(?:\+[a-z0-9_]+)?:\/\/(.*)$/is.exec(text.trim());
  switch (match?.[1]?.toLowerCase()) {
    case 'sqlite':
      return parseSqlite(match?.[2] ?? '', cwd);
    case 'mysql':
    case 'mariadb':
      return parseMysql(match?.[2] ?? '');
    case undefined:
      return refuse('must be an address such as sqlite:///berth.db or mysql://user:password@host:3306/berth');
    default:
      return refuse(`must start with sqlite:// or mysql://, ${match?.[1] ?? ''} is not supported`);
  }
};
