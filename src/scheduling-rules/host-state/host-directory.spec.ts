// The directory's answers, also after repeated, late or reordered rows.
import { HostDirectory } from './host-directory';
import type { HostAggregateFacts, ServiceFacts } from './host-facts';
import { node, service } from './host-state.fixture';

const compute = (
  id: number,
  host: string,
  nodes: readonly (readonly [string, string | null, number?])[],
): ServiceFacts =>
  service({
    id,
    host,
    hosts: nodes.map(([name, uuid, serviceVersion = 0], at) =>
      node({}, { id: id * 10 + at, node: name, uuid, serviceVersion }),
    ),
  });
const A = compute(1, 'a', [['a1', 'ua1', 70]]);
const B = compute(2, 'b', [
  ['b1', 'ub1', 73],
  ['b2', 'ub2', 60],
]);
const aggregate = (id: number, hosts: readonly string[], metadata = {}): HostAggregateFacts => ({
  id,
  uuid: `g${id}`,
  name: `g${id}`,
  metadata,
  hosts,
});

function directoryOf(...services: readonly ServiceFacts[]): HostDirectory {
  const directory = new HostDirectory();
  directory.replaceServices([], services);
  return directory;
}
const uuidsOf = (directory: HostDirectory): string[] =>
  [...directory.reported].map(({ host }) => host.uuid ?? '').sort();

describe('nodes', () => {
  it('are found by their root provider, with their service', () => {
    const directory = directoryOf(A, B);
    expect(directory.find('ub2')).toEqual({ service: B, host: B.hosts[1] });
    expect(directory.findService('b')).toBe(B);
    expect([directory.find('nope'), directory.findService('nope')]).toEqual([undefined, undefined]);
    expect(uuidsOf(directory)).toEqual(['ua1', 'ub1', 'ub2']);
  });

  it('without a root provider are no hosts yet', () => {
    const directory = directoryOf(compute(1, 'a', [['a1', null]]));
    expect(uuidsOf(directory)).toEqual([]);
    expect(directory.findService('a')?.hosts).toHaveLength(1);
    expect(directory.lowestServiceVersion).toBeNull();
  });

  it.each<[string, string | null, string | null, string[]]>([
    ['everything', null, null, ['ua1', 'ub1', 'ub2']],
    ['a host', 'b', null, ['ub1', 'ub2']],
    ['a node', null, 'b2', ['ub2']],
    ['a host and its node', 'b', 'b1', ['ub1']],
    ['a host and the node of another', 'a', 'b1', []],
    ['a host by another case', 'B', null, []],
  ])('are targets by name: %s', (_, host, name, expected) => {
    const found = directoryOf(A, B).targets({ host, node: name });
    expect(found.map(({ uuid }) => uuid).sort()).toEqual(expected);
  });

  it('that share their name are all targets', () => {
    const directory = directoryOf(A, compute(3, 'c', [['a1', 'uc1']]));
    expect(directory.targets({ host: null, node: 'a1' }).map(({ host }) => host)).toEqual(['a', 'c']);
  });
});

describe('a service that is read again', () => {
  it('replaces its known state', () => {
    const directory = directoryOf(A, B);
    const next = compute(2, 'b', [['b1', 'ub1', 80]]);
    directory.replaceServices([2], [next]);
    expect(uuidsOf(directory)).toEqual(['ua1', 'ub1']);
    expect(directory.findService('b')).toBe(next);
  });

  it('without a row is removed', () => {
    const directory = directoryOf(A, B);
    directory.replaceServices([1, 2], [B]);
    expect([uuidsOf(directory), directory.findService('a')]).toEqual([['ub1', 'ub2'], undefined]);
  });

  it('under another id keeps its new nodes when the old id is removed', () => {
    const directory = directoryOf(A);
    const again = compute(9, 'a', [['a1', 'ua1']]);
    directory.replaceServices([9], [again]);
    directory.replaceServices([1], []);
    expect(directory.find('ua1')?.service).toBe(again);
    expect(directory.findService('a')).toBe(again);
  });

  it('can have lost a node to another service', () => {
    const directory = directoryOf(A, B);
    const taker = compute(2, 'b', [['a1', 'ua1']]);
    directory.replaceServices([1, 2], [compute(1, 'a', []), taker]);
    expect(directory.find('ua1')?.service).toBe(taker);
    expect(uuidsOf(directory)).toEqual(['ua1']);
  });
});

describe('a heartbeat', () => {
  it('moves the time of the service alone, never back', () => {
    const directory = directoryOf(A);
    const before = A.service.lastSeenUpMs ?? 0;
    expect(directory.touch(1, before + 5)).toBe(true);
    expect(directory.find('ua1')?.service.service.lastSeenUpMs).toBe(before + 5);
    expect(directory.findService('a')?.service.lastSeenUpMs).toBe(before + 5);
    expect(directory.find('ua1')?.host).toBe(A.hosts[0]);
    expect(directory.touch(1, before)).toBe(true);
    expect(directory.findService('a')?.service.lastSeenUpMs).toBe(before + 5);
  });

  it('of an unknown service must be reloaded', () => expect(directoryOf(A).touch(7, 1)).toBe(false));
});

it.each<[string, readonly ServiceFacts[], number | null]>([
  ['nobody', [], null],
  ['one host', [A], 70],
  ['several nodes', [A, B], 60],
  ['a host that says none', [A, compute(3, 'c', [['c1', 'uc1']])], 0],
])('the lowest service version of %s', (_, services, expected) => {
  const directory = directoryOf(...services);
  expect(directory.lowestServiceVersion).toBe(expected);
  directory.replaceServices(
    services.map(({ id }) => id),
    [A],
  );
  expect(directory.lowestServiceVersion).toBe(70);
});

describe('host aggregates', () => {
  const directory = (): HostDirectory => {
    const made = directoryOf(A, B);
    made.replaceAggregates(
      [],
      [aggregate(2, ['a']), aggregate(1, ['a', 'b'], { ssd: 'true' }), aggregate(3, ['nobody'])],
    );
    return made;
  };

  it('are listed by id, without their hosts', () => {
    expect(directory().hostAggregates).toEqual([
      { uuid: 'g1', name: 'g1', metadata: { ssd: 'true' } },
      { uuid: 'g2', name: 'g2', metadata: {} },
      { uuid: 'g3', name: 'g3', metadata: {} },
    ]);
  });

  it('of a host are those that name it, by id', () => {
    const made = directory();
    expect(made.aggregatesOf('a').map(({ uuid }) => uuid)).toEqual(['g1', 'g2']);
    expect(made.aggregatesOf('b').map(({ uuid }) => uuid)).toEqual(['g1']);
    expect(made.aggregatesOf('unknown')).toEqual([]);
  });

  it('are one list for hosts in the same ones', () => {
    const made = directory();
    made.replaceAggregates([2], [aggregate(2, ['a', 'b'])]);
    expect(made.aggregatesOf('a')).toBe(made.aggregatesOf('b'));
  });

  it('are new lists after a change or deletion of one of them', () => {
    const made = directory();
    const before = made.aggregatesOf('b');
    made.replaceAggregates([1], [aggregate(1, ['a', 'b'], { ssd: 'false' })]);
    expect(made.aggregatesOf('b')).not.toBe(before);
    expect(made.aggregatesOf('b')).toMatchObject([{ metadata: { ssd: 'false' } }]);
    made.replaceAggregates([1], []);
    expect(made.aggregatesOf('b')).toEqual([]);
    expect(made.hostAggregates.map(({ uuid }) => uuid)).toEqual(['g2', 'g3']);
  });
});

it.each<[string, readonly number[], readonly ServiceFacts[], boolean]>([
  ['the same nodes in a new report', [1], [compute(1, 'a', [['a1', 'ua1', 70]])], false],
  ['the same rows, given without their ids', [], [A, B], false],
  ['another service version', [1], [compute(1, 'a', [['a1', 'ua1', 71]])], true],
  ['another provider', [1], [compute(1, 'a', [['a1', 'ua2', 70]])], true],
  ['a node less', [2], [compute(2, 'b', [['b1', 'ub1', 73]])], true],
  ['a service less', [2], [], true],
  ['a new service', [], [compute(3, 'c', [['c1', 'uc1', 70]])], true],
])('the version of the nodes after %s', (_what, ids, rows, isOther) => {
  const directory = directoryOf(A, B);
  const [before, lowest] = [directory.nodesVersion, directory.lowestServiceVersion];
  directory.replaceServices(ids, rows);
  expect(directory.nodesVersion !== before).toBe(isOther);
  if (!isOther) expect(directory.lowestServiceVersion).toBe(lowest);
});
