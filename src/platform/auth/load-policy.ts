// Reads the operator's policy files, if any: `policy_file`, then the files of `policy_dirs` in the order of their
// names, each overriding the earlier ones. Compiles them with the defaults. An invalid file stops the start; `berth
// config check` and `berth status` report it.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PlatformConfig } from '../config/platform-config';
import type { PolicyEnforcer, PolicyEnforcerSettings } from './policy-enforcer';
import { createPolicyEnforcer, PolicyError } from './policy-enforcer';
import { parsePolicyFile, unusedRuleWarnings } from './policy-file';

interface LoadedPolicy {
  readonly settings: PolicyEnforcerSettings;
  readonly enforcer: PolicyEnforcer;
  readonly warnings: readonly string[];
}

/** Relative paths start at the configuration file's folder, otherwise at the working directory. Throws PolicyError. */
export function loadPolicy({ oslo_policy: options, cwd, file }: PlatformConfig): LoadedPolicy {
  const base = file === null ? cwd : resolve(file, '..');
  const paths = [
    resolve(base, options.policy_file),
    ...options.policy_dirs.flatMap((directory) => filesIn(resolve(base, directory))),
  ];
  const overrides: Record<string, string> = {};
  const problems: string[] = [];
  for (const path of paths) {
    const text = readIfPresent(path, () => readFileSync(path, 'utf8'));
    if (text === undefined) continue;
    const parsed = parsePolicyFile(text);
    problems.push(...parsed.problems.map((problem) => `${path}: ${problem}`));
    Object.assign(overrides, parsed.checks);
  }
  if (problems.length > 0) throw new PolicyError(problems);
  const settings = {
    enforceNewDefaults: options.enforce_new_defaults,
    enforceScope: options.enforce_scope,
    overrides,
  };
  return { settings, enforcer: createPolicyEnforcer(settings), warnings: unusedRuleWarnings(overrides) };
}

/** Checks the policy files: warnings, and the problems that would stop the start. */
export function checkPolicy(config: PlatformConfig): {
  readonly warnings: readonly string[];
  readonly problems: readonly string[];
} {
  try {
    return { warnings: loadPolicy(config).warnings, problems: [] };
  } catch (error) {
    if (error instanceof PolicyError) return { warnings: [], problems: error.problems };
    throw error;
  }
}

function filesIn(directory: string): readonly string[] {
  const names = readIfPresent(directory, () => readdirSync(directory)) ?? [];
  return names
    .filter((name) => !name.startsWith('.'))
    .sort()
    .map((name) => join(directory, name));
}

/** Undefined if the path does not exist. */
function readIfPresent<T>(path: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new PolicyError([`${path}: cannot be read (${code})`]);
  }
}
