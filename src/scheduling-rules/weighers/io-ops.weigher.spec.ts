import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { weigherTable } from '../pipeline/rule-table.fixture';
import { ioOpsWeigher } from './io-ops.weigher';

const KEY = 'io_ops_weight_multiplier';

describe('IoOpsWeigher', () => {
  weigherTable(ioOpsWeigher, [
    {
      rule: 'fewer operations are better by default, scaled from 0',
      hosts: { A: { numIoOps: 0 }, B: { numIoOps: 2 }, C: { numIoOps: 4 } },
      outcome: { normalized: { A: 0, B: 0.5, C: 1 }, score: { B: -0.5, C: -1 }, order: ['A', 'B', 'C'] },
      flip: { hosts: { C: { numIoOps: 1 } }, outcome: { normalized: { A: 0, B: 1, C: 0.5 }, order: ['A', 'C', 'B'] } },
    },
    {
      rule: 'equally busy hosts all pay in full, since the minimum is fixed',
      hosts: { A: { numIoOps: 3 }, B: { numIoOps: 3 } },
      outcome: { score: { A: -1, B: -1 } },
      flip: { hosts: { A: { numIoOps: 0 } }, outcome: { score: { A: 0, B: -1 } } },
    },
    {
      rule: 'aggregates override the multiplier',
      hosts: { A: { numIoOps: 1 }, B: { numIoOps: 2 } },
      outcome: { score: { A: -0.5, B: -1 }, order: ['A', 'B'] },
      flip: {
        hosts: { B: { aggregates: hostInAggregates('B', { [KEY]: '1' }).aggregates } },
        outcome: { score: { A: -0.5, B: 1 }, order: ['B', 'A'] },
      },
    },
  ]);
});
