import { runToCompletion } from '../values/task';
import { bytesOf, isLongBody } from './body-bytes';
import { jsonBody } from './long-json';

function written(document: object): { readonly text: string; readonly pieces: number } {
  const body = jsonBody(document);
  if (typeof body === 'string') return { text: body, pieces: 0 };
  const text = String(runToCompletion(bytesOf(body, Number.POSITIVE_INFINITY)));
  return { text, pieces: [...body.pieces()].length };
}

const many = Array.from({ length: 6_000 }, (_, at) => ({ at, name: `häuser "${at}" 家`, of: [at, null, true] }));

const DOCUMENTS: readonly (readonly [string, object])[] = [
  ['a small document', { a: [1, { b: null }], c: undefined }],
  ['a long list', { list: many, count: many.length }],
  ['a list itself', many],
  ['many members', Object.fromEntries(many.map((each) => [`"${each.at}`, each]))],
  ['many numbers', { numbers: Array.from({ length: 50_000 }, (_, at) => at) }],
  ['a long text', { text: 'ä"'.repeat(400_000), after: many }],
  ['what JSON has no word for', { list: [undefined, ...many, undefined], gone: undefined, kept: null }],
  ['values with a form of their own', { at: new Date(0), list: many.map(() => new Date(1)) }],
  ['lists in lists', { outer: [many, [many, []], {}] }],
  ['an empty key', { '': many }],
];

it.each(DOCUMENTS)('writes what JSON.stringify writes: %s', (_what, document) => {
  expect(written(document).text === JSON.stringify(document)).toBe(true);
});

it('makes a small document JSON at once, and a long one in many pieces', () => {
  expect(isLongBody(Object(jsonBody({ a: 1 })) as object)).toBe(false);
  expect(written({ list: many }).pieces).toBeGreaterThan(10);
});
