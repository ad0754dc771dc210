// Reads the operator's policy files, if any: `policy_file`, then the files of `policy_dirs` in the order of their
// names, each overriding the earlier ones. Compiles them with the defaults. An invalid file stops the start; `berth
// config check` and `berth status` report it.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { PlatformConfig } from '../config/platform-config';
import { suggestionOf } from '../values/nearest-name';
import type { PolicyEnforcer, PolicyEnforcerSettings } from './policy-enforcer';
import { checksInForce, createPolicyEnforcer, PolicyError } from './policy-enforcer';
import { parsePolicyFile } from './policy-file';

interface LoadedPolicy {
  readonly settings: PolicyEnforcerSettings;
  readonly enforcer: PolicyEnforcer;
  readonly warnings: readonly string[];
}

interface ReadPolicyFile {
  readonly path: string;
  readonly text: string;
}

/** As in oslo.policy, a policy.json is read if there is no policy.yaml. */
const FORMER_FILE: Readonly<Record<string, string>> = { 'policy.yaml': 'policy.json' };

/** Throws PolicyError. */
export function loadPolicy(config: PlatformConfig): LoadedPolicy {
  const { oslo_policy: options, origins } = config;
  const overrides: Record<string, string> = {};
  const rulesAt: Record<string, string> = {};
  const problems: string[] = [];
  const main = mainFile(config);
  for (const { path, text } of [...(main === undefined ? [] : [main]), ...filesOfFolders(config)]) {
    const parsed = parsePolicyFile(text);
    problems.push(...parsed.problems.map((problem) => `${path}:${problem}`));
    for (const [name, check] of Object.entries(parsed.checks)) {
      overrides[name] = check;
      rulesAt[name] = `${path}:${parsed.lines[name] ?? 1}`;
    }
  }
  if (problems.length > 0) throw new PolicyError(problems);
  const settings = {
    enforceNewDefaults: options.enforce_new_defaults,
    enforceScope: options.enforce_scope,
    overrides,
    origins: rulesAt,
  };
  const origin = origins['oslo_policy.policy_file'];
  const isMissing = origin !== undefined && main === undefined;
  const missing = isMissing ? [`${origin}: [oslo_policy] policy_file ${options.policy_file} does not exist`] : [];
  return { settings, enforcer: createPolicyEnforcer(settings), warnings: [...missing, ...unusedRules(settings)] };
}

/** A rule with a name of the operator's own that no check refers to: probably a spelling mistake. */
function unusedRules({ overrides = {}, origins = {}, ...defaults }: PolicyEnforcerSettings): readonly string[] {
  const known = checksInForce(defaults);
  const checks = Object.values(overrides);
  return Object.keys(overrides)
    .filter((name) => !known.has(name) && !checks.some((check) => check.includes(`rule:${name}`)))
    .map((name) => {
      const hint = suggestionOf(name, known.keys(), (near) => `"${near}"`);
      return `${origins[name]}: "${name}" guards no request, and no rule refers to it${hint}`;
    });
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

/** Folders of the configuration files, the last file's first as in oslo; otherwise the working directory. */
const foldersOf = ({ files, cwd }: PlatformConfig): readonly string[] =>
  files.length === 0 ? [cwd] : [...new Set(files.map((file) => dirname(file)).reverse())];

function mainFile(config: PlatformConfig): ReadPolicyFile | undefined {
  const name = config.oslo_policy.policy_file;
  const former = FORMER_FILE[name];
  for (const each of former === undefined ? [name] : [name, former]) {
    const found = foldersOf(config).map((folder) => readPolicy(resolve(folder, each)));
    const [first] = found.filter((file) => file !== undefined);
    if (first !== undefined) return first;
  }
  return undefined;
}

/** The files of the first folder that exists, for each of `policy_dirs`. */
function filesOfFolders(config: PlatformConfig): readonly ReadPolicyFile[] {
  return config.oslo_policy.policy_dirs.flatMap((directory) => {
    const names = foldersOf(config).map((folder) => filesIn(resolve(folder, directory)));
    return (names.find((each) => each.length > 0) ?? []).flatMap((path) => readPolicy(path) ?? []);
  });
}

function readPolicy(path: string): ReadPolicyFile | undefined {
  const text = readIfPresent(path, () => readFileSync(path, 'utf8'));
  return text === undefined ? undefined : { path, text };
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
