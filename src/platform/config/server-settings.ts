// The environment variables without a group: the listening address, and settings that a process needs before it reads a
// file. An empty value counts as unset.

import type { OptionDeclaration } from '../values/options';
import { boolean, choice, integer, problemOf, text } from '../values/options';
import type { LogFormat, LogLevel } from './platform-config';
import { LOG_FORMATS, LOG_LEVELS } from './platform-config';

const LEVEL_SYNONYMS: Readonly<Record<string, LogLevel>> = { warning: 'warn', critical: 'fatal', verbose: 'trace' };

const lower = (given: string): string => given.toLowerCase();
const numberOf = (given: string): unknown => (/^-?\d+$/.test(given) ? Number(given) : given);

/** Conversion of a variable with a rule; `meaning` replaces the rule's text in error messages. */
interface Reading {
  readonly convert: (given: string) => unknown;
  readonly meaning?: string;
}

const read = <D extends OptionDeclaration>(declaration: D, reading: Reading): D & Reading => ({
  ...declaration,
  ...reading,
});

/** All such variables, also for the reference page. Variables without a rule are read by the code that needs them. */
export const ENVIRONMENT_VARIABLES = {
  DATABASE_URL: { help: 'Database address; overrides `[placement_database] connection`.' },
  DATABASE_URL_FILE: {
    help:
      'File that holds the database address and nothing else, instead of `DATABASE_URL`; it is read again when the ' +
      'database refuses the password.',
  },
  PORT: read(integer(8_778, 'Port to listen at; 0 lets the system choose.', { min: 0, max: 65_535 }), {
    convert: numberOf,
  }),
  BERTH_HOST: read(
    text('127.0.0.1', 'Address to listen at.', {
      pattern: /^[0-9A-Za-z.:%_-]+$/,
      patternMeaning: 'an address or a host name',
    }),
    { convert: (given) => given.replace(/^\[(.*)\]$/, '$1') },
  ),
  BERTH_CONFIG: {
    help:
      'Configuration files, separated by commas; a folder stands for its `*.conf` files. Default: `berth.conf` in the ' +
      'working directory, if there is one.',
  },
  BERTH_ALLOW_NOAUTH: read(boolean(false, 'Set to 1 to allow `auth_strategy = noauth2` beyond loopback.'), {
    convert: (given) => (/^(1|true|yes)$/i.test(given) ? true : /^(0|false|no)$/i.test(given) ? false : given),
    meaning: 'must be 1 or 0',
  }),
  LOG_LEVEL: read(choice(LOG_LEVELS, null, 'Log level. Default: `info`, or `debug` where `[DEFAULT] debug` is on.'), {
    convert: (given) => LEVEL_SYNONYMS[lower(given)] ?? lower(given),
  }),
  BERTH_LOG_FORMAT: read(
    choice(
      LOG_FORMATS,
      'auto',
      'Form of the log. `auto`: readable lines where standard error is a terminal, JSON elsewhere.',
    ),
    { convert: lower },
  ),
  BERTH_URL: { help: 'Address of the service for commands without `--url`; the service does not read it.' },
  BERTH_TOKEN: { help: 'Token that commands without `--token` send as `X-Auth-Token`; the service does not read it.' },
  BERTH_TRANSFER_PASSWORD: {
    help:
      'Password of the database that `berth import --from` or `berth export --to` names, if the address has none; the ' +
      'service does not read it.',
  },
  BERTH_TEST_MYSQL_URL: { help: 'A MySQL server for the test suites; the service does not read it.' },
} as const;

type Variables = typeof ENVIRONMENT_VARIABLES;
type RuledName = { [N in keyof Variables]: Variables[N] extends Reading ? N : never }[keyof Variables];

export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  readonly allowNoauth: boolean;
  readonly logLevel: LogLevel | null;
  readonly logFormat: LogFormat;
  readonly problems: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads and checks the variables; an invalid one is reported and gets its default. */
export const readServerSettings = (env: Environment): ServerSettings => {
  const problems: string[] = [];
  const valueOf = <N extends RuledName>(name: N): Variables[N]['default'] => {
    const variable: OptionDeclaration & Reading = ENVIRONMENT_VARIABLES[name];
    const given = env[name]?.trim() ?? '';
    const value = given === '' ? variable.default : variable.convert(given);
    const problem = given === '' ? null : problemOf(variable, value);
    if (problem === null) return value as Variables[N]['default'];
    problems.push(`environment variable ${name} = "${env[name] ?? ''}": ${variable.meaning ?? problem}`);
    return variable.default as Variables[N]['default'];
  };
  return {
    port: valueOf('PORT'),
    host: valueOf('BERTH_HOST'),
    allowNoauth: valueOf('BERTH_ALLOW_NOAUTH'),
    logLevel: valueOf('LOG_LEVEL'),
    logFormat: valueOf('BERTH_LOG_FORMAT'),
    problems,
  };
};

/** Whether the host is a loopback address. */
export const isLoopbackHost = (host: string): boolean =>
  /^(?:localhost|::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/i.test(host);
