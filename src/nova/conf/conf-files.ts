// Reads the files of nova's configuration.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROCESS_LIMITS } from '../../platform/config/limits';
import { ConfigError } from '../../platform/config/load-config';
import type { ConfFile } from './oslo-sources';

const FILES_MAX = 100;

/** The `*.conf` files of a folder in the order of their names, as oslo.config reads `--config-dir`. */
export function filesOfFolder(folder: string): readonly string[] {
  const names = attempt(folder, () => readdirSync(folder));
  return names
    .filter((name) => name.endsWith('.conf'))
    .sort()
    .map((name) => join(folder, name));
}

/** Throws ConfigError for a file that cannot be read. */
export function readConfFiles(paths: readonly string[]): readonly ConfFile[] {
  if (paths.length > FILES_MAX)
    throw new ConfigError([`More than ${FILES_MAX} configuration files of nova are given.`]);
  return paths.map((path) => {
    const text = attempt(path, () => readFileSync(path, 'utf8'));
    if (text.length > PROCESS_LIMITS.configFileBytes) throw new ConfigError([`${path}: is too large`]);
    return { path, text };
  });
}

function attempt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ConfigError([`${path}: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`]);
  }
}
