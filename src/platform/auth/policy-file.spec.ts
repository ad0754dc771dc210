import { parsePolicyFile, unusedRuleWarnings } from './policy-file';

describe('a policy file', () => {
  it('is a flat mapping with comments, quotes and continued lines', () => {
    const text = `---
# a comment
"placement:usages": "role:admin or role:\\"x\\""
'placement:traits:list': 'it''s'  # why
placement:traits:show: role:admin or
  role:reader  # readers too
own: "@"
empty: ""
`;
    expect(parsePolicyFile(text)).toEqual({
      checks: {
        'placement:usages': 'role:admin or role:"x"',
        'placement:traits:list': "it's",
        'placement:traits:show': 'role:admin or role:reader',
        own: '@',
        empty: '',
      },
      problems: [],
    });
  });

  it('may be JSON', () => {
    expect(parsePolicyFile('{"a": "role:x"}')).toEqual({ checks: { a: 'role:x' }, problems: [] });
    expect(parsePolicyFile('{\n\t"a": "role:x",\n\t"b": "!"\n}').checks).toEqual({ a: 'role:x', b: '!' });
    expect(parsePolicyFile('{"a": 1}').problems).toEqual(['1: the check of "a" must be a text, in quotes']);
    expect(parsePolicyFile('{"a": ').problems).toEqual([expect.stringMatching(/^1: /)]);
  });

  it('may be empty', () => {
    expect(parsePolicyFile('')).toEqual({ checks: {}, problems: [] });
    expect(parsePolicyFile('{}\n')).toEqual({ checks: {}, problems: [] });
  });

  it.each([
    ['  role:x', '1: expected "rule": "check"'],
    ['just words', '1: expected "rule": "check"'],
    ['a: [role:x]', '1: the check of "a" must be a text'],
    ['a: !', '1: the check of "a" must be a text'],
    ['a:', '1: the check of "a" must be a text'],
    ['a: "@"\nb: &b "role:x"\nc: *b', '3: the check of "c" must be a text'],
    ['a: "role:x', '1: Missing closing "quote'],
    ['a: "@"\na: "!"', '2: "a" is given twice'],
    ['a: "@"\n---\nb: "@"', '2: Source contains multiple documents'],
    ['a'.repeat(1_048_577), '1: is too large'],
  ])('refuses %j', (text, problem) => {
    expect(parsePolicyFile(text).problems).toEqual([expect.stringContaining(problem)]);
  });

  it('is warned about where it names a rule that guards nothing', () => {
    expect(unusedRuleWarnings({ 'placement:usage': '@', own: '@', service_api: '@' })).toEqual([
      'Policy rule "placement:usage" guards no request; did you mean "placement:usages"?',
    ]);
  });
});
