import { parsePolicyFile } from './policy-file';

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
      lines: {
        'placement:usages': 3,
        'placement:traits:list': 4,
        'placement:traits:show': 5,
        own: 7,
        empty: 8,
      },
      problems: [],
    });
  });

  it('may be JSON', () => {
    expect(parsePolicyFile('{"a": "role:x"}')).toMatchObject({ checks: { a: 'role:x' }, problems: [] });
    expect(parsePolicyFile('{\n\t"a": "role:x",\n\t"b": "!"\n}').checks).toEqual({ a: 'role:x', b: '!' });
    expect(parsePolicyFile('{"a": 1}').problems).toEqual(['1: the check of "a" must be a text, in quotes']);
    expect(parsePolicyFile('{"a": ').problems).toEqual([expect.stringMatching(/^1: /)]);
  });

  it('may be empty', () => {
    expect(parsePolicyFile('')).toMatchObject({ checks: {}, problems: [] });
    expect(parsePolicyFile('{}\n')).toMatchObject({ checks: {}, problems: [] });
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

  it('is refused if it names a rule of the service that guards nothing', () => {
    const text = 'own: "@"\nservice_api: "@"\n"placement:usage": "@"\n"os_compute_api:servers:show": "@"\n';
    expect(parsePolicyFile(text).problems).toEqual([
      '3: "placement:usage" guards no request; did you mean "placement:usages"?',
    ]);
  });
});
