// The environment variables without a group: where the service listens and what a process needs before any file is
// read. Empty counts as unset.

import { boolean, choice, integer, problemOf, text } from '../domain/options';
import type { OptionDeclaration, OptionValue } from '../domain/options';
import { LOG_FORMATS, LOG_LEVELS } from './berth-config';
import type { LogFormat, LogLevel } from './berth-config';
import { PROCESS_LIMITS } from './limits';

/** What every such variable is for; the reference page prints it. */
export const ENVIRONMENT_VARIABLES = {
  DATABASE_URL: 'Database address; beats `[placement_database] connection`.',
  DATABASE_URL_FILE:
    'File that holds the database address and nothing else, instead of `DATABASE_URL`; it is read again when the ' +
    'database refuses the password.',
  PORT: 'Port to listen at, default 8778; 0 lets the system choose.',
  BERTH_HOST: 'Address to listen at, default 127.0.0.1.',
  BERTH_WORKERS: 'Worker processes, default 1.',
  BERTH_CONFIG: 'Configuration file, default `berth.conf` in the working directory, if there is one.',
  BERTH_LENIENT:
    'Set to 1 to let groups and options of other services pass, so that a `nova.conf` can be served with as it is.',
  BERTH_ALLOW_NOAUTH: 'Set to 1 to allow `auth_strategy = noauth2` beyond loopback.',
  LOG_LEVEL: `Log level, one of ${LOG_LEVELS.join(', ')}; default \`info\`, or \`debug\` where \`[DEFAULT] debug\` is on.`,
  BERTH_LOG_FORMAT:
    `Form of the log, one of ${LOG_FORMATS.join(', ')}; default \`auto\`: readable lines where standard error is a ` +
    'terminal, JSON elsewhere.',
  BERTH_URL:
    'Where the commands that ask a running service find it, unless `--url` says; the service does not read it.',
  BERTH_TOKEN: 'What those commands send as `X-Auth-Token`, unless `--token` says; the service does not read it.',
  BERTH_TEST_MYSQL_URL: 'A MySQL server for the test suites; the service does not read it.',
} as const;

const LEVEL_SYNONYMS: Readonly<Record<string, LogLevel>> = { warning: 'warn', critical: 'fatal', verbose: 'trace' };

export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly allowNoauth: boolean;
  readonly logLevel: LogLevel | null;
  readonly logFormat: LogFormat;
  readonly problems: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const ALLOWED: Readonly<Record<string, boolean>> = {
  '1': true,
  true: true,
  yes: true,
  '0': false,
  false: false,
  no: false,
};

const numberOf = (given: string): unknown => (/^-?\d+$/.test(given) ? Number(given) : given);

/** Reads and checks the variables; a faulty one keeps its default beside its problem. */
export const readServerSettings = (env: Environment): ServerSettings => {
  const problems: string[] = [];
  const read = <T extends OptionValue>(
    name: keyof typeof ENVIRONMENT_VARIABLES,
    rule: OptionDeclaration<T>,
    convert: (given: string) => unknown,
    meaning?: string,
  ): T => {
    const given = env[name]?.trim() ?? '';
    if (given === '') return rule.default;
    const value = convert(given);
    const problem = problemOf(rule, value);
    if (problem === null) return value as T;
    problems.push(`environment variable ${name} = "${env[name] ?? ''}": ${meaning ?? problem}`);
    return rule.default;
  };
  const workers = { min: 1, max: PROCESS_LIMITS.workersMax };
  const host = { pattern: /^[0-9A-Za-z.:%_-]+$/, patternMeaning: 'an address or a host name' };
  return {
    port: read('PORT', integer(8_778, '', { min: 0, max: 65_535 }), numberOf),
    host: read('BERTH_HOST', text('127.0.0.1', '', host), (given) => given.replace(/^\[(.*)\]$/, '$1')),
    workers: read('BERTH_WORKERS', integer(1, '', workers), numberOf),
    allowNoauth: read(
      'BERTH_ALLOW_NOAUTH',
      boolean(false, ''),
      (given) => ALLOWED[given.toLowerCase()] ?? given,
      'must be 1 or 0',
    ),
    logLevel: read('LOG_LEVEL', choice(LOG_LEVELS, null, ''), (given) => {
      const level = given.toLowerCase();
      return LEVEL_SYNONYMS[level] ?? level;
    }),
    logFormat: read('BERTH_LOG_FORMAT', choice(LOG_FORMATS, 'auto', ''), (given) => given.toLowerCase()),
    problems,
  };
};

/** Whether only this machine reaches the address. */
export const isLoopbackHost = (host: string): boolean =>
  /^(?:localhost|::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/i.test(host);
