// Reads the operator's policy files, if there are any: `policy_file`, then the files of `policy_dirs` in the order of
// their names, each overriding what came before. A file that cannot be obeyed stops the boot.
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BerthConfig } from '../config/berth-config';
import { parsePolicyFile, unusedRuleWarnings } from './policy-file';
import { PolicyError } from './policy-enforcer';

interface LoadedPolicy {
  /** Checks by rule name, to be laid over the defaults. */
  readonly overrides: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** Relative paths start where the configuration file is, else at the working directory. Throws PolicyError. */
export function loadPolicy({ oslo_policy: options, cwd, file }: BerthConfig): LoadedPolicy {
  const base = file === null ? cwd : resolve(file, '..');
  const paths = [
    resolve(base, options.policy_file),
    ...options.policy_dirs.flatMap((directory) => filesIn(resolve(base, directory))),
  ];
  const overrides: Record<string, string> = {};
  const problems: string[] = [];
  for (const path of paths) {
    const text = textOf(path);
    if (text === undefined) continue;
    const parsed = parsePolicyFile(text);
    problems.push(...parsed.problems.map((problem) => `${path}: ${problem}`));
    Object.assign(overrides, parsed.checks);
  }
  if (problems.length > 0) throw new PolicyError(problems);
  return { overrides, warnings: unusedRuleWarnings(overrides) };
}

function filesIn(directory: string): readonly string[] {
  const names = absentIsUndefined(() => readdirSync(directory)) ?? [];
  return names
    .filter((name) => !name.startsWith('.'))
    .sort()
    .map((name) => join(directory, name));
}

const textOf = (path: string): string | undefined => absentIsUndefined(() => readFileSync(path, 'utf8'));

function absentIsUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
