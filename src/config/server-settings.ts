// The environment variables without a group: where the service listens and what a process needs before any file is
// read. Empty counts as unset.

import { IsBoolean, IsIn, IsInt, Matches, Max, Min, validateSync } from 'class-validator';
import { LOG_LEVELS } from './berth-config';
import type { LogLevel } from './berth-config';
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
  BERTH_TEST_MYSQL_URL: 'A MySQL server for the test suites; the service does not read it.',
} as const;

const LEVEL_SYNONYMS: Readonly<Record<string, LogLevel>> = { warning: 'warn', critical: 'fatal', verbose: 'trace' };

/** The variables as class-validator checks them; properties are named as the variables. */
class ServerVariables {
  @Max(65_535, { message: 'must be at most 65535' })
  @Min(0, { message: 'must be at least 0' })
  @IsInt({ message: 'must be an integer' })
  PORT: unknown = 8778;

  @Matches(/^[0-9A-Za-z.:%_-]+$/, { message: 'must be an address or a host name' })
  BERTH_HOST: unknown = '127.0.0.1';

  @Max(PROCESS_LIMITS.workersMax, { message: `must be at most ${PROCESS_LIMITS.workersMax}` })
  @Min(1, { message: 'must be at least 1' })
  @IsInt({ message: 'must be an integer' })
  BERTH_WORKERS: unknown = 1;

  @IsBoolean({ message: 'must be 1 or 0' })
  BERTH_ALLOW_NOAUTH: unknown = false;

  @IsIn([...LOG_LEVELS, null], { message: `must be one of ${LOG_LEVELS.join(', ')}` })
  LOG_LEVEL: unknown = null;
}

export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly allowNoauth: boolean;
  readonly logLevel: LogLevel | null;
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

const readVariables = (env: Environment): ServerVariables => {
  const variables = new ServerVariables();
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;
  const number = (text: string): unknown => (/^-?\d+$/.test(text) ? Number(text) : text);
  const port = given('PORT');
  const host = given('BERTH_HOST');
  const workers = given('BERTH_WORKERS');
  const allow = given('BERTH_ALLOW_NOAUTH')?.toLowerCase();
  const level = given('LOG_LEVEL')?.toLowerCase();
  if (port !== undefined) variables.PORT = number(port);
  if (host !== undefined) variables.BERTH_HOST = host.replace(/^\[(.*)\]$/, '$1');
  if (workers !== undefined) variables.BERTH_WORKERS = number(workers);
  if (allow !== undefined) variables.BERTH_ALLOW_NOAUTH = ALLOWED[allow] ?? allow;
  if (level !== undefined) variables.LOG_LEVEL = LEVEL_SYNONYMS[level] ?? level;
  return variables;
};

/** Reads and checks the variables; a faulty one keeps its default beside its problem. */
export const readServerSettings = (env: Environment): ServerSettings => {
  const variables = readVariables(env);
  const faults = validateSync(variables);
  const problems = faults.map(({ property, constraints }) => {
    const rules = Object.entries(constraints ?? {});
    const rule = rules.find(([name]) => name === 'isInt') ?? rules[0];
    return `environment variable ${property} = "${env[property] ?? ''}": ${rule?.[1] ?? 'is not valid'}`;
  });
  const faulty = new Set(faults.map(({ property }) => property));
  const defaults = new ServerVariables();
  const value = (name: keyof ServerVariables): unknown => (faulty.has(name) ? defaults : variables)[name];
  return {
    host: value('BERTH_HOST') as string,
    port: value('PORT') as number,
    workers: value('BERTH_WORKERS') as number,
    allowNoauth: value('BERTH_ALLOW_NOAUTH') as boolean,
    logLevel: value('LOG_LEVEL') as LogLevel | null,
    problems,
  };
};

/** Whether only this machine reaches the address. */
export const isLoopbackHost = (host: string): boolean =>
  /^(?:localhost|::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/i.test(host);
