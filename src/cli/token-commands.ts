// `berth token create|list|revoke|rotate`: static tokens, for `[api] auth_strategy = static`. A new token is printed
// once, as the only text on standard output. Running services recognise changes within seconds.
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { audited } from '../platform/audit/command-events';
import type { StoredToken } from '../platform/auth/static/access-token';
import { AccessTokens, TokenProblem } from '../platform/auth/static/access-tokens';
import { AUTH_LIMITS } from '../platform/config/limits/auth';
import { UNIT_MS } from '../platform/values/past-time';
import { StartRefused } from '../platform/values/start-refused';
import { withDatabase } from './command-application';
import type { CommandContext } from './command-context';
import { addGroup, CommandFailed, JSON_OPTION, runs } from './command-context';
import type { TableRow } from './table';
import { renderJson, renderTable } from './table';

interface Grant {
  readonly user: string;
  readonly project?: string;
  readonly system?: true;
  readonly role: readonly string[];
  readonly expires?: number | null;
}

const CACHED_SECONDS = AUTH_LIMITS.staticTokenBelievedMs / 1_000;
const NAME = ['<name>', 'the name of the token'] as const;

export function addTokenCommands(program: Command, context: CommandContext): void {
  const token = addGroup(program, 'token', 'tokens for [api] auth_strategy = static');
  token
    .command('create')
    .description('make one and print it, once')
    .argument(...NAME)
    .requiredOption('--user <id>', 'whom the token speaks for')
    .addOption(new Option('--project <id>', 'the project it is for').conflicts('system'))
    .option('--system', 'it is for the whole system, not for a project')
    .option('--role <role>', 'a role; may be repeated', (role, before: readonly string[]) => [...before, role], [])
    .addOption(expiry())
    .action(runs(context, (name: string, grant: Grant) => create(context, name, grant)));
  token
    .command('list')
    .description('show whose they are and when each was last used, never a token')
    .option(...JSON_OPTION)
    .action(runs(context, ({ json }: { json?: true }) => list(context, json === true)));
  token
    .command('rotate')
    .description('another token under the same name; the old one is worth nothing any more')
    .argument(...NAME)
    .addOption(expiry())
    .action(
      runs(context, async (name: string, { expires }: { expires?: number | null }) => {
        const requested = { ...(expires !== undefined && { expires: timeText(expires) }) };
        const work: Tokens = (tokens) => tokens.rotate(name, expires, Date.now());
        context.stdout(`${await changeToken(context, 'renew', name, requested, work)}\n`);
        context.stderr(
          `Store it now: it cannot be shown again. The previous token expires within ${CACHED_SECONDS} seconds.\n`,
        );
      }),
    );
  token
    .command('revoke')
    .description('end one')
    .argument(...NAME)
    .action(
      runs(context, async (name: string) => {
        await changeToken(context, 'revoke', name, {}, async (tokens) => {
          await tokens.revoke(name, Date.now());
          return name;
        });
        context.stderr(`${name} is revoked; every process refuses it within ${CACHED_SECONDS} seconds.\n`);
      }),
    );
}

const expiry = (): Option =>
  new Option('--expires <when>', 'a time in ISO 8601, a number with a unit (90d, 12h, 30m), or never').argParser(
    timeOf,
  );

/** Milliseconds since 1970; null means never. */
function timeOf(text: string): number | null {
  if (text === 'never') return null;
  const [, amount, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) return Date.now() + Number(amount) * (UNIT_MS[unit] ?? 0);
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError(`'${text}' is no time.`);
  return time;
}

type Tokens = (tokens: AccessTokens) => Promise<string>;

/** Records the change in the audit log if that is on: all attributes of the token, but never the token itself. */
async function changeToken(
  { loadConfig }: CommandContext,
  action: string,
  name: string,
  requested: object,
  work: Tokens,
): Promise<string> {
  const { config } = await loadConfig();
  let text = '';
  const event = { action, target: 'data/security/credential', id: name, requested };
  try {
    await withDatabase(config, ({ database }) =>
      audited(config, event, async () => {
        text = await work(new AccessTokens(database));
      }),
    );
    return text;
  } catch (error) {
    const isExpected = error instanceof TokenProblem || error instanceof StartRefused;
    throw isExpected ? new CommandFailed(error.message) : error;
  }
}

async function create(context: CommandContext, name: string, grant: Grant): Promise<void> {
  const { user: userId, project: projectId = null, system = false, role: roles, expires: expiresAtMs = null } = grant;
  if (projectId === null && !system) throw new CommandFailed('Give --project, or --system.');
  const systemScope = system ? 'all' : null;
  const tokenRequest = { name, userId, projectId, systemScope, roles, expiresAtMs };
  const { role: _role, expires, ...whose } = grant;
  const requested = { ...whose, roles, ...(expires !== undefined && { expires: timeText(expires) }) };
  const work: Tokens = (tokens) => tokens.create(tokenRequest, Date.now());
  context.stdout(`${await changeToken(context, 'create', name, requested, work)}\n`);
  context.stderr('Store it now: it cannot be shown again.\n');
}

const COLUMNS = ['name', 'status', 'user', 'project', 'system', 'roles', 'expires', 'last_used'] as const;

async function list(context: CommandContext, isJson: boolean): Promise<void> {
  const { config } = await context.loadConfig();
  const tokens = await withDatabase(config, ({ database }) => new AccessTokens(database).list());
  const shown = tokens.map((token) => rowOf(token, Date.now()));
  context.stdout(isJson ? renderJson(shown) : renderTable(COLUMNS, shown));
}

const timeText = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function rowOf(token: StoredToken, nowMs: number): TableRow {
  const isOver = token.expiresAtMs !== null && token.expiresAtMs <= nowMs;
  return {
    name: token.name,
    status: token.revokedAtMs !== null ? 'revoked' : isOver ? 'expired' : 'active',
    user: token.userId,
    project: token.projectId,
    system: token.systemScope,
    roles: token.roles,
    created: timeText(token.createdAtMs),
    expires: timeText(token.expiresAtMs),
    last_used: timeText(token.lastUsedAtMs),
  };
}
