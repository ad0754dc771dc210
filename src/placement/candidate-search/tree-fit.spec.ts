// A verdict for each tree: equal to that of a search, except for candidates that a search attributes to another anchor.
import { worldGraph } from '../../../test/world/world';
import { parseQuery } from '../../../test/world/world-query';
import { TreeFit } from './tree-fit';

const WORLD = `
cn1     VCPU:16/4 MEMORY_MB:4096                    {CUSTOM_FAST}  @rack
  numa0 CUSTOM_SLOT:8/8                             {HW_NUMA_ROOT}
  numa1 CUSTOM_SLOT:4                               {HW_NUMA_ROOT}
cn2     VCPU:4 MEMORY_MB:4096                                      @rack
cn3     VCPU:4(max=2) MEMORY_MB:512
pool    DISK_GB:100/10                              {SHARES}       @rack
`;

const QUERIES: readonly (readonly [query: string, fitting: readonly string[]])[] = [
  ['resources=VCPU:1', ['cn1', 'cn2', 'cn3']],
  ['resources=VCPU:4', ['cn1', 'cn2']],
  ['resources=VCPU:5', ['cn1']],
  ['resources=VCPU:1&required=CUSTOM_FAST', ['cn1']],
  ['resources=VCPU:1&root_required=!CUSTOM_FAST', ['cn2', 'cn3']],
  ['resources=VCPU:1,DISK_GB:50', ['cn1', 'cn2']],
  ['resources=VCPU:1,DISK_GB:91', []],
  ['resources=VCPU:1&resources1=CUSTOM_SLOT:4', ['cn1']],
  ['resources1=CUSTOM_SLOT:2&resources2=CUSTOM_SLOT:2&group_policy=isolate', []],
  ['resources1=CUSTOM_SLOT:2&resources2=CUSTOM_SLOT:2&group_policy=none', ['cn1']],
];

const graph = worldGraph(WORLD);
const trees = graph.rootIds.flatMap((id) => graph.findTree(id) ?? []);

it.each(QUERIES)('%s fits on %p', (text, expected) => {
  const fit = new TreeFit(graph, parseQuery(text));
  expect(trees.filter((tree) => fit.fits(tree)).map(({ root }) => root.name)).toEqual(expected);
});

it('counts resources from sharing providers alone under every root that sees them', () => {
  const fit = new TreeFit(graph, parseQuery('resources=DISK_GB:10'));
  const fitting = trees.filter((tree) => fit.fits(tree));
  expect(fitting.map(({ root }) => root.name)).toEqual(['cn1', 'cn2', 'pool']);
});
