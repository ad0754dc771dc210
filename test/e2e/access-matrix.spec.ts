// Every cell of the access matrix against a running service: a valid request gets 401 or 403 and
// changes nothing if the table refuses it, and any other status if the table allows it.
import { POLICY_RULES } from '../../src/platform/auth/policy-rules';
import { inBraces, nameOf } from '../conformance/contract';
import { testDatabaseKinds } from '../support/databases';
import type { TestRequest, TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Generations } from './access-requests';
import { BEYOND_LOOPBACK, bodyOf, generationsNow, headersOf, makeCloud, pathOf, stateOf } from './access-requests';
import type { AccessRow, Caller, Verdict } from './access-table';
import { accessTable, CALLERS, MODES, OTHER_PROJECT, PROJECT } from './access-table';
import { isPracticeCloud, PRACTICE_CLOUD_PUBLIC, PRACTICE_CLOUD_UNREACHED } from './practice-cloud-requests';

const NONE: Generations = { provider: 0, consumer: 0, registered: 0 };
const CONSOLE_PUBLIC = [
  'GET /console',
  'HEAD /console',
  'GET /console/{path}',
  'HEAD /console/{path}',
  'GET /console/config.json',
  'GET /console/login',
  'POST /console/login',
];
const PUBLIC = ['GET /', 'GET /healthz', 'GET /readyz', ...CONSOLE_PUBLIC, ...PRACTICE_CLOUD_PUBLIC].sort();

/** The rules read no database, so one mode is enough on a second one. */
const GATES = testDatabaseKinds().flatMap((kind) =>
  (kind === 'sqlite' ? MODES : MODES.slice(-1)).map((mode) => [mode.name, kind, mode] as const),
);

describe.each(GATES)('with the switches %s, on %s', (_name, kind, mode) => {
  let service: TestService;
  let rows: readonly AccessRow[] = [];
  beforeAll(async () => {
    const switches = { enforce_new_defaults: String(mode.isEnforced), enforce_scope: String(mode.isEnforced) };
    const env = Object.fromEntries(
      Object.entries(switches).map(([name, value]) => [`BERTH_OSLO_POLICY__${name.toUpperCase()}`, value]),
    );
    service = await startTestService(kind, { env: { ...env, ...BEYOND_LOOPBACK } });
    await makeCloud(service);
    rows = accessTable(service.app);
  });
  afterAll(() => service.stop());

  const ask = async ({ route, query }: AccessRow, { headers }: Caller, now: Generations): Promise<number> => {
    const body = bodyOf(route, now);
    const method = route.method as NonNullable<TestRequest['method']>;
    const path = `${pathOf(route)}${query}`;
    return (
      await service.request({
        method,
        path,
        headers: { ...headersOf(route), ...headers },
        ...(body !== undefined && { body }),
      })
    ).status;
  };
  const cells = (isWanted: (verdict: Verdict) => boolean): readonly (readonly [AccessRow, Caller, Verdict])[] =>
    rows.flatMap((row) =>
      CALLERS.map((who) => [row, who, row.verdict(mode, who)] as const).filter(([, , verdict]) => isWanted(verdict)),
    );

  it('covers every route of the router, each with a rule or a public name, no rule without a route, and a valid request for each', () => {
    const served = [...service.routes].flatMap(([path, methods]) =>
      methods.map((method) => `${method} ${inBraces(path)}`),
    );
    expect([...new Set(rows.map(({ route }) => nameOf(route)))].sort()).toEqual(served.sort());
    const ruleless = rows.filter(({ route }) => route.policy === undefined).map(({ name }) => name);
    expect(ruleless.sort()).toEqual(PUBLIC);
    const guarding = new Set<string | undefined>(rows.map(({ route }) => route.policy?.rule));
    const idle = POLICY_RULES.map(({ name }) => name).filter((name) => !guarding.has(name));
    expect(idle).toEqual(['berth:practice_cloud:others']);
    const writes = rows.filter(({ route }) => /POST|PUT|PATCH/.test(route.method));
    expect(writes.filter(({ route }) => bodyOf(route, NONE) === undefined).map(({ name }) => name)).toEqual([]);
  });

  it('has the defaults of the contract', () => {
    const allowed = (name: string): readonly string[] =>
      rows
        .filter(({ route }) => route.policy !== undefined)
        .filter((row) => CALLERS.some((who) => who.name === name && row.verdict(mode, who) === 'allowed'))
        .map((row) => row.name);
    const isOutsidePlacement = (path: string): boolean => isPracticeCloud(path) || path.startsWith('/console');
    const outsidePlacement = (checks: readonly string[]): readonly string[] =>
      rows.flatMap(({ route: { policy, path }, name }) => {
        const check = POLICY_RULES.find((rule) => rule.name === policy?.rule)?.check ?? '';
        return isOutsidePlacement(path) && checks.includes(check) ? [name] : [];
      });
    const unrestricted = outsidePlacement(['@']);
    const projectsOwn = outsidePlacement(['@', 'rule:admin_or_service_or_project_api']);
    const membersOwn = outsidePlacement(['rule:admin_or_service_or_project_member_api']);
    const all = rows.filter(({ route }) => route.policy !== undefined).map(({ name }) => name);
    const own = [`GET /usages?project_id=${PROJECT}`];
    expect(allowed('no token')).toEqual([]);
    expect(allowed('service')).toEqual(all);
    expect(allowed('project admin')).toEqual(mode.isEnforced ? all.filter((each) => each !== 'POST /reshaper') : all);
    expect([...allowed('project reader')].sort()).toEqual([...own, ...projectsOwn].sort());
    expect([...allowed('project member')].sort()).toEqual([...own, ...projectsOwn, ...membersOwn].sort());
    expect([...allowed('other reader')].sort()).toEqual(
      [`GET /usages?project_id=${OTHER_PROJECT}`, ...projectsOwn].sort(),
    );
    expect(allowed('system reader')).toEqual(unrestricted);
    expect(allowed('system admin')).toEqual(mode.isEnforced ? unrestricted : all);
  });

  it('refuses the callers that the table refuses, without any change', async () => {
    const before = await stateOf(service.database);
    const wrong: string[] = [];
    const now = new Map<AccessRow, Generations>();
    const refused = cells((verdict) => verdict !== 'allowed');
    for (const [row, who, verdict] of refused) {
      now.set(row, now.get(row) ?? (await generationsNow(service, row.route)));
      const status = await ask(row, who, now.get(row) ?? NONE);
      if (status !== verdict) wrong.push(`${row.name} by ${who.name}: ${status} instead of ${verdict}`);
    }
    expect(wrong).toEqual([]);
    expect(await stateOf(service.database)).toBe(before);
    expect(refused.length).toBeGreaterThan(rows.length);
  });

  it('admits the callers that the table admits', async () => {
    const wrong: string[] = [];
    const reached = new Set<string>();
    // Readers first: deleted objects can no longer be read.
    const inOrder = [...cells((verdict) => verdict === 'allowed')].sort(([a], [b]) => rank(a) - rank(b));
    for (const [row, who] of inOrder) {
      const isWrite = /PUT|POST/.test(row.route.method);
      const status = await ask(row, who, isWrite ? await generationsNow(service, row.route) : NONE);
      if (status === 401 || status === 403 || status === 405 || status >= 500) {
        wrong.push(`${row.name} by ${who.name}: ${status}`);
      }
      if (status < 300) reached.add(row.name);
    }
    expect(wrong).toEqual([]);
    expect(
      rows
        .map(({ name }) => name)
        .filter((name) => !reached.has(name))
        .sort(),
    ).toEqual([...UNREACHED].sort());
  });

  it('shows a reader the usages of its own project only', async () => {
    const other = await startTestService(kind);
    await makeCloud(other);
    const seen = await Promise.all(
      [PROJECT, OTHER_PROJECT].map((project) => other.request({ path: `/usages?project_id=${project}`, headers })),
    );
    await other.stop();
    expect(seen.map(({ status }) => status)).toEqual([200, 403]);
    expect(seen[0]?.json.usages).toEqual({ INSTANCE: { consumer_count: 1, VCPU: 1 } });
  });
});

const headers = CALLERS.find(({ name }) => name === 'project reader')?.headers ?? {};
const rank = ({ route }: AccessRow): number => ['GET', 'PATCH', 'HEAD', 'PUT', 'POST', 'DELETE'].indexOf(route.method);
/** Valid requests without a success: nothing was placed, something blocks them, or they must name a project. */
const UNREACHED: readonly string[] = [
  ...PRACTICE_CLOUD_UNREACHED,
  // Password login does not exist if the service trusts its callers.
  'POST /console/login',
  'DELETE /resource_providers/{uuid}',
  'DELETE /resource_providers/{uuid}/inventories',
  'DELETE /scheduler/host_aggregates/{uuid}',
  'DELETE /scheduler/instances/{uuid}',
  'DELETE /scheduler/plans/{id}',
  'GET /reports/changes',
  'GET /scheduler/decisions/{request_id}',
  'GET /scheduler/instances/{uuid}',
  'GET /scheduler/plans/{id}',
  'GET /usages',
  'POST /scheduler/instances/{uuid}/build_failed',
  'POST /scheduler/instances/{uuid}/confirm_move',
  'POST /scheduler/instances/{uuid}/move',
  'POST /scheduler/instances/{uuid}/revert_move',
  'POST /scheduler/instances/{uuid}/unpin_zone',
  'POST /scheduler/plans/{id}/moves/{number}',
];
