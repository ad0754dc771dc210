import { createPolicyEnforcer, PolicyError } from './policy-enforcer';
import type { PolicyRuleName } from './policy-rules';
import { POLICY_RULES } from './policy-rules';
import type { Principal } from './principal';

const principal = (roles: readonly string[], systemScope: string | null = null): Principal => ({
  userId: 'u1',
  projectId: systemScope === null ? 'p1' : null,
  roles,
  systemScope,
});

const CALLERS = {
  admin: principal(['admin']),
  adminInCapitals: principal(['ADMIN']),
  service: principal(['service']),
  reader: principal(['reader']),
  member: principal(['member', 'manager']),
  anonymous: principal([]),
  systemAdmin: principal(['admin'], 'all'),
  systemReader: principal(['reader'], 'all'),
  systemService: principal(['service'], 'all'),
} as const;
type Caller = keyof typeof CALLERS;

const USAGES: PolicyRuleName = 'placement:usages';
const RESHAPE: PolicyRuleName = 'placement:reshaper:reshape';
const PROJECTS_OWN = POLICY_RULES.filter(({ check }) => check === 'rule:admin_or_service_or_project_api');
const MEMBERS_OWN = POLICY_RULES.filter(({ check }) => check === 'rule:admin_or_service_or_project_member_api');
const UNRESTRICTED = POLICY_RULES.filter(({ check }) => check === '@');
const PRACTICE_CLOUD_OTHERS: PolicyRuleName = 'berth:practice_cloud:others';
const APART = new Set<string>([
  USAGES,
  RESHAPE,
  PRACTICE_CLOUD_OTHERS,
  ...[...PROJECTS_OWN, ...MEMBERS_OWN, ...UNRESTRICTED].map(({ name }) => name),
]);
const OTHERS = POLICY_RULES.map(({ name }) => name).filter((name) => !APART.has(name));

/**
 * Who passes: all ordinary rules, rules for project objects, those of members, usages of the own, of another and of no named project, and
 * the reshaper.
 */
interface Expected {
  readonly others: boolean;
  readonly projectsOwn: boolean;
  readonly membersOwn: boolean;
  readonly ownUsages: boolean;
  readonly foreignUsages: boolean;
  readonly unnamedUsages: boolean;
  readonly reshape: boolean;
}
const all: Expected = {
  others: true,
  projectsOwn: true,
  membersOwn: true,
  ownUsages: true,
  foreignUsages: true,
  unnamedUsages: true,
  reshape: true,
};
const none: Expected = {
  others: false,
  projectsOwn: false,
  membersOwn: false,
  ownUsages: false,
  foreignUsages: false,
  unnamedUsages: false,
  reshape: false,
};
const allButReshape: Expected = { ...all, reshape: false };
const projectsOwnOnly: Expected = { ...none, projectsOwn: true };
const membersOnly: Expected = { ...projectsOwnOnly, membersOwn: true };
const ownUsagesOnly: Expected = { ...projectsOwnOnly, ownUsages: true };

type Row = readonly [newDefaults: boolean, scope: boolean, caller: Caller, expected: Expected];
const ROWS: readonly Row[] = [
  [true, true, 'admin', allButReshape],
  [true, true, 'adminInCapitals', allButReshape],
  [true, true, 'service', all],
  [true, true, 'reader', ownUsagesOnly],
  [true, true, 'member', membersOnly],
  [true, true, 'anonymous', projectsOwnOnly],
  [true, true, 'systemAdmin', none],
  [true, true, 'systemReader', none],
  [true, true, 'systemService', none],
  [true, false, 'admin', allButReshape],
  [true, false, 'service', all],
  [true, false, 'reader', ownUsagesOnly],
  [true, false, 'member', membersOnly],
  [true, false, 'systemAdmin', allButReshape],
  [true, false, 'systemReader', none],
  [true, false, 'systemService', all],
  [false, true, 'admin', all],
  [false, true, 'service', all],
  [false, true, 'reader', ownUsagesOnly],
  [false, true, 'member', membersOnly],
  [false, true, 'systemAdmin', none],
  [false, true, 'systemService', none],
  [false, false, 'admin', all],
  [false, false, 'service', all],
  [false, false, 'reader', ownUsagesOnly],
  [false, false, 'member', membersOnly],
  [false, false, 'systemAdmin', all],
  [false, false, 'systemReader', none],
];

describe('the policy enforcer', () => {
  it('knows each rule by a name of its own', () => {
    expect(new Set(POLICY_RULES.map(({ name }) => name)).size).toBe(POLICY_RULES.length);
  });

  describe.each(ROWS)('with new defaults %s and scope %s, asked by %s', (newDefaults, scope, caller, expected) => {
    const enforcer = createPolicyEnforcer({ enforceNewDefaults: newDefaults, enforceScope: scope });
    const passes = (rule: PolicyRuleName, projectId?: string | null): boolean =>
      enforcer.check(rule, CALLERS[caller], projectId === undefined ? undefined : { project_id: projectId }).allowed;

    it('judges every other rule alike', () => {
      expect(OTHERS.filter((rule) => passes(rule) !== expected.others)).toEqual([]);
    });

    it('judges what belongs to projects by whether the caller has one', () => {
      expect(PROJECTS_OWN.filter(({ name }) => passes(name) !== expected.projectsOwn)).toEqual([]);
    });

    it('judges writes in a project by the role of a member', () => {
      expect(MEMBERS_OWN.filter(({ name }) => passes(name) !== expected.membersOwn)).toEqual([]);
    });

    it('allows public rules for every caller', () => {
      expect(UNRESTRICTED.filter(({ name }) => !passes(name))).toEqual([]);
    });

    it("lets administrators and services at others' things in the practice cloud, of whatever scope", () => {
      expect(passes(PRACTICE_CLOUD_OTHERS)).toBe(/admin|service/i.test(caller));
    });

    it('judges usages by the project asked about', () => {
      expect([passes(USAGES, 'p1'), passes(USAGES, 'p2'), passes(USAGES, null)]).toEqual([
        expected.ownUsages,
        expected.foreignUsages,
        expected.unnamedUsages,
      ]);
    });

    it('judges the reshaper', () => {
      expect(passes(RESHAPE)).toBe(expected.reshape);
    });
  });

  it('refuses a wrong scope with just the name of the rule, and a lacking role with a sentence', () => {
    const enforcer = createPolicyEnforcer({ enforceNewDefaults: true, enforceScope: true });
    expect(enforcer.check('placement:traits:list', CALLERS.systemAdmin)).toEqual({
      allowed: false,
      message: 'placement:traits:list',
    });
    expect(enforcer.check('placement:traits:list', CALLERS.anonymous)).toEqual({
      allowed: false,
      message: 'Policy does not allow placement:traits:list to be performed. It requires role:admin or role:service.',
    });
  });

  it('obeys overrides as written, of rules and of helper rules, also without the new defaults', () => {
    const overrides = {
      'placement:traits:list': '@',
      service_api: 'role:robot',
      own: '!',
      'placement:usages': 'rule:own',
    };
    const enforcer = createPolicyEnforcer({ enforceNewDefaults: false, enforceScope: true, overrides });
    expect(enforcer.check('placement:traits:list', CALLERS.anonymous).allowed).toBe(true);
    expect(enforcer.check('placement:reshaper:reshape', CALLERS.admin).allowed).toBe(false);
    expect(enforcer.check('placement:reshaper:reshape', principal(['robot'])).allowed).toBe(true);
    expect(enforcer.check('placement:usages', CALLERS.admin).allowed).toBe(false);
  });

  it.each([
    [true, 'systemAdmin', { admin: true, reader: false, usages: false }],
    [true, 'systemReader', { admin: false, reader: true, usages: true }],
    [true, 'reader', { admin: false, reader: false, usages: true }],
    [true, 'admin', { admin: false, reader: false, usages: false }],
    [false, 'admin', { admin: true, reader: true, usages: true }],
    [false, 'anonymous', { admin: false, reader: false, usages: false }],
  ] as const)(
    'knows the helper rules of older releases: new defaults %s, %s',
    (enforceNewDefaults, caller, expected) => {
      const overrides = {
        'placement:traits:update': 'rule:system_admin_api',
        'placement:traits:list': 'rule:system_reader_api',
        'placement:usages': 'rule:system_or_project_reader',
      };
      const enforcer = createPolicyEnforcer({ enforceNewDefaults, enforceScope: false, overrides });
      const passes = (rule: PolicyRuleName): boolean =>
        enforcer.check(rule, CALLERS[caller], { project_id: 'p1' }).allowed;
      expect({
        admin: passes('placement:traits:update'),
        reader: passes('placement:traits:list'),
        usages: passes('placement:usages'),
      }).toEqual(expected);
    },
  );

  it('names every rule that cannot be obeyed', () => {
    const overrides = { 'placement:traits:list': 'role:a and', 'placement:usages': 'https://judge', fine: '' };
    const make = (): unknown => createPolicyEnforcer({ enforceNewDefaults: true, enforceScope: true, overrides });
    expect(make).toThrow(PolicyError);
    expect(make).toThrow(
      /"placement:traits:list" cannot be read: it ends where a check is expected[\s\S]*"placement:usages"/,
    );
  });

  it('names file and line of a rule, and the check that was probably meant', () => {
    const overrides = { 'placement:usages': 'context_is_admin or role:x' };
    const origins = { 'placement:usages': '/etc/policy.yaml:7' };
    expect(() => createPolicyEnforcer({ enforceNewDefaults: true, enforceScope: true, overrides, origins })).toThrow(
      '/etc/policy.yaml:7: "placement:usages" cannot be read: "context_is_admin" is not a check; write ' +
        'rule:context_is_admin or role:context_is_admin, in: context_is_admin or role:x',
    );
  });

  it('refuses references to nothing and circles', () => {
    const make = (overrides: Readonly<Record<string, string>>): unknown =>
      createPolicyEnforcer({ enforceNewDefaults: true, enforceScope: true, overrides });
    expect(() => make({ 'placement:usages': 'rule:admin_ap' })).toThrow(
      /policy rule "placement:usages" refers to rule "admin_ap", which does not exist; did you mean rule:admin_api\?/,
    );
    expect(() => make({ a: 'rule:b', b: 'not rule:a' })).toThrow(/refers to itself: a → b → a/);
  });
});
