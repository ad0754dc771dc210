// Parses a policy file: one flat mapping of rule names to checks, as YAML or JSON. Only this subset of YAML is
// supported; anything else is reported with its line.
//
//   # comment
//   "placement:usages": "rule:admin_or_service_api"
//   placement:reshaper:reshape: role:service or
//     role:admin                                        (an indented line continues the check)

import { nearestName } from '../config/nearest-name';
import { HELPER_RULES, POLICY_RULES } from './policy-rules';

interface PolicyFile {
  readonly checks: Readonly<Record<string, string>>;
  /** With the line number if known: `3: expected …`. */
  readonly problems: readonly string[];
}

const parseJsonPolicy = (text: string): PolicyFile => {
  try {
    const document = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const faulty = Object.entries(document).filter(([, check]) => typeof check !== 'string');
    if (faulty.length === 0) return { checks: document as Readonly<Record<string, string>>, problems: [] };
    return { checks: {}, problems: faulty.map(([name]) => `the check of "${name}" must be a text`) };
  } catch {
    return { checks: {}, problems: ['is not valid JSON'] };
  }
};

const DOUBLE_QUOTED = /^"((?:[^"\\]|\\["\\])*)"\s*(?:#.*)?$/;
const SINGLE_QUOTED = /^'((?:[^']|'')*)'\s*(?:#.*)?$/;

/** A quoted or plain text; undefined for a list, a mapping, an anchor or an unfinished quote. */
const readScalar = (text: string): string | undefined => {
  const double = DOUBLE_QUOTED.exec(text)?.[1];
  if (double !== undefined) return double.replace(/\\(["\\])/g, '$1');
  const single = SINGLE_QUOTED.exec(text)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  const plain = text.replace(/(?:^|\s)#.*$/, '').trim();
  // In YAML these characters have a special meaning at the start of a plain text.
  return /^["'[\]{}&*|>%@`!-]/.test(plain) ? undefined : plain;
};

const KEY = /^(?:"((?:[^"\\]|\\["\\])*)"|'((?:[^']|'')*)'|([^\s"'#][^#]*?))\s*:(?:\s+(.*))?$/;

interface OpenRule {
  readonly name: string;
  readonly line: number;
  text: string;
}

const closeRule = (rule: OpenRule | undefined, checks: Record<string, string>, problems: string[]): void => {
  if (rule === undefined) return;
  const check = readScalar(rule.text.trim());
  if (check === undefined) problems.push(`${rule.line}: the check of "${rule.name}" must be a text, in quotes`);
  else if (Object.hasOwn(checks, rule.name)) problems.push(`${rule.line}: "${rule.name}" is given twice`);
  else checks[rule.name] = check;
};

const parseYamlPolicy = (text: string): PolicyFile => {
  const checks: Record<string, string> = {};
  const problems: string[] = [];
  let open: OpenRule | undefined;
  text.split(/\r?\n/).forEach((line, index) => {
    const content = line.trim();
    if (content === '' || content.startsWith('#') || content === '---' || content === '{}') return;
    if (/^\s/.test(line)) {
      if (open === undefined)
        problems.push(`${index + 1}: an indented line continues a check, but there is none above it`);
      else open.text += ` ${content}`;
      return;
    }
    closeRule(open, checks, problems);
    const [, double, single, plain, value = ''] = KEY.exec(content) ?? [];
    const name = double ?? single ?? plain;
    open = name === undefined ? undefined : { name, line: index + 1, text: value };
    if (name === undefined) problems.push(`${index + 1}: expected "rule": "check"`);
  });
  closeRule(open, checks, problems);
  return { checks, problems };
};

/** Never throws. A text that starts with a brace is JSON. */
export const parsePolicyFile = (text: string): PolicyFile =>
  /^\s*\{\s*[^}\s]/.test(text) ? parseJsonPolicy(text) : parseYamlPolicy(text);

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
