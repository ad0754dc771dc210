import { meetsVersion, parseVersionConditions, problemOfVersionPredicate, versionParts } from './version-condition';

const meets = (version: string, text: string): boolean => {
  const { conditions, problem } = parseVersionConditions(text);
  if (conditions === null) throw new Error(problem);
  return meetsVersion(version.split('.').map(Number), conditions);
};

describe('version conditions', () => {
  it.each([
    ['6.2.0', '', true],
    ['6.2.0', '>=6.2', true],
    ['6.2.0', '==6.2', true],
    ['6.2.0', '==6.2.0.0', true],
    ['6.2.1', '==6.2', false],
    ['6.2.0', '!=6.2', false],
    ['6.2.1', '!=6.2', true],
    ['6.2.0', '>6.2', false],
    ['6.2.1', '>6.2', true],
    ['6.2.0', '<6.2', false],
    ['6.1.9', '<6.2', true],
    ['6.2.0', '<=6.2', true],
    ['6.2.1', '<=6.2', false],
    ['6.1.9', '>=6.2', false],
    ['6.10.0', '>6.9', true],
    ['10.0.0', '>=9', true],
    ['6.2.0', ' >= 6.0 , < 8 ', true],
    ['8.0.0', '>=6.0,<8', false],
    ['5.9.9', '>=6.0,<8', false],
  ])('%s meets "%s": %s', (version, text, answer) => expect(meets(version, text)).toBe(answer));

  it.each([
    ['>=6.0,<8', null],
    ['  ', null],
    ['6.0', "'6.0' is no condition such as '>=6.0'"],
    ['=6.0', "'=6.0' is no condition such as '>=6.0'"],
    ['>=6.0,', "'' is no condition such as '>=6.0'"],
    ['>=6.0b1', "'>=6.0b1' is no condition such as '>=6.0'"],
    ['>=', "'>=' is no condition such as '>=6.0'"],
    ['>=6.', "'>=6.' is no condition such as '>=6.0'"],
  ])('the problem of "%s": %s', (text, problem) => expect(problemOfVersionPredicate(text)).toBe(problem));

  it.each([
    [6_002_000, [6, 2, 0]],
    [12_003, [12, 3]],
    [7, [7]],
    [0, []],
    [null, []],
  ])('the parts of %s', (version, parts) => expect(versionParts(version)).toEqual(parts));
});
