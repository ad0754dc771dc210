import { worldGraph } from '../../../test/world/world';
import { parseQuery } from '../../../test/world/world-query';
import { runToCompletion } from '../../platform/values/task';
import { bindingSentence, strandedSentence } from './bottleneck';
import { findingsOf } from './cloud-findings';

/** The sentences for the single host of the world: on each flavor, and on each class with a stranded amount. */
function reported(world: string, ...queries: readonly string[]): readonly string[] {
  const requests = queries.map((query) => parseQuery(query));
  const graph = worldGraph(world);
  const trees = graph.rootIds.flatMap((id) => graph.findTree(id) ?? []).filter(({ root }) => !root.isSharing);
  const { hosts, flavors } = runToCompletion(findingsOf(graph, { requests, trees, candidates: 1_000 }));
  const ofFlavors = flavors.flatMap(({ count, bottlenecks }) =>
    bottlenecks.map(({ bottleneck, hosts: of }) => `${count} fit: ${bindingSentence(bottleneck, of)}`),
  );
  const ofClasses = [...hosts.values()].flatMap((stranded) =>
    stranded.flatMap(({ resourceClass, amount, lacks }) =>
      lacks === null ? [] : [`${amount} ${strandedSentence(resourceClass, lacks, 1)}`],
    ),
  );
  return [...ofFlavors, ...ofClasses];
}

describe('the sentences name the bottleneck', () => {
  it.each<[string, string, readonly string[], readonly string[]]>([
    [
      'the class that runs out first',
      'cn VCPU:4 MEMORY_MB:9000',
      ['resources=VCPU:1,MEMORY_MB:1000'],
      ['4 fit: VCPU runs out first on 1 host', '5000 memory left without VCPU on 1 host'],
    ],
    [
      'an amount that is too small for every flavor',
      'cn VCPU:4 MEMORY_MB:4100',
      ['resources=VCPU:1,MEMORY_MB:1000', 'resources=VCPU:3'],
      [
        '4 fit: VCPU runs out first on 1 host',
        '1 fit: VCPU runs out first on 1 host',
        '100 memory left without memory and VCPU on 1 host',
      ],
    ],
    [
      'a class that no flavor requests',
      'cn VCPU:4 VGPU:2',
      ['resources=VCPU:1'],
      ['4 fit: VCPU runs out first on 1 host', '2 VGPU that no flavor asks for on 1 host'],
    ],
    [
      'a class that the host lacks',
      'cn VCPU:4',
      ['resources=VCPU:1,VGPU:1'],
      ['0 fit: 1 host has no VGPU', '4 VCPU left without VGPU on 1 host'],
    ],
    [
      'a trait that the host lacks',
      'cn VCPU:4',
      ['resources=VCPU:1&required=SSD'],
      ['0 fit: 1 host lacks trait STORAGE_DISK_SSD', '4 VCPU left on 1 host that lacks trait STORAGE_DISK_SSD'],
    ],
    [
      'a forbidden trait',
      'cn VCPU:4 {SSD}',
      ['resources=VCPU:1&required=!SSD'],
      [
        '0 fit: 1 host has the forbidden trait STORAGE_DISK_SSD',
        '4 VCPU left on 1 host that has the forbidden trait STORAGE_DISK_SSD',
      ],
    ],
    [
      'units',
      'cn VCPU:4(min=2)',
      ['resources=VCPU:1'],
      ['0 fit: VCPU runs out first on 1 host', '4 VCPU left in amounts that no flavor takes on 1 host'],
    ],
    [
      'groups that are kept apart',
      'cn VCPU:4\n  a VGPU:2',
      ['resources1=VGPU:1&resources2=VGPU:1&group_policy=isolate'],
      [
        '0 fit: 1 host lacks a provider for each request group (group_policy isolate)',
        '4 VCPU that no flavor asks for on 1 host',
        '2 VGPU left on 1 host that lacks a provider for each request group (group_policy isolate)',
      ],
    ],
    [
      'a pool that is empty',
      'cn VCPU:4 @agg\npool DISK_GB:10/10 {SHARES} @agg',
      ['resources=VCPU:1,DISK_GB:5'],
      ['0 fit: disk runs out first on 1 host', '4 VCPU left without disk on 1 host'],
    ],
  ])('%s', (_, world, queries, expected) => expect(reported(world, ...queries)).toEqual(expected));
});
