import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { weigherTable } from '../pipeline/rule-table.fixture';
import { crossCellWeigher } from './cross-cell.weigher';

const wanting = (cell: string | null, allowCrossCellMove = true) => ({
  requestedDestination: { host: null, node: null, cell, allowCrossCellMove, aggregates: [], forbiddenAggregates: [] },
});
const HOSTS = { a: { cell: '1' }, b: { cell: '1' }, c: { cell: '2' } };
const NOTHING = { raw: { a: 0, b: 0, c: 0 }, order: ['a', 'b', 'c'] };

describe('CrossCellWeigher', () => {
  weigherTable(crossCellWeigher, [
    {
      rule: 'hosts of the wanted cell get a million points where cells may be crossed',
      hosts: HOSTS,
      spec: wanting('1'),
      outcome: {
        raw: { a: 1, b: 1, c: -1 },
        normalized: { a: 1, b: 1, c: 0 },
        score: { a: 1_000_000, b: 1_000_000, c: 0 },
        order: ['a', 'b', 'c'],
      },
      flip: { spec: wanting('2'), outcome: { raw: { a: -1, b: -1, c: 1 }, order: ['c', 'a', 'b'] } },
    },
    {
      rule: 'if cells cannot be crossed, no host is preferred',
      hosts: HOSTS,
      spec: wanting('2', false),
      outcome: NOTHING,
      flip: { spec: wanting('2'), outcome: { raw: { a: -1, b: -1, c: 1 } } },
    },
    {
      rule: 'if no cell is requested, no host is preferred',
      hosts: { ...HOSTS, c: { cell: null } },
      spec: wanting(null),
      outcome: NOTHING,
      flip: { spec: wanting('1'), outcome: { raw: { a: 1, b: 1, c: -1 } } },
    },
    {
      rule: 'without a destination no host is preferred',
      hosts: HOSTS,
      spec: { requestedDestination: null },
      outcome: NOTHING,
      flip: { spec: wanting('2'), outcome: { raw: { a: -1, b: -1, c: 1 } } },
    },
    {
      rule: 'aggregates override the multiplier',
      hosts: HOSTS,
      spec: wanting('1'),
      outcome: { order: ['a', 'b', 'c'] },
      flip: {
        hosts: { a: { aggregates: hostInAggregates('a', { cross_cell_move_weight_multiplier: '-1' }).aggregates } },
        outcome: { score: { a: -1 }, order: ['b', 'c', 'a'] },
      },
    },
  ]);
});
