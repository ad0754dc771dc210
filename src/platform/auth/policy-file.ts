// Parses a policy file: one flat mapping of rule names to checks, as YAML or JSON. Anchors, aliases, tags and nested
// values are not checks: each is reported with its line.
//
//   # comment
//   "placement:usages": "rule:admin_or_service_api"
//   placement:reshaper:reshape: role:service or
//     role:admin                                        (an indented line continues the check)

import type { Node } from 'yaml';
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { PROCESS_LIMITS } from '../config/limits/processes';
import { nearestName } from '../values/nearest-name';
import { HELPER_RULES, POLICY_RULES } from './policy-rules';

interface PolicyFile {
  readonly checks: Readonly<Record<string, string>>;
  /** Each with its line, for example `3: expected …`. */
  readonly problems: readonly string[];
}

/** An untagged text; undefined for any other node, such as a list or a number. */
const textOf = (node: unknown): string | undefined =>
  isScalar(node) && typeof node.value === 'string' && node.tag === undefined ? node.value.trim() : undefined;

/** Reports invalid content as problems. JSON is parsed as YAML, because it is a subset of YAML. */
export const parsePolicyFile = (text: string): PolicyFile => {
  if (text.length > PROCESS_LIMITS.configFileBytes) return { checks: {}, problems: ['1: is too large'] };
  const lines = new LineCounter();
  // The parser's own check for duplicate names takes quadratic time.
  const document = parseDocument<Node>(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const at = (offset = 0): number => lines.linePos(offset).line;
  const problems = document.errors.map(({ pos, message }) => `${at(pos[0])}: ${message}`);
  const checks: Record<string, string> = {};
  if (problems.length > 0 || document.contents === null) return { checks, problems };
  if (!isMap<Node, Node>(document.contents)) return { checks, problems: ['1: expected "rule": "check"'] };
  for (const { key, value } of document.contents.items) {
    const [name, check, line] = [textOf(key), textOf(value), at(key.range?.[0])];
    if (name === undefined) problems.push(`${line}: expected "rule": "check"`);
    else if (check === undefined) problems.push(`${line}: the check of "${name}" must be a text, in quotes`);
    else if (Object.hasOwn(checks, name)) problems.push(`${line}: "${name}" is given twice`);
    else checks[name] = check;
  }
  return { checks, problems };
};

/** Warnings for names under `placement:` and `berth:` that no request uses, most likely typing errors. */
export const unusedRuleWarnings = (checks: Readonly<Record<string, string>>): readonly string[] => {
  const known = [...POLICY_RULES, ...HELPER_RULES].map(({ name }) => name as string);
  return Object.keys(checks)
    .filter((name) => /^(?:placement|berth):/.test(name) && !known.includes(name))
    .map((name) => {
      const near = nearestName(name, known);
      return `Policy rule "${name}" guards no request${near === undefined ? '' : `; did you mean "${near}"?`}`;
    });
};
