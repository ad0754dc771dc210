import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { weigherTable } from '../pipeline/rule-table.fixture';
import { numInstancesWeigher } from './num-instances.weigher';

const KEY = 'num_instances_weight_multiplier';
const HOSTS = { A: { numInstances: 1 }, B: { numInstances: 3 }, C: { numInstances: 2 } };

describe('NumInstancesWeigher', () => {
  weigherTable(numInstancesWeigher, [
    {
      rule: 'off by default; positive prefers fuller hosts',
      hosts: HOSTS,
      outcome: { raw: { A: 1, B: 3, C: 2 }, score: { A: 0, B: 0, C: 0 }, order: ['A', 'B', 'C'] },
      flip: {
        options: { filter_scheduler: { [KEY]: 2 } },
        outcome: { score: { A: 0, B: 2, C: 1 }, order: ['B', 'C', 'A'] },
      },
    },
    {
      rule: 'negative prefers emptier hosts',
      hosts: HOSTS,
      options: { filter_scheduler: { [KEY]: -1 } },
      outcome: { order: ['A', 'C', 'B'] },
      flip: { hosts: { A: { numInstances: 4 } }, outcome: { order: ['C', 'B', 'A'] } },
    },
    {
      rule: 'an aggregate can switch it on for its hosts',
      hosts: HOSTS,
      outcome: { order: ['A', 'B', 'C'] },
      flip: {
        hosts: { C: { aggregates: hostInAggregates('C', { [KEY]: '1' }).aggregates } },
        outcome: { score: { C: 0.5 }, order: ['C', 'A', 'B'] },
      },
    },
  ]);
});
