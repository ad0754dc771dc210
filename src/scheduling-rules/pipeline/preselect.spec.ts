import type { HostState } from '../host-state/host-state';
import type { UnknownHost } from '../host-state/states-of-candidates';
import type { RequestedDestination, RequestSpec } from '../request-spec/request-spec';
import { hostState, requestSpec } from './pipeline.fixture';
import { preselect } from './preselect';

const NOWHERE: RequestedDestination = {
  host: null,
  node: null,
  cell: null,
  allowCrossCellMove: false,
  aggregates: [],
  forbiddenAggregates: [],
};
const to = (given: Partial<RequestedDestination>): Partial<RequestSpec> => ({
  requestedDestination: { ...NOWHERE, ...given },
});
const HOSTS: readonly HostState[] = [
  hostState({ host: 'a', node: 'a1', uuid: 'a1', cell: 'one' }),
  hostState({ host: 'a', node: 'a2', uuid: 'a2', cell: 'one' }),
  hostState({ host: 'B', node: 'b1', uuid: 'b1', cell: 'two' }),
  hostState({ host: 'c', node: 'c1', uuid: 'c1', cell: null }),
];

/** `left` for surviving nodes, and the code of each rejected node. */
function outcome(given: Partial<RequestSpec>, unknown: readonly UnknownHost[] = []): Record<string, string> {
  const { survivors, stage } = preselect(HOSTS, requestSpec(given), unknown);
  expect(stage).toMatchObject({ kind: 'preselection', name: 'preselection', skipped: false });
  expect(stage.in).toBe(stage.out + stage.rejected.length);
  expect(stage.out).toBe(survivors.length);
  return Object.fromEntries([
    ...survivors.map(({ node }) => [node, 'left'] as const),
    ...stage.rejected.map(({ node, code }) => [node, code] as const),
  ]);
}
const all = (a1: string, a2: string, b1: string, c1: string): Record<string, string> => ({ a1, a2, b1, c1 });

it.each<[string, Partial<RequestSpec>, Record<string, string>]>([
  ['nothing', {}, all('left', 'left', 'left', 'left')],
  ['a destination of nothing', to({}), all('left', 'left', 'left', 'left')],
  ['a host', to({ host: 'a' }), all('left', 'left', 'not_the_destination', 'not_the_destination')],
  [
    'a host by another case',
    to({ host: 'b' }),
    all('not_the_destination', 'not_the_destination', 'not_the_destination', 'not_the_destination'),
  ],
  [
    'a host and a node of it',
    to({ host: 'a', node: 'a2' }),
    all('not_the_destination', 'left', 'not_the_destination', 'not_the_destination'),
  ],
  [
    'a node alone',
    to({ node: 'a2' }),
    all('not_the_destination', 'left', 'not_the_destination', 'not_the_destination'),
  ],
  ['a cell', to({ cell: 'one' }), all('left', 'left', 'other_cell', 'other_cell')],
  ['a cell that may be left', to({ cell: 'one', allowCrossCellMove: true }), all('left', 'left', 'left', 'left')],
  ['hosts to ignore', { ignoreHosts: ['A', 'c'] }, all('ignored', 'ignored', 'left', 'ignored')],
  ['nodes to ignore, which are no hosts', { ignoreHosts: ['a1'] }, all('left', 'left', 'left', 'left')],
  ['a forced host, of any case', { forceHosts: ['b'] }, all('not_forced', 'not_forced', 'left', 'not_forced')],
  ['two forced hosts', { forceHosts: ['b', 'C'] }, all('not_forced', 'not_forced', 'left', 'left')],
  ['a forced node', { forceNodes: ['a2'] }, all('not_a_forced_node', 'left', 'not_a_forced_node', 'not_a_forced_node')],
  [
    'a forced node of another case',
    { forceNodes: ['A2'] },
    all('not_a_forced_node', 'not_a_forced_node', 'not_a_forced_node', 'not_a_forced_node'),
  ],
  [
    'a forced host and node: both must hold',
    { forceHosts: ['A'], forceNodes: ['a1', 'b1'] },
    all('left', 'not_a_forced_node', 'not_forced', 'not_forced'),
  ],
  [
    'a host that is forced and ignored',
    { ignoreHosts: ['a'], forceHosts: ['a'] },
    all('ignored', 'ignored', 'not_forced', 'not_forced'),
  ],
  [
    'a destination before all others',
    { ...to({ host: 'a', node: 'a1' }), ignoreHosts: ['b'], forceHosts: ['c'] },
    all('not_forced', 'not_the_destination', 'not_the_destination', 'not_the_destination'),
  ],
])('of a request that names %s', (_, given, expected) => expect(outcome(given)).toEqual(expected));

it('counts roots that are no host, and says which', () => {
  const unknown = [{ uuid: 'u', name: 'pool' }];
  expect(outcome({ forceHosts: ['B'] }, unknown)).toMatchObject({ b1: 'left', pool: 'unknown_host' });
  expect(preselect(HOSTS, requestSpec(), unknown).stage).toMatchObject({ in: 5, out: 4 });
  expect(preselect([], requestSpec(), unknown).stage.rejected).toEqual([
    {
      host: 'pool',
      node: 'pool',
      code: 'unknown_host',
      params: { uuid: 'u' },
      message: 'no host is known for root provider u',
    },
  ]);
});

it.each<[string, Partial<RequestSpec>, string]>([
  ['destination', to({ host: 'z' }), 'the request targets z'],
  ['destination with a node', to({ host: 'z', node: 'n' }), 'the request targets z node n'],
  ['node', to({ node: 'n' }), 'the request targets node n'],
  ['cell', to({ cell: 'three' }), 'the request stays in cell three'],
  ['ignored host', { ignoreHosts: ['a'] }, 'the request ignores this host'],
  ['forced host', { forceHosts: ['x', 'y'] }, 'the request forces x, y'],
  ['forced node', { forceNodes: ['x', 'y'] }, 'the request forces node x, y'],
])('explains a host that is not the %s', (_, given, message) =>
  expect(preselect(HOSTS, requestSpec(given)).stage.rejected[0]?.message).toBe(message),
);

it.each<[string, Partial<RequestSpec>, boolean]>([
  ['a forced host', { forceHosts: ['a'] }, true],
  ['a forced node', { forceNodes: ['a1'] }, true],
  ['a destination', to({ host: 'a' }), false],
  ['ignored hosts', { ignoreHosts: ['a'] }, false],
  ['nothing', {}, false],
  ['a forced host in a rebuild check', { forceHosts: ['a'], checkType: 'rebuild' }, false],
])('for %s, filters are skipped: %#', (_, given, skips) =>
  expect(preselect(HOSTS, requestSpec(given)).skipsFilters).toBe(skips),
);
