// Generates the reference page of all policies from the rules and the handlers' declarations. A test compares it with
// docs/reference.
import type { PolicyRule } from '../platform/auth/policy-rules';
import { HELPER_RULES, POLICY_RULES } from '../platform/auth/policy-rules';
import { operationsByRule } from './printed-document';

const INTRODUCTION = `# Policies

This page is printed from the policy rules and the routes; do not edit it.

Every request is checked against one rule, before its object is looked up and its body is read; a refusal is 403.
The file named by \`[oslo_policy] policy_file\` replaces checks by name:

\`\`\`yaml
"placement:reshaper:reshape": "rule:admin_or_service_api"
\`\`\`

A check is \`role:x\` (in any case), \`rule:x\`, \`project_id:%(project_id)s\`, \`user_id:%(user_id)s\`,
\`system_scope:all\`, \`@\` (always) or \`!\` (never), joined by \`not\`, \`and\`, \`or\` and parentheses. \`%(project_id)s\` and
\`%(user_id)s\` are the caller's own, except that \`placement:usages\` uses the project in the query.

- \`[oslo_policy] enforce_new_defaults\` (default true): with false, the helper rules marked "admin before" admit
  administrators as well, unless the file replaces them.
- \`[oslo_policy] enforce_scope\` (default true): a token of a scope that the rule does not name is refused, whatever its
  roles. The rules of Placement are for projects, so a rule that a policy file sets to \`rule:system_admin_api\` or
  \`rule:system_reader_api\` admits no token of the system unless you set this to false.

\`berth config check\` and \`berth status\` report a policy file that would stop the start.`;

const helperLines = (): readonly string[] =>
  HELPER_RULES.map(
    ({ name, check, admitsAdminBefore, description }) =>
      `| \`${name}\` | \`${check}\` | ${admitsAdminBefore ? 'yes' : 'no'} | ${description} |`,
  );

type Operations = ReadonlyMap<string, readonly string[]>;

const ruleLine = ({ name, check, scopeTypes }: PolicyRule, operations: Operations): string => {
  const requests = (operations.get(name) ?? []).map((operation) => `\`${operation}\``).join('<br>');
  return `| \`${name}\` | \`${check}\` | ${scopeTypes.join(', ')} | ${requests} |`;
};

const RULE_HEAD = ['| Rule | Default | Scope | Requests |', '|---|---|---|---|'];

/** The whole page as Markdown. */
export async function renderPoliciesReference(): Promise<string> {
  const operations = await operationsByRule();
  const rulesOf = (prefix: string): readonly string[] =>
    POLICY_RULES.filter(({ name }) => name.startsWith(prefix)).map((rule) => ruleLine(rule, operations));
  return `${[
    INTRODUCTION,
    '',
    '## Helper rules',
    '',
    '| Rule | Default | Admin before | Who |',
    '|---|---|---|---|',
    ...helperLines(),
    '',
    '## Placement',
    '',
    ...RULE_HEAD,
    ...rulesOf('placement:'),
    '',
    '## Scheduler and operations',
    '',
    ...RULE_HEAD,
    ...rulesOf('berth:scheduler:'),
    ...rulesOf('berth:operations:'),
    '',
    '## Reports',
    '',
    ...RULE_HEAD,
    ...rulesOf('berth:reports:'),
    '',
    '## Console',
    '',
    ...RULE_HEAD,
    ...rulesOf('berth:console:'),
    '',
    '## Practice cloud',
    '',
    'A caller that passes `berth:practice_cloud:others` is an administrator of the practice cloud: it sees and changes resources of',
    'other projects, names hosts, and acts on locked servers.',
    '',
    ...RULE_HEAD,
    ...rulesOf('berth:practice_cloud:'),
  ].join('\n')}\n`;
}
