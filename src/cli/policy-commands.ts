// `berth policy list`: prints every effective rule and its source.
import type { Command } from 'commander';
import { loadPolicy } from '../platform/auth/load-policy';
import type { PolicyEnforcerSettings } from '../platform/auth/policy-enforcer';
import { checksInForce } from '../platform/auth/policy-enforcer';
import { POLICY_RULES } from '../platform/auth/policy-rules';
import type { CommandContext } from './command-context';
import { addGroup, JSON_OPTION, runs } from './command-context';
import type { TableRow } from './table';
import { renderJson, renderTable } from './table';

export function addPolicyCommands(program: Command, context: CommandContext): void {
  addGroup(program, 'policy', 'who may do what')
    .command('list')
    .description('print every policy rule in force: its check, its scopes, whether a policy file replaced it')
    .option(...JSON_OPTION)
    .action(
      runs(context, async ({ json }: { json?: true }) => {
        const { config } = await context.loadConfig();
        const { settings, warnings } = loadPolicy(config);
        for (const warning of warnings) context.stderr(`warning: ${warning}\n`);
        const rules = rulesInForce(settings);
        context.stdout(
          json ? renderJson(await withOperations(rules)) : renderTable(['name', 'check', 'scopes', 'from'], rules),
        );
      }),
    );
}

/** Loads all controllers, which takes about 1 s. */
async function withOperations(rules: readonly TableRow[]): Promise<readonly TableRow[]> {
  const { operationsByRule } = await import('./printed-document.js');
  const operations = await operationsByRule();
  return rules.map((rule) => ({ ...rule, operations: operations.get(String(rule['name'])) ?? [] }));
}

function rulesInForce(settings: PolicyEnforcerSettings): readonly TableRow[] {
  const rules = new Map<string, (typeof POLICY_RULES)[number]>(POLICY_RULES.map((rule) => [rule.name, rule]));
  return [...checksInForce(settings)].map(([name, check]) => {
    const from = name in (settings.overrides ?? {}) ? 'policy file' : 'default';
    return { name, check, scopes: rules.get(name)?.scopeTypes ?? [], from };
  });
}
