import type { WholeConsumer } from '../../placement/allocations/consumer-pages.loader';
import type { Verdict } from './judge-consumer';
import { judgeConsumer, plannedFor } from './judge-consumer';
import type { AuditedInstance, KnownConsumer, Sizing } from './nova-records';
import { NodeIndex } from './nova-records';

type Amounts = Readonly<Record<string, number>>;

const NODES = new NodeIndex([
  { uuid: 'node-a', cell: 2, host: 'a', node: 'a', isDisabled: false },
  { uuid: 'node-b', cell: 2, host: 'b', node: 'b', isDisabled: false },
  { uuid: 'node-c', cell: 3, host: 'c', node: 'c', isDisabled: false },
  { uuid: 'iron-1', cell: 2, host: 'ironic', node: 'iron-1', isDisabled: false },
  { uuid: 'iron-2', cell: 2, host: 'ironic', node: 'iron-2', isDisabled: false },
  { uuid: 'gone', cell: 2, host: null, node: 'gone', isDisabled: false },
]);
const READABLE = { nodes: NODES, unreadable: new Set<number>() };
const WITHOUT_CELL_3 = { nodes: NODES, unreadable: new Set([3]) };

const sizing = (extraSpecs: Readonly<Record<string, string>> = {}, root = 10): Sizing => ({
  flavor: { name: 'm', vcpus: 2, memoryMb: 512, rootGb: root, ephemeralGb: 1, swapMb: 512, extraSpecs },
  image: { id: null, name: null, diskFormat: null, properties: {} },
  isVolumeBacked: false,
});
/** Root 10 + ephemeral 1 + swap of half a GiB, rounded up. */
const RIGHT: Amounts = { VCPU: 2, MEMORY_MB: 512, DISK_GB: 12 };

const instance = (given: Partial<AuditedInstance> = {}): AuditedInstance => ({
  uuid: 'one',
  host: 'a',
  node: null,
  vmState: 'active',
  taskState: null,
  projectId: 'project',
  userId: 'user',
  isHidden: false,
  moveHosts: new Set(),
  isMoving: false,
  sizing: sizing(),
  ...given,
});

/** Shares by provider, or by `provider@root`. */
const consumer = (
  shares: Readonly<Record<string, Amounts>>,
  consumerType: string | null = 'INSTANCE',
): WholeConsumer => ({
  id: 1,
  uuid: 'one',
  generation: 1,
  projectId: 'project',
  userId: 'user',
  consumerType,
  shares: Object.entries(shares).map(([name, resources]) => {
    const [providerUuid = '', rootUuid = providerUuid] = name.split('@');
    return { providerUuid, rootUuid, resources: new Map(Object.entries(resources)) };
  }),
});

/** The kinds of the problems, then the amounts after the repair or why there is none. */
function shown(verdict: Verdict): unknown {
  if (verdict.kind !== 'wrong') return verdict.kind;
  const kinds = verdict.problems.map(({ kind }) => kind).join(' ');
  if ('unrepairable' in verdict.repair) return [kinds, verdict.repair.unrepairable];
  const amounts = [...verdict.repair.amounts].map(([provider, resources]) => [provider, Object.fromEntries(resources)]);
  return [kinds, Object.fromEntries(amounts)];
}

const running = (given: Partial<AuditedInstance> = {}): KnownConsumer => ({
  kind: 'instance',
  instance: instance(given),
});

describe('the judgement of an instance', () => {
  it.each<[string, Readonly<Record<string, Amounts>>, KnownConsumer, unknown]>([
    ['right amounts', { 'node-a': RIGHT }, running(), 'right'],
    [
      'amounts in a tree',
      { 'cell-0@node-a': { VCPU: 2, MEMORY_MB: 512 }, 'node-a': { DISK_GB: 12 } },
      running(),
      'right',
    ],
    [
      'a disk on shared storage',
      { 'node-a': { VCPU: 2, MEMORY_MB: 512 }, storage: { DISK_GB: 12 } },
      running(),
      'right',
    ],
    ['classes of ports', { 'node-a': RIGHT, 'nic@node-a': { NET_BW_EGR_KILOBIT_PER_SEC: 100 } }, running(), 'right'],
    ['a flavor that cannot be read', { 'node-a': { VCPU: 9 } }, running({ sizing: null }), 'right'],
    ['a task', { 'node-b': RIGHT }, running({ taskState: 'migrating' }), 'right'],
    ['a build', { 'node-b': RIGHT }, running({ host: null, vmState: 'building' }), 'right'],
    ['an open move', { 'node-b': { VCPU: 9 } }, running({ moveHosts: new Set(['a', 'b']), isMoving: true }), 'right'],
    [
      'a leftover of an earlier move during a move',
      { 'node-b': RIGHT, 'node-c': RIGHT },
      running({ moveHosts: new Set(['a', 'b']), isMoving: true }),
      ['move', { 'node-b': RIGHT }],
    ],
    ['a leftover on a deleted node', { 'node-a': RIGHT, gone: { VCPU: 1 } }, running(), ['move', { 'node-a': RIGHT }]],
    [
      'a leftover and other amounts',
      { 'node-a': { ...RIGHT, VCPU: 4 }, 'node-b': RIGHT },
      running(),
      ['move amounts', { 'node-a': RIGHT }],
    ],
    [
      'a disk on shared storage that is too large',
      { 'node-a': { VCPU: 2, MEMORY_MB: 512 }, storage: { DISK_GB: 20 } },
      running(),
      ['amounts', { 'node-a': { VCPU: 2, MEMORY_MB: 512 }, storage: { DISK_GB: 12 } }],
    ],
    [
      'memory on two NUMA cells that is too large',
      { 'cell-0@node-a': { MEMORY_MB: 512 }, 'cell-1@node-a': { MEMORY_MB: 512 }, 'node-a': { VCPU: 2, DISK_GB: 12 } },
      running(),
      ['amounts', 'MEMORY_MB is on 2 providers.'],
    ],
    [
      'no disk on shared storage after a move',
      { storage: { DISK_GB: 12 }, 'node-b': { VCPU: 2, MEMORY_MB: 512 } },
      running(),
      ['host', { storage: { DISK_GB: 12 }, 'node-a': { VCPU: 2, MEMORY_MB: 512 } }],
    ],
    [
      'another host, with an unknown own node',
      { 'node-b': RIGHT },
      running({ host: 'z' }),
      ['host', 'No compute node of host z is known.'],
    ],
    [
      'no host, with shared storage',
      { 'node-a': { VCPU: 2 }, storage: { DISK_GB: 12 } },
      running({ host: null }),
      ['move', {}],
    ],
    ['another node of an Ironic host', { 'iron-2': RIGHT }, running({ host: 'ironic', node: 'iron-1' }), 'right'],
    [
      'a custom class of the flavor',
      { 'iron-1': { CUSTOM_BAREMETAL: 2 } },
      running({
        host: 'ironic',
        node: 'iron-1',
        sizing: sizing({
          'resources:CUSTOM_BAREMETAL': '1',
          'resources:VCPU': '0',
          'resources:MEMORY_MB': '0',
          'resources:DISK_GB': '0',
        }),
      }),
      ['amounts', { 'iron-1': { CUSTOM_BAREMETAL: 1 } }],
    ],
    [
      'pinned CPUs as VCPU with other memory',
      { 'node-a': { ...RIGHT, MEMORY_MB: 1 } },
      running({ sizing: sizing({ 'hw:cpu_policy': 'dedicated' }) }),
      ['amounts', { 'node-a': RIGHT }],
    ],
    [
      'pinned CPUs, of which one is missing',
      { 'node-a': { PCPU: 1, MEMORY_MB: 512, DISK_GB: 12 } },
      running({ sizing: sizing({ 'hw:cpu_policy': 'dedicated' }) }),
      ['amounts', { 'node-a': { PCPU: 2, MEMORY_MB: 512, DISK_GB: 12 } }],
    ],
  ])('with %s', (_what, shares, known, expected) => {
    expect(shown(judgeConsumer(consumer(shares), known, READABLE))).toEqual(expected);
  });
});

describe('the judgement of a consumer that no cell has', () => {
  const UNKNOWN: KnownConsumer = { kind: 'unknown', wasDeleted: false };
  it.each([
    ['an instance', 'INSTANCE', 'node-a', READABLE, ['orphan', {}]],
    ['an instance on no node', 'INSTANCE', 'storage', READABLE, ['orphan', {}]],
    ['no type on a node', null, 'node-a', READABLE, ['orphan', {}]],
    ['no type on a deleted node', null, 'gone', READABLE, ['orphan', {}]],
    ['no type on no node', null, 'storage', READABLE, 'right'],
    ['another type', 'RESERVATION', 'node-a', READABLE, 'right'],
    ['an instance in a readable cell while another is not', 'INSTANCE', 'node-a', WITHOUT_CELL_3, ['orphan', {}]],
    ['an instance in a cell that became unreadable', 'INSTANCE', 'node-c', WITHOUT_CELL_3, 'left-out'],
    ['an instance on no node while a cell is not readable', 'INSTANCE', 'storage', WITHOUT_CELL_3, 'left-out'],
  ])('of %s', (_what, type, provider, view, expected) => {
    expect(shown(judgeConsumer(consumer({ [provider]: { VCPU: 1 } }, type), UNKNOWN, view))).toEqual(expected);
  });
});

describe('planned allocations', () => {
  it.each<[string, Partial<AuditedInstance>, unknown]>([
    ['of a flavor', {}, { 'node-a': RIGHT }],
    ['of a node of Ironic', { host: 'ironic', node: 'iron-2' }, { 'iron-2': RIGHT }],
    ['of a refused flavor', { sizing: sizing({ 'resources:VCPU': 'many' }) }, { 'node-a': RIGHT }],
    ['without a flavor', { sizing: null }, 'The flavor of the instance cannot be read or is refused.'],
    ['without a node', { host: 'z' }, 'No compute node of host z is known.'],
  ])('%s', (_what, given, expected) => {
    const planned = plannedFor(instance(given), NODES);
    const amounts = 'amounts' in planned && [...planned.amounts].map(([node, all]) => [node, Object.fromEntries(all)]);
    expect('unrepairable' in planned ? planned.unrepairable : Object.fromEntries(amounts || [])).toEqual(expected);
  });
});
