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
import { suggestionOf } from '../values/nearest-name';
import { HELPER_RULES, POLICY_RULES } from './policy-rules';

interface PolicyFile {
  readonly checks: Readonly<Record<string, string>>;
  /** Line of each rule. */
  readonly lines: Readonly<Record<string, number>>;
  /** Each with its line, for example `3: expected …`. */
  readonly problems: readonly string[];
}

/** An untagged text; undefined for any other node, such as a list or a number. */
const textOf = (node: unknown): string | undefined =>
  isScalar(node) && typeof node.value === 'string' && node.tag === undefined ? node.value.trim() : undefined;

const KNOWN: ReadonlySet<string> = new Set([...POLICY_RULES, ...HELPER_RULES].map(({ name }) => name));

/** A name of another prefix defines a rule of the operator's own. */
const guards = (name: string): boolean => !/^(?:placement|berth):/.test(name) || KNOWN.has(name);

const quoted = (name: string): string => `"${name}"`;

/** Reports invalid content as problems. JSON is parsed as YAML, because it is a subset of YAML. */
export const parsePolicyFile = (text: string): PolicyFile => {
  if (text.length > PROCESS_LIMITS.configFileBytes) return { checks: {}, lines: {}, problems: ['1: is too large'] };
  const lines = new LineCounter();
  // The parser's own check for duplicate names takes quadratic time.
  const document = parseDocument<Node>(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const at = (offset = 0): number => lines.linePos(offset).line;
  const problems = document.errors.map(({ pos, message }) => `${at(pos[0])}: ${message}`);
  const checks: Record<string, string> = {};
  const ruleLines: Record<string, number> = {};
  if (problems.length > 0 || document.contents === null) return { checks, lines: ruleLines, problems };
  if (!isMap<Node, Node>(document.contents)) {
    return { checks, lines: ruleLines, problems: ['1: expected "rule": "check"'] };
  }
  for (const { key, value } of document.contents.items) {
    const [name, check, line] = [textOf(key), textOf(value), at(key.range?.[0])];
    if (name === undefined) problems.push(`${line}: expected "rule": "check"`);
    else if (check === undefined) problems.push(`${line}: the check of "${name}" must be a text, in quotes`);
    else if (Object.hasOwn(checks, name)) problems.push(`${line}: "${name}" is given twice`);
    else if (!guards(name)) problems.push(`${line}: "${name}" guards no request${suggestionOf(name, KNOWN, quoted)}`);
    else [checks[name], ruleLines[name]] = [check, line];
  }
  return { checks, lines: ruleLines, problems };
};
