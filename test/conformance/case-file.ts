// The case files: their format, parsed strictly, so a misspelt key is an error and not a silent success.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { BerthGroups } from '../../src/options';
import type { LoadConfigInput } from '../../src/platform/config/load-config';
import type { Feature } from '../../src/platform/microversion/api-version';
import { MATCHER_TAGS } from './matchers';

/** `newest` (default), `oldest`, `none` (no header), `before <feature>`, `from <feature>`. */
export type At = string;

/** The caller; absent: a caller with all rights. */
export type Caller =
  | 'nobody'
  | {
      readonly user?: string;
      readonly project?: string;
      readonly roles?: readonly string[];
      readonly isSystemScoped?: boolean;
    };

export interface Step {
  /** Method and path. */
  readonly do: string;
  readonly at?: At;
  readonly as?: Caller;
  /** A header of value null is not sent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly json?: unknown;
  /** A raw text body. */
  readonly text?: string;
  /** The same, in base64. */
  readonly bytes?: string;
  readonly status: number;
  /** JSON paths to expectations. */
  readonly sees?: Readonly<Record<string, unknown>>;
  /** Headers to expectations. */
  readonly shows?: Readonly<Record<string, unknown>>;
  /** Text that the `detail` of the error contains, or several. */
  readonly detail?: string | readonly string[];
  /** Code of the error; absent: `placement.undefined_code`. */
  readonly code?: string;
  /** Expectation of the body as text. */
  readonly says?: unknown;
  /** Word to JSON path, or to `header <name>`. */
  readonly keep?: Readonly<Record<string, string>>;
}

/** A provider with all its data, created at the newest version. */
export interface GivenProvider {
  readonly provider: string;
  readonly name?: string;
  readonly parent?: string;
  /** Class to total, or to a whole record. */
  readonly inventory?: Readonly<Record<string, number | Readonly<Record<string, number>>>>;
  readonly traits?: readonly string[];
  readonly aggregates?: readonly string[];
}

/** Allocations of one consumer, created at the newest version. */
export interface GivenClaim {
  readonly claim: string;
  /** Provider to class to amount. */
  readonly on: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly project?: string;
  readonly user?: string;
  readonly type?: string;
}

export type Given = GivenProvider | GivenClaim | Step;

interface Case {
  readonly name: string;
  readonly given?: readonly Given[];
  readonly steps: readonly Step[];
}

export interface CaseFile {
  readonly about: string;
  /** A separate service with these options; absent: the service that all files share. */
  readonly service?: NonNullable<LoadConfigInput<BerthGroups>['overrides']>;
  readonly given?: readonly Given[];
  readonly cases: readonly Case[];
}

export interface Pair {
  readonly feature: Feature;
  readonly name: string;
  readonly given?: readonly Given[];
  /** At the version just below, unless a step says otherwise. */
  readonly before: readonly Step[];
  /** At the version of the feature, unless a step says otherwise. */
  readonly from: readonly Step[];
}

const STEP_KEYS = 'do at as headers json text bytes status sees shows detail code says keep'.split(' ');
const PROVIDER_KEYS = 'provider name parent inventory traits aggregates'.split(' ');
const CLAIM_KEYS = 'claim on project user type'.split(' ');

function checkKeys(where: string, value: unknown, known: readonly string[], required: readonly string[]): void {
  if (typeof value !== 'object' || value === null) throw new Error(`${where}: must be an object`);
  const keys = Object.keys(value);
  for (const key of keys) if (!known.includes(key)) throw new Error(`${where}: unknown key '${key}'`);
  for (const key of required) if (!keys.includes(key)) throw new Error(`${where}: '${key}' is missing`);
}

const AT = /^(newest|oldest|none|(before|from) \w+)$/;

const checkStep = (where: string, step: Step): void => {
  checkKeys(where, step, STEP_KEYS, ['do', 'status']);
  if (step.at !== undefined && !AT.test(step.at)) throw new Error(`${where}: 'at' names a feature, not '${step.at}'`);
  if (!/^[A-Z]+ [^\s']*$/.test(step.do))
    throw new Error(`${where}: 'do' must be a method and a path, not '${step.do}'`);
};

function checkGiven(where: string, given: readonly Given[]): void {
  given.forEach((item, i) => {
    const here = `${where}, given ${i + 1}`;
    if ('provider' in item) checkKeys(here, item, PROVIDER_KEYS, ['provider']);
    else if ('claim' in item) checkKeys(here, item, CLAIM_KEYS, ['claim', 'on']);
    else checkStep(here, item);
  });
}

const checkSteps = (where: string, steps: readonly Step[]): void =>
  steps.forEach((step, i) => checkStep(`${where}, step ${i + 1}`, step));

export function readYaml(path: string): unknown {
  return parse(readFileSync(path, 'utf8'), { customTags: MATCHER_TAGS, merge: true });
}

export interface NamedFile<T> {
  readonly file: string;
  readonly content: T;
}

function readFolder<T>(folder: string, check: (where: string, content: T) => void): readonly NamedFile<T>[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return files.sort().map((name) => {
    const content = readYaml(join(folder, name)) as T;
    check(name, content);
    return { file: name.replace(/\.yaml$/, ''), content };
  });
}

export function readCaseFiles(folder: string): readonly NamedFile<CaseFile>[] {
  return readFolder<CaseFile>(folder, (where, content) => {
    checkKeys(where, content, ['about', 'service', 'given', 'cases'], ['about', 'cases']);
    checkGiven(where, content.given ?? []);
    const names = new Set<string>();
    for (const each of content.cases) {
      checkKeys(`${where}, a case`, each, ['name', 'given', 'steps'], ['name', 'steps']);
      if (names.has(each.name)) throw new Error(`${where}: two cases are called '${each.name}'`);
      names.add(each.name);
      checkGiven(`${where}, ${each.name}`, each.given ?? []);
      checkSteps(`${where}, ${each.name}`, each.steps);
    }
  });
}

export function readPairs(folder: string): readonly Pair[] {
  const files = readFolder<readonly Pair[]>(folder, (where, pairs) => {
    for (const pair of pairs) {
      const here = `${where}, ${pair.feature}`;
      checkKeys(here, pair, ['feature', 'name', 'given', 'before', 'from'], ['feature', 'name', 'before', 'from']);
      checkGiven(here, pair.given ?? []);
      checkSteps(here, [...pair.before, ...pair.from]);
    }
  });
  return files.flatMap(({ content }) => content);
}
