import { worldGraph } from '../../../test/world/world';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import type { HostStranded } from '../stranded/host-findings';
import { strandedCapacity } from './stranded-capacity';

const graph = worldGraph('cn1 DISK_GB:100\ncn2 DISK_GB:100\npool DISK_GB:800 {MISC_SHARES_VIA_AGGREGATE}');
const hosts = graph.rootIds.flatMap((id): CloudHost[] => {
  const tree = graph.findTree(id);
  if (tree === undefined) return [];
  const known = { reported: null, service: null, aggregates: [] };
  const status = tree.root.isSharing ? 'sharing' : 'up';
  return [{ tree, known, zone: null, status, statusReason: null }];
});
const rootOf = (name: string): number => hosts.find(({ tree }) => tree.root.name === name)?.tree.root.id ?? 0;
const judged = (amounts: Readonly<Record<string, number>>, kind: 'resource' | 'nothing' = 'resource') =>
  new Map(
    Object.entries(amounts).map(([name, amount]): [number, readonly HostStranded[]] => [
      rootOf(name),
      [
        {
          resourceClass: 'DISK_GB',
          amount,
          isExact: true,
          lacks: amount === 0 ? null : { kind, name: 'VCPU', isAbsent: false },
        },
      ],
    ]),
  );

describe('advice on stranded capacity', () => {
  it('is none below half of what is free in the cloud, with the shared pools', async () => {
    expect(await strandedCapacity(hosts, { hosts: judged({ cn1: 90, cn2: 18 }) })).toEqual([]);
  });

  it('names the share, the cause and the hosts with most of it first', async () => {
    const own = hosts.filter(({ status }) => status === 'up');
    const [advice, ...others] = await strandedCapacity(own, { hosts: judged({ cn1: 18, cn2: 90 }) });
    expect(others).toEqual([]);
    expect(advice?.sentence).toBe('No flavor can use 54 % of the free DISK_GB: disk left without VCPU on 2 hosts.');
    expect(advice?.subjects.map(({ name }) => name)).toEqual(['cn2', 'cn1']);
  });

  it('is none on a class that no flavor asks for', async () => {
    expect(await strandedCapacity(hosts, { hosts: judged({ cn1: 100, cn2: 100, pool: 800 }, 'nothing') })).toEqual([]);
  });
});
