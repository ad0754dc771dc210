// Prints the active configuration for the debug log and for `berth config show`. Secrets are masked here, so the output
// is safe for a bug report.

import type { OptionRow, OptionValue } from '../values/options';
import type { OptionTable } from './option-table';
import { valueText } from './option-values';
import type { DatabaseConfig, PlatformConfig } from './platform-config';

const MASK = '***';

/** The database address without its password. */
const describeDatabase = (database: DatabaseConfig): string => {
  if (database.kind === 'sqlite') return `sqlite:///${database.path}`;
  const password = database.password === '' ? '' : `:${MASK}`;
  const hosts = database.hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',');
  return `mysql://${database.user}${password}@${database.socketPath ?? hosts}/${database.database}`;
};

const shownValue = (row: OptionRow, value: OptionValue): OptionValue =>
  row.secret === true && value !== null && value !== '' ? MASK : value;

const optionLines = (config: PlatformConfig, row: OptionRow): readonly string[] => {
  const value = shownValue(row, config.values[row.group]?.[row.name] ?? null);
  const origin = config.origins[`${row.group}.${row.name}`];
  const comment = origin === undefined ? [] : [`# from ${origin}`];
  if (value === null) return [...comment, `# ${row.name} is unset`];
  // A dollar sign would be read as a reference if the output is used as a file.
  const written = (text: string): string => `${row.name} = ${text.replaceAll('$', '$$$$').replaceAll('\n', '\n  ')}`;
  const texts = row.kind === 'multi' ? (value as readonly string[]) : [valueText(value)];
  return [...comment, ...texts.map(written)];
};

/** All options as a configuration file, each with its origin; defaults have no origin comment. */
export const describeConfig = (config: PlatformConfig, table: OptionTable): string => {
  const header = [
    `# files: ${config.files.join(', ') || 'none'}`,
    `# listens at: ${config.server.host} port ${config.server.port}`,
    `# database: ${describeDatabase(config.database)}`,
    `# log level: ${config.logging.level}`,
  ];
  const sections = [...table.groups].flatMap(([group, rows]) => {
    const lines = [...rows.values()].flatMap((row) => optionLines(config, row));
    return lines.length === 0 ? [] : ['', `[${group}]`, ...lines];
  });
  return `${[...header, ...sections].join('\n')}\n`;
};
