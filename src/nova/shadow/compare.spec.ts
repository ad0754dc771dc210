import type { Decided } from '../../scheduler/decide/decision-run';
import type { Json } from '../objects/captured.fixture';
import { bootSpec, novaObject } from '../objects/captured.fixture';
import { requestSpecOf } from '../objects/request-spec';
import { readObject } from '../objects/versioned-object';
import { compare, exclusionOf } from './compare';
import type { NovaChoice } from './new-requests';

const ROW = { cell: 1, id: 1, createdAt: '2026-11-28 06:00:00' };

const on = (host: string): NovaChoice => ({ kind: 'host', host, node: host, isMoved: false, row: ROW });

interface Made {
  readonly weights?: Readonly<Record<string, number>>;
  readonly drawnFrom?: number;
  /** Filter and the host that it rejected. */
  readonly rejected?: readonly [filter: string, host: string];
  readonly refused?: string;
}

/** A decision that ranks the hosts by weight and takes the first. */
function decided({ weights = {}, drawnFrom = 1, rejected, refused }: Made): Decided {
  const ranking = Object.entries(weights)
    .map(([host, weight]) => ({ state: { host, node: host }, weight }))
    .sort((one, other) => other.weight - one.weight);
  const [first] = ranking;
  const stages =
    rejected === undefined
      ? []
      : [{ name: rejected[0], rejected: [{ host: rejected[1], node: rejected[1], message: 'is full' }] }];
  return {
    decision: {
      outcome: refused ?? (first === undefined ? 'no_valid_host' : 'placed'),
      passes: [{ ranking, drawnFrom, stages }],
      placement: { rejections: [] },
    },
    placements: first === undefined ? [] : [{ selected: first }],
    refusal: first === undefined ? { message: 'refused' } : null,
  } as unknown as Decided;
}

describe('the comparison with nova', () => {
  it.each<[string, NovaChoice, Made, string, RegExp | null]>([
    ['the same host', on('a'), { weights: { a: 2, b: 1 } }, 'same', null],
    ['equal weights', on('b'), { weights: { a: 2, b: 2 } }, 'equal', null],
    ['a weight that is lower by rounding', on('b'), { weights: { a: 0.3, b: 0.1 + 0.2 - 1e-16 } }, 'equal', null],
    ['a random draw among two', on('b'), { weights: { a: 2, b: 1, c: 0 }, drawnFrom: 2 }, 'equal', null],
    ['a host outside of the draw', on('c'), { weights: { a: 2, b: 1, c: 0 }, drawnFrom: 2 }, 'different', /weighs 0, /],
    ['a lower weight', on('b'), { weights: { a: 2, b: 1 } }, 'different', /weighs 1, Berth's 2$/],
    ['a filter', on('b'), { weights: { a: 2 }, rejected: ['RamFilter', 'b'] }, 'different', /^RamFilter: is full$/],
    [
      'a filter that counts the instance itself',
      on('b'),
      { weights: { a: 2 }, rejected: ['NUMATopologyFilter', 'b'] },
      'not-comparable',
      /instance itself/,
    ],
    ['an unknown host', on('z'), { weights: { a: 2 } }, 'different', /berth scheduler check/],
    ['no host in both', { kind: 'none' }, {}, 'same', null],
    ['no host in nova only', { kind: 'none' }, { weights: { a: 1 } }, 'different', /nova found no host/],
    ['a request that Berth refuses', on('a'), { refused: 'refused' }, 'not-comparable', /^refused$/],
  ])('of %s', (_what, choice, made, verdict, reason) => {
    const comparison = compare(choice, decided(made));
    expect(comparison.verdict).toBe(verdict);
    if (reason === null) expect(comparison.reason).toBeNull();
    else expect(comparison.reason).toMatch(reason);
  });

  it.each<[string, Json, NovaChoice, RegExp | null]>([
    ['a free request', {}, on('a'), null],
    ['a forced host', { force_hosts: ['a'] }, on('a'), /forces/],
    ['a forced node', { force_nodes: ['a'] }, on('a'), /forces/],
    ['a named host', { requested_destination: novaObject('Destination', '1.4', { host: 'a' }) }, on('a'), /names/],
    ['a named cell', { requested_destination: novaObject('Destination', '1.4', { host: null }) }, on('a'), null],
    ['a moved instance', {}, { kind: 'host', host: 'a', node: 'a', isMoved: true, row: ROW }, /moved/],
  ])('is possible or not for %s', (_what, data, choice, expected) => {
    const exclusion = exclusionOf(requestSpecOf(readObject(bootSpec(data), 'RequestSpec')), choice);
    if (expected === null) expect(exclusion).toBeNull();
    else expect(exclusion).toMatch(expected);
  });
});
