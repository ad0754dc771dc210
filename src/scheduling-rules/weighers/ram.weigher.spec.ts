import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { weigherTable } from '../pipeline/rule-table.fixture';
import { ramWeigher } from './ram.weigher';

const A = { freeRamMb: 4096 };
const B = { freeRamMb: 2048 };
const C = { freeRamMb: -100 };
const KEY = 'ram_weight_multiplier';
const aggregates = (...values: readonly string[]) =>
  hostInAggregates('x', ...values.map((value) => ({ [KEY]: value }))).aggregates;

describe('RAMWeigher', () => {
  weigherTable(ramWeigher, [
    {
      rule: 'free memory is scaled from 0 to the largest; negative memory counts as none',
      hosts: { A, B, C },
      outcome: {
        raw: { A: 4096, B: 2048, C: -100 },
        normalized: { A: 1, B: 0.5, C: 0 },
        score: { A: 1, B: 0.5, C: 0 },
        order: ['A', 'B', 'C'],
      },
      flip: {
        hosts: { B: { freeRamMb: 8192 } },
        outcome: { normalized: { A: 0.5, B: 1, C: 0 }, order: ['B', 'A', 'C'] },
      },
    },
    {
      rule: 'equal hosts get 1, not 0, since the minimum is fixed; with no memory left, 0',
      hosts: { A: { freeRamMb: 1000 }, B: { freeRamMb: 1000 } },
      outcome: { normalized: { A: 1, B: 1 }, order: ['A', 'B'] },
      flip: { hosts: { A: { freeRamMb: 0 }, B: { freeRamMb: 0 } }, outcome: { normalized: { A: 0, B: 0 } } },
    },
    {
      rule: 'a negative multiplier stacks',
      hosts: { A, B, C },
      options: { filter_scheduler: { [KEY]: -1 } },
      outcome: { score: { A: -1, B: -0.5, C: 0 }, order: ['C', 'B', 'A'] },
      flip: { options: { filter_scheduler: { [KEY]: 1 } }, outcome: { order: ['A', 'B', 'C'] } },
    },
    {
      rule: 'the smallest multiplier of the aggregates counts, unless one of them is no number',
      hosts: {
        A: { ...A, aggregates: aggregates('-2', '3') },
        B: { ...B, aggregates: aggregates('-2') },
        C: { ...C, aggregates: aggregates('3', 'oops') },
      },
      options: { filter_scheduler: { [KEY]: 7 } },
      outcome: { score: { A: -2, B: -1, C: 0 }, order: ['C', 'B', 'A'] },
      flip: {
        hosts: { A: { aggregates: aggregates('-2', 'oops') } },
        outcome: { score: { A: 7, B: -1, C: 0 }, order: ['A', 'C', 'B'] },
      },
    },
    {
      rule: 'as shares, a small empty host beats a big half-full one',
      hosts: { big: { freeRamMb: 4000, totalUsableRamMb: 8000 }, small: { freeRamMb: 1000, totalUsableRamMb: 1000 } },
      options: { filter_scheduler: { share_based_weights: true } },
      outcome: { raw: { big: 0.5, small: 1 }, order: ['small', 'big'] },
      flip: {
        options: { filter_scheduler: { share_based_weights: false } },
        outcome: { raw: { big: 4000, small: 1000 }, order: ['big', 'small'] },
      },
    },
  ]);
});
