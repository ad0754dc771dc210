// Reads configuration files in oslo's INI form: Berth's own, those of Placement, and those of nova.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface ConfFile {
  /** Absolute. */
  readonly path: string;
  /** As given, for messages. */
  readonly shown: string;
  readonly text: string;
}

interface ConfFiles {
  readonly files: readonly ConfFile[];
  readonly problems: readonly string[];
}

/** Text of a file, or undefined if it does not exist. */
export type ReadFile = (path: string) => string | undefined;

/** The rest of a problem. */
export const NO_SUCH_FILE = 'there is no such file';

/**
 * Law: a file is Berth's own if it is called `berth*.conf`, or is in a folder called `berth*.conf.d`. Every other file
 * is one that services of OpenStack share. Unknown names and numbers out of bounds are errors in the first, warnings
 * in the second.
 */
export const isOwnFile = (path: string): boolean => /(?:^|\/)berth[^/]*\.conf(?:\.d\/[^/]+)?$/.test(path);

export const readFromDisk: ReadFile = (path) => attempt(() => readFileSync(path, 'utf8'));

/** In the given order. A folder stands for its `*.conf` files in the order of their names, as with oslo. */
export function readConfFiles(given: readonly string[], cwd: string, readFile: ReadFile = readFromDisk): ConfFiles {
  const problems: string[] = [];
  const read = <T>(shown: string, from: () => T | undefined): T | undefined => {
    try {
      const found = from();
      if (found === undefined) problems.push(`${shown}: ${NO_SUCH_FILE}`);
      return found;
    } catch (error) {
      problems.push(`${shown}: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
      return undefined;
    }
  };
  const paths = given.flatMap((shown) => read(shown, () => filesOf(shown, cwd)) ?? []);
  const files = paths.flatMap((shown) => {
    const path = resolve(cwd, shown);
    const text = read(shown, () => readFile(path));
    return text === undefined ? [] : [{ path, shown, text }];
  });
  return { files, problems };
}

function filesOf(shown: string, cwd: string): readonly string[] {
  const path = resolve(cwd, shown);
  if (attempt(() => statSync(path))?.isDirectory() !== true) return [shown];
  return readdirSync(path)
    .filter((name) => name.endsWith('.conf') && !name.startsWith('.'))
    .sort()
    .map((name) => join(shown, name));
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
