import type { PolicyCheck } from './policy-language';
import { evaluateCheck, parseCheck } from './policy-language';
import type { Principal } from './principal';

const caller: Principal = { userId: 'u1', projectId: 'p1', roles: ['Reader', 'member'], systemScope: null };
const target = { project_id: 'p1', user_id: 'u2', wanted: 'READER', absent: null };
const rules = new Map<string, PolicyCheck>([
  ['yes', { kind: 'always' }],
  ['no', { kind: 'never' }],
]);

const checkOf = (text: string): PolicyCheck => {
  const parsed = parseCheck(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.check;
};
const judge = (text: string, who: Principal = caller): boolean => evaluateCheck(checkOf(text), rules, who, target);

describe('the policy language', () => {
  it.each([
    ['', true],
    ['@', true],
    ['!', false],
    ['not !', true],
    ['not not @', true],
    ['role:reader', true],
    ['role:READER', true],
    ['role:admin', false],
    ['role:%(wanted)s', true],
    ['role:%(missing)s', false],
    ['rule:yes', true],
    ['rule:no', false],
    ['project_id:%(project_id)s', true],
    ['project_id:p1', true],
    ["project_id:'p1'", true],
    ['project_id:%(absent)s', false],
    ['project_id:%(missing)s', false],
    ['user_id:%(user_id)s', false],
    ['user_id:u1', true],
    ['system_scope:all', false],
    ['is_admin:True', false],
    ["'p1':%(project_id)s", true],
    ['"x":%(project_id)s', false],
    ['rule:yes or rule:no and rule:no', true],
    ['(rule:yes or rule:no) and rule:no', false],
    ['rule:no and rule:no or rule:yes', true],
    ['not rule:no and rule:yes', true],
    ['not (rule:yes or rule:no)', false],
    ['not rule:yes or rule:yes', true],
    ['(project_id:%(project_id)s)', true],
    ['((role:reader and project_id:%(project_id)s) or role:admin)', true],
    ['role:reader AND NOT role:admin OR !', true],
    ['( role:reader )', true],
  ])('%s is %s', (text, expected) => {
    expect(judge(text)).toBe(expected);
  });

  it('knows the system scope', () => {
    const system: Principal = { userId: 'u', projectId: null, roles: [], systemScope: 'all' };
    expect(judge('system_scope:all', system)).toBe(true);
    expect(judge('project_id:%(absent)s', system)).toBe(false);
  });

  it.each([
    ['role:a role:b', '"and" or "or" is missing before "role:b"'],
    ['(role:a', 'a ")" is missing'],
    ['role:a)', '"and" or "or" is missing before ")"'],
    ['and role:a', 'expected a check instead of "and"'],
    ['role:a or', 'it ends where a check is expected'],
    ['not', 'it ends where a check is expected'],
    ['()', 'expected a check instead of ")"'],
    ['admin', '"admin" is not a check'],
    [':x', '":x" is not a check'],
    ['role:', '"role:" is not a check'],
    ['http://judge/%(name)s', 'remote service'],
    ['project_id:x%(project_id)s', 'as a whole'],
  ])('refuses %s', (text, problem) => {
    expect(parseCheck(text)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });
});
