import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { weigherTable } from '../pipeline/rule-table.fixture';
import { hypervisorVersionWeigher } from './hypervisor-version.weigher';

const KEY = 'hypervisor_version_weight_multiplier';

describe('HypervisorVersionWeigher', () => {
  weigherTable(hypervisorVersionWeigher, [
    {
      rule: 'a patch level newer is worth the whole point; an unknown version counts 0',
      hosts: { A: { hypervisorVersion: 6_002_000 }, B: { hypervisorVersion: 6_002_001 } },
      outcome: { normalized: { A: 0, B: 1 }, order: ['B', 'A'] },
      flip: {
        hosts: { B: { hypervisorVersion: null } },
        outcome: { raw: { B: 0 }, normalized: { A: 1, B: 0 }, order: ['A', 'B'] },
      },
    },
    {
      rule: 'equal versions all get 0',
      hosts: { A: { hypervisorVersion: 1 }, B: { hypervisorVersion: 1 } },
      outcome: { normalized: { A: 0, B: 0 } },
      flip: { hosts: { B: { hypervisorVersion: 2 } }, outcome: { normalized: { A: 0, B: 1 } } },
    },
    {
      rule: 'aggregates override the multiplier',
      hosts: { A: { hypervisorVersion: 1 }, B: { hypervisorVersion: 2 } },
      outcome: { order: ['B', 'A'] },
      flip: {
        hosts: { B: { aggregates: hostInAggregates('B', { [KEY]: '-1' }).aggregates } },
        outcome: { score: { B: -1 }, order: ['A', 'B'] },
      },
    },
  ]);
});
