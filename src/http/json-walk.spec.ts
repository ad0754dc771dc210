import { finish } from '../domain/walk';
import { isNestedDeeper, parseWalk } from './json-walk';

/** What a text comes to: its value as text, keys in their order, or that it is refused. */
function outcome(parse: (text: string) => unknown, text: string): string {
  try {
    return JSON.stringify(parse(text));
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return 'refused';
  }
}

const walked = (text: string): unknown => finish(parseWalk(text));
const long = 'l'.repeat(70_000);
const many = Array.from({ length: 9_000 }, (_, at) => `"key ${at}": {"at": [${at}, "a\\"b,}]", null]}`).join(' ,\n');
const numbers = Array.from({ length: 30_000 }, (_, at) => at).join(',');

const TEXTS: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['a short object', '{"a": [1, {"b": null}]}'],
  ['an object of many members', `{${many}}`],
  ['an array of many numbers', ` [${numbers}] `],
  ['a long member among short ones', `{"a": 1, "${long}": {${many}}, "b": [${numbers}], "c": "${long}"}`],
  ['a key twice, the last of which counts', `{"a": 1, ${many}, "a": 2}`],
  ['a long key twice', `{"a": [${numbers}], ${many}, "a": 2}`],
  ['names that objects have already', `{"__proto__": {"x": [${numbers}]}, ${many}, "constructor": 1}`],
  ['an empty member', `[${numbers},,${numbers}]`],
  ['an empty member at the start', `[,${numbers}]`],
  ['an empty member at the end', `[${numbers},]`],
  ['nothing but blanks at the end', `{${many}, }`],
  ['a container closed by the wrong bracket', `[${numbers}}`],
  ['brackets that cross', `{"a": [${numbers}, {"b": 1]}, ${many}}`],
  ['a container that is not closed', `[[${numbers}]`],
  ['a bracket too many', `[${numbers}]]`],
  ['something behind the end', `[${numbers}] true`],
  ['a second value behind the end', `[${numbers}][1]`],
  ['a text that is not closed', `{"a": "${long}, "b": 1}`],
  ['a key that is none', `{a: [${numbers}]}`],
  ['a key that is a number', `{1: [${numbers}]}`],
  ['a colon that lacks', `{"a" [${numbers}]}`],
  ['a comma for a colon', `{"a", [${numbers}]}`],
  ['a colon in an array', `["a": [${numbers}]]`],
  ['a break in a text', `["${long}\n"]`],
];

it.each(TEXTS)('parses or refuses as JSON.parse does: %s', (_what, text) => {
  expect(outcome(walked, text) === outcome(JSON.parse, text)).toBe(true);
});

it('parses a long text in many steps', () => {
  let steps = 0;
  for (const walk = parseWalk(`{${many}}`); walk.next().done !== true;) steps += 1;
  expect(steps).toBeGreaterThan(8);
});

it.each([
  ['[[[]]]', 3, false],
  ['[[[]]]', 2, true],
  ['{"a": "[[[[", "b": [{}]}', 3, false],
  ['["\\"[[[["]', 1, false],
  [`${'['.repeat(1_000_000)}`, 64, true],
])('counts the brackets of %.30s', (text, levels, isDeeper) => {
  expect(finish(isNestedDeeper(text, levels))).toBe(isDeeper);
});
