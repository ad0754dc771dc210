import type { RejectionParams } from '../../placement/candidate-search';
import { MergedParams } from './merge-params';

it.each<[string, readonly RejectionParams[], RejectionParams]>([
  ['equal values stay', [{ limit: 8 }, { limit: 8 }], { limit: 8 }],
  ['numbers become a range', [{ actual: 9 }, { actual: 12 }, { actual: 8 }], { actual: '8 to 12' }],
  ['a list of one host stays a list', [{ hosts: ['a', 'b'] }], { hosts: ['a', 'b'] }],
  ['texts are listed once each', [{ zone: 'a' }, { zone: 'b' }, { zone: 'a' }], { zone: 'a or b' }],
  ['many texts are cut', ['a', 'b', 'c', 'd', 'e'].map((zone) => ({ zone })), { zone: 'a or b or c or others' }],
  ['equal lists are one value', [{ found: ['a', 'b'] }, { found: ['a', 'b'] }], { found: ['a', 'b'] }],
  ['numbers among texts are texts', [{ age: 3 }, { age: 'none' }], { age: '3 or none' }],
  ['what only some have stays', [{ a: 1 }, { b: 2 }], { a: 1, b: 2 }],
])('%s', (_, params, expected) => {
  const merged = new MergedParams();
  for (const each of params) merged.add(each);
  expect(merged.params()).toEqual(expected);
});
