// The access table: every route of the router, evaluated with its policy rule for eight callers and both policy modes.
// The table is the expectation; access-matrix.spec.ts checks it against the service, request by request.
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Noauth2Authenticator } from '../../src/platform/auth/noauth2';
import type { PolicyEnforcer } from '../../src/platform/auth/policy-enforcer';
import { createPolicyEnforcer } from '../../src/platform/auth/policy-enforcer';
import type { RouteContract } from '../conformance/contract';
import { everyRouteContract, nameOf } from '../conformance/contract';

export const PROJECT = 'project-a';
export const OTHER_PROJECT = 'project-b';

export interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string | null>>;
}

const caller = (name: string, token: string | null, roles: string | null, scope: string | null = null): Caller => ({
  name,
  headers: { 'x-auth-token': token, 'x-roles': roles, 'openstack-system-scope': scope },
});

/** Roles as in a Keystone token, including implied ones. */
export const CALLERS: readonly Caller[] = [
  caller('no token', null, null),
  caller('project reader', `rita:${PROJECT}`, 'reader'),
  caller('project member', `mark:${PROJECT}`, 'member,reader'),
  caller('project admin', `anna:${PROJECT}`, 'admin,manager,member,reader'),
  caller('other reader', `otto:${OTHER_PROJECT}`, 'reader'),
  caller('service', 'nova:services', 'service'),
  caller('system reader', 'sara', 'reader', 'all'),
  caller('system admin', 'alan', 'admin,manager,member,reader', 'all'),
];

interface Mode {
  readonly name: string;
  readonly isEnforced: boolean;
}

export const MODES: readonly Mode[] = [
  { name: 'enforced', isEnforced: true },
  { name: 'not enforced', isEnforced: false },
];

/** The result for a caller: allowed, not authenticated, or forbidden. */
export type Verdict = 'allowed' | 401 | 403;

export interface AccessRow {
  readonly route: RouteContract;
  /** `METHOD path`, with the query if the result depends on it. */
  readonly name: string;
  readonly query: string;
  /** The result by mode and caller. */
  verdict(mode: Mode, caller: Caller): Verdict;
}

const enforcerOf = ({ isEnforced }: Mode): PolicyEnforcer =>
  createPolicyEnforcer({ enforceNewDefaults: isEnforced, enforceScope: isEnforced });

export function accessTable(app: NestFastifyApplication): readonly AccessRow[] {
  const enforcers = new Map(MODES.map((mode) => [mode.name, enforcerOf(mode)]));
  return everyRouteContract(app).flatMap((route) =>
    queriesOf(route).map(({ query, project }) => ({
      route,
      query,
      name: `${nameOf(route)}${query}`,
      verdict: (mode, { headers }) => {
        const { policy } = route;
        if (policy === undefined) return 'allowed';
        const known = new Noauth2Authenticator().authenticate({ headers: sent(headers) });
        if (!known.authenticated) return 401;
        const target = { project_id: project ?? null, user_id: known.principal.userId };
        const enforcer = enforcers.get(mode.name);
        const isAsked = policy.projectFromQuery !== undefined;
        return enforcer?.check(policy.rule, known.principal, isAsked ? target : undefined).allowed ? 'allowed' : 403;
      },
    })),
  );
}

function queriesOf({ policy }: RouteContract): readonly { readonly query: string; readonly project?: string }[] {
  const parameter = policy?.projectFromQuery;
  if (parameter === undefined) return [{ query: '' }];
  return [
    { query: '' },
    ...[PROJECT, OTHER_PROJECT].map((project) => ({ query: `?${parameter}=${project}`, project })),
  ];
}

const sent = (headers: Caller['headers']): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null));

const SURFACES: readonly (readonly [title: string, starts: RegExp])[] = [
  ['Operations', /^\/(healthz|readyz|metrics|docs)(\/|$)/],
  ['Console', /^\/console(\/|$)/],
  ['Practice cloud', /^\/(compute|identity|image|network)(\/|$)/],
  ['Reports', /^\/reports(\/|$)/],
  ['Scheduler and registries', /^\/scheduler(\/|$)/],
  ['Placement', /^\//],
];

const INTRODUCTION = `# Access by route and caller

The callers: without a token; a reader, a member and an administrator of the project \`${PROJECT}\`; a reader of the project
\`${OTHER_PROJECT}\`; a service; a reader and an administrator of the system. They have the roles of a Keystone token, which
include implied roles: an administrator is also manager, member and reader; a service has no other role.

\`yes\`: allowed. \`–\`: refused, with 401 without a token, otherwise with 403. \`before\`: allowed only if both
\`[oslo_policy] enforce_new_defaults\` and \`enforce_scope\` are off; \`after\`: only if both are on, which is the default.
A policy file can change these rules.

On a service that listens on loopback, \`GET /metrics\` and all paths below \`/docs\` need no token from the same machine, unless
a proxy or a page of another origin sent the request.`;

/** The table as Markdown. */
export function renderAccessTable(rows: readonly AccessRow[]): string {
  const names = CALLERS.map(({ name }) => name);
  const left = new Set(rows);
  const sections = SURFACES.map(([title, starts]) => {
    const own = [...left].filter(({ route }) => starts.test(route.path));
    own.forEach((row) => left.delete(row));
    return [
      `## ${title}`,
      '',
      `| Request | ${names.join(' | ')} |`,
      `|---|${names.map(() => '---|').join('')}`,
      ...own.map((row) => `| \`${row.name}\` | ${CALLERS.map((each) => cellOf(row, each)).join(' | ')} |`),
    ].join('\n');
  });
  return `${[INTRODUCTION, ...sections.reverse(), countsOf(rows)].join('\n\n')}\n`;
}

function cellOf(row: AccessRow, who: Caller): string {
  const [after, before] = MODES.map((mode) => row.verdict(mode, who) === 'allowed');
  if (after) return before ? 'yes' : 'after';
  return before ? 'before' : '–';
}

function countsOf(rows: readonly AccessRow[]): string {
  const routes = new Set(rows.map(({ route }) => nameOf(route)));
  const lines = MODES.map((mode) => {
    const verdicts = rows.flatMap((row) => CALLERS.map((who) => row.verdict(mode, who)));
    const count = (verdict: Verdict): number => verdicts.filter((each) => each === verdict).length;
    return `| ${mode.name} | ${verdicts.length} | ${count('allowed')} | ${count(401)} | ${count(403)} |`;
  });
  return [
    '## Counts',
    '',
    `${routes.size} routes, ${rows.length} requests, ${CALLERS.length} callers.`,
    '',
    '| Switches | Cells | Allowed | 401 | 403 |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
