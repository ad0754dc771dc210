import type { Answer } from '../conductor';
import type { ReferenceAnswer } from './reference';
import type { ComparedRequest } from './requests';
import type { Outcome } from './verdict';
import { verdictOf } from './verdict';

const selection = (host: string, more: object = {}): object => ({
  'nova_object.data': { service_host: host, allocation_request: '{"allocations":{}}', limits: null, ...more },
});
const request = { instances: ['one'] } as unknown as ComparedRequest;
const nova = (weights: Readonly<Record<string, number>>, ...hosts: string[]): ReferenceAnswer => ({
  sent: null,
  passes: [Object.entries(weights)],
  selections: [hosts.map((host) => selection(host))],
});
const berth = (...hosts: string[]): Answer => ({ result: [hosts.map((host) => selection(host))], failure: null });
const refused: ReferenceAnswer = { sent: null, passes: [], error: 'NoValidHost', text: '' };
const failed = (name: string): Answer => ({ result: null, failure: { class: name, args: [''] } });
const [weights, ties] = [
  { a: 3, b: 2, c: 1 },
  { a: 3, b: 3 + 1e-12, c: 1 },
];

describe('the verdict about two answers', () => {
  const cases: [string, ReferenceAnswer, Answer, Outcome][] = [
    ['is same for equal hosts', nova(weights, 'a', 'b'), berth('a', 'b'), 'same'],
    ['is different for a host with another weight', nova(weights, 'a'), berth('b'), 'different'],
    ['is different for a host that nova rejected', nova(weights, 'a'), berth('d'), 'different'],
    ['is a tie for a host of equal weight', nova(ties, 'a'), berth('b'), 'tie'],
    ['is different for other alternates', nova(weights, 'a', 'b'), berth('a', 'c'), 'different'],
    ['is same for alternates of equal weight', nova(ties, 'c', 'a'), berth('c', 'b'), 'same'],
    ['is different for fewer alternates', nova(weights, 'a', 'b'), berth('a'), 'different'],
    ['is same for equal refusals', refused, failed('NoValidHost'), 'same'],
    ['is different for other refusals', refused, failed('RuntimeError'), 'different'],
    ['is different if only nova refuses', refused, berth('a'), 'different'],
    ['is different if only Berth refuses', nova(weights, 'a'), failed('NoValidHost'), 'different'],
    [
      'is different for another claim',
      nova(weights, 'a'),
      { result: [[selection('a', { allocation_request: '{"allocations":{"p":1}}' })]], failure: null },
      'different',
    ],
  ];
  it.each(cases)('%s', (_name, one, other, outcome) => {
    const verdict = verdictOf(request, one, other);
    expect(verdict.outcome).toBe(outcome);
    expect(verdict.why === '').toBe(outcome !== 'different');
  });

  it('notices several best hosts', () => {
    expect(verdictOf(request, nova(weights, 'a'), berth('a')).isUnique).toBe(true);
    expect(verdictOf(request, nova(ties, 'a'), berth('a')).isUnique).toBe(false);
  });
});
