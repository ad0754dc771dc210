// Reads the files of nova's configuration.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PROCESS_LIMITS } from '../../platform/config/limits/processes';
import { ConfigError } from '../../platform/config/load-config';
import type { ConfFile } from './oslo-sources';

const FILES_MAX = 100;

/** A folder stands for its `*.conf` files in the order of their names. Throws ConfigError for what cannot be read. */
export function readConfFiles(paths: readonly string[]): readonly ConfFile[] {
  const files = paths.flatMap(filesOf);
  if (files.length > FILES_MAX)
    throw new ConfigError([`More than ${FILES_MAX} configuration files of nova are given.`]);
  return files.map((path) => {
    const text = attempt(path, () => readFileSync(path, 'utf8'));
    if (text.length > PROCESS_LIMITS.configFileBytes) throw new ConfigError([`${path}: is too large`]);
    return { path, text };
  });
}

function filesOf(path: string): readonly string[] {
  if (!attempt(path, () => statSync(path).isDirectory())) return [path];
  return attempt(path, () => readdirSync(path))
    .filter((name) => name.endsWith('.conf'))
    .sort()
    .map((name) => join(path, name));
}

function attempt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ConfigError([`${path}: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`]);
  }
}
