import { worldGraph } from '../../../test/world/world';
import type { HostDirectory } from './host-directory';
import { isHost, unreportedHosts } from './unreported-hosts';

describe('a root provider is a host', () => {
  it.each([
    ['with a report', true, false, false, true],
    ['with a report, although it shares', true, true, false, true],
    ['without a report, if hosts come from the inventory', false, false, true, true],
  ] as const)('%s', (_, isReported, isSharing, hostsFromInventory, answer) => {
    expect(isHost({ isSharing, wasReported: false }, isReported, hostsFromInventory)).toBe(answer);
  });

  it('not, without a report, if it is a sharing provider or hosts come from reports only', () => {
    expect(isHost({ isSharing: true, wasReported: false }, false, true)).toBe(false);
    expect(isHost({ isSharing: false, wasReported: false }, false, false)).toBe(false);
  });

  it('not by its inventory alone, if a compute host reported it once', () => {
    expect(isHost({ isSharing: false, wasReported: true }, false, true)).toBe(false);
    expect(isHost({ isSharing: false, wasReported: true }, true, true)).toBe(true);
  });
});

describe('unreported hosts', () => {
  const graph = worldGraph('a VCPU:4\nb VCPU:8\nss DISK_GB:10 {MISC_SHARES_VIA_AGGREGATE} @one');
  const [first] = graph.rootIds.map((id) => graph.findTree(id)?.root);
  const directory = { find: (uuid) => (uuid === first?.uuid ? {} : undefined) } as Pick<HostDirectory, 'find'>;
  const names = (hostsFromInventory: boolean): readonly string[] =>
    [...unreportedHosts(graph, directory, hostsFromInventory)].map(({ name }) => name);

  it('are the other roots, but for those that share', () => expect(names(true)).toEqual(['b']));

  it('are none if hosts come from reports only', () => expect(names(false)).toEqual([]));
});
