// Compares the allocations of one consumer with what nova knows of it. Pure: a repair judges again with rows read just
// before it.
import type { ConsumerShareOfTree, WholeConsumer } from '../../placement/allocations/consumer-pages.loader';
import { expectedAmounts } from './expected-amounts';
import type { Amounts, Problem } from './findings';
import { showAmounts, sumOf } from './findings';
import type { AuditedInstance, AuditedNode, KnownConsumer, NodeIndex } from './nova-records';

export type Verdict =
  | { readonly kind: 'right' }
  | { readonly kind: 'left-out'; readonly reason: string }
  | { readonly kind: 'wrong'; readonly problems: readonly Problem[]; readonly repair: PlannedWrite };

/** The complete allocations after the repair, or why they have to be repaired by hand. Empty amounts: a release. */
export type PlannedWrite = { readonly amounts: Amounts } | { readonly unrepairable: string };

export interface AuditView {
  readonly nodes: NodeIndex;
  /** Ids of cells that cannot be read. A consumer that no readable cell knows can be a migration of such a cell. */
  readonly unreadable: ReadonlySet<number>;
}

const RIGHT: Verdict = Object.freeze({ kind: 'right' });
const NOTHING: Amounts = new Map();
/** Types that nova's consumers have. Without a microversion that has types, they have none. */
const TYPES: ReadonlySet<string | null> = new Set(['INSTANCE', 'MIGRATION', null]);

export function judgeConsumer(consumer: WholeConsumer, known: KnownConsumer, view: AuditView): Verdict {
  switch (known.kind) {
    case 'instance':
      return judgeInstance(consumer, known.instance, view);
    case 'building':
      return RIGHT;
    case 'unreadable':
      return { kind: 'left-out', reason: `cell ${known.cell} cannot be read` };
    case 'buried':
      return released(consumer, 'move', 'nova has the instance in cell0, so it has no host');
    case 'migration':
      if (known.isOpen) return RIGHT;
      return released(consumer, 'move', `the migration has ended (${known.status ?? 'no status'})`);
    case 'unknown':
      return judgeUnknown(consumer, known.wasDeleted, view);
  }
}

function judgeUnknown(consumer: WholeConsumer, wasDeleted: boolean, view: AuditView): Verdict {
  const { shares, consumerType } = consumer;
  if (!TYPES.has(consumerType)) return RIGHT;
  const roots = shares.map(({ rootUuid }) => view.nodes.find(rootUuid));
  if (consumerType === null && roots.every((node) => node === undefined)) return RIGHT;
  const canBeElsewhere = roots.some((node) => node === undefined || view.unreadable.has(node.cell));
  if (view.unreadable.size > 0 && canBeElsewhere) {
    return { kind: 'left-out', reason: 'a cell that cannot be read can have the consumer' };
  }
  return released(consumer, 'orphan', wasDeleted ? 'nova has deleted the instance' : 'nova does not know the consumer');
}

function released({ uuid, shares }: WholeConsumer, kind: 'orphan' | 'move', why: string): Verdict {
  const held = showAmounts(sumOf(shares));
  const problem = { kind, subject: uuid, text: `${why}, but it has ${held}.`, remedy: 'Delete its allocations.' };
  return { kind: 'wrong', problems: [problem], repair: { amounts: NOTHING } };
}

function judgeInstance(consumer: WholeConsumer, instance: AuditedInstance, view: AuditView): Verdict {
  // Operations of nova move allocations and rows one after the other.
  if (isBusy(instance)) return RIGHT;
  const { own, foreign } = splitShares(consumer, instance, view.nodes);
  const problems: Problem[] = [];
  let amounts: Amounts = amountsOf(foreign.length > 0 ? own : consumer.shares);
  if (foreign.length > 0) {
    const isElsewhere = instance.host !== null && !hasNode(own, view.nodes);
    if (isElsewhere) return wrongHost(consumer, instance, { own, foreign }, view);
    problems.push(leftover(consumer, instance, foreign, view.nodes));
    // Without a host it has no shared storage either.
    if (instance.host === null && !instance.isMoving) amounts = NOTHING;
  }
  if (instance.host !== null && !instance.isMoving) {
    const sized = judgeAmounts(consumer, instance, own, view.nodes);
    if (sized !== null) {
      problems.push(sized.problem);
      if ('unrepairable' in sized.repair) return { kind: 'wrong', problems, repair: sized.repair };
      ({ amounts } = sized.repair);
    }
  }
  return problems.length === 0 ? RIGHT : { kind: 'wrong', problems, repair: { amounts } };
}

/** The instance is being built, deleted or changed by an operation. */
export const isBusy = ({ taskState, vmState }: AuditedInstance): boolean =>
  taskState !== null || vmState === 'building' || vmState === 'deleted';

interface SplitShares {
  /** On the instance's host, on hosts of its moves, and on providers of no compute node, such as shared storage. */
  readonly own: readonly ConsumerShareOfTree[];
  /** On other hosts and on deleted nodes. */
  readonly foreign: readonly ConsumerShareOfTree[];
}

function splitShares({ shares }: WholeConsumer, { host, moveHosts }: AuditedInstance, nodes: NodeIndex): SplitShares {
  const isForeign = ({ rootUuid }: ConsumerShareOfTree): boolean => {
    const node = nodes.find(rootUuid);
    if (node === undefined) return false;
    return node.host === null || (node.host !== host && !moveHosts.has(node.host));
  };
  return { own: shares.filter((share) => !isForeign(share)), foreign: shares.filter(isForeign) };
}

const hasNode = (shares: SplitShares['own'], nodes: NodeIndex): boolean =>
  shares.some(({ rootUuid }) => nodes.find(rootUuid) !== undefined);

function leftover(
  { uuid }: WholeConsumer,
  { host }: AuditedInstance,
  foreign: SplitShares['foreign'],
  nodes: NodeIndex,
): Problem {
  const where = host === null ? 'has no host' : `is on ${host}`;
  const text = `the instance ${where}, but it has ${showAmounts(sumOf(foreign))} on ${hostsOf(foreign, nodes)}.`;
  return { kind: 'move', subject: uuid, text, remedy: `Delete its allocations on ${hostsOf(foreign, nodes)}.` };
}

/** All of it is on other hosts, so nova lost the write of a move. */
function wrongHost(
  consumer: WholeConsumer,
  instance: AuditedInstance,
  { own, foreign }: SplitShares,
  view: AuditView,
): Verdict {
  const { uuid } = consumer;
  const { host } = instance;
  const where = hostsOf(foreign, view.nodes);
  const text = `the instance is on ${host}, but its allocations are on ${where}.`;
  const problem: Problem = { kind: 'host', subject: uuid, text, remedy: `Move its allocations to ${host}.` };
  const planned = instance.isMoving
    ? { unrepairable: 'The instance is being moved.' }
    : plannedFor(instance, view.nodes, own);
  return { kind: 'wrong', problems: [problem], repair: planned };
}

/** All amounts of the flavor on the node of the instance, in addition to what `others` have of other classes. */
export function plannedFor(
  instance: AuditedInstance,
  nodes: NodeIndex,
  others: readonly ConsumerShareOfTree[] = [],
): PlannedWrite {
  const node = ownNodeOf(instance, nodes);
  if (node === undefined) return { unrepairable: `No compute node of host ${instance.host} is known.` };
  const expected = instance.sizing && expectedAmounts(instance.sizing);
  if (expected === null) return { unrepairable: 'The flavor of the instance cannot be read or is refused.' };
  const amounts = new Map(amountsOf(others));
  const there = new Set([...amounts.values()].flatMap((resources) => [...resources.keys()]));
  const missing = [...expected.amounts].filter(([name]) => !there.has(name));
  amounts.set(node, new Map([...(amounts.get(node) ?? []), ...missing]));
  return { amounts };
}

/** Null: the amounts are right, or the flavor does not decide them. */
function judgeAmounts(
  { uuid }: WholeConsumer,
  instance: AuditedInstance,
  own: SplitShares['own'],
  nodes: NodeIndex,
): { readonly problem: Problem; readonly repair: PlannedWrite } | null {
  const expected = instance.sizing && expectedAmounts(instance.sizing);
  if (expected === null) return null;
  const { amounts, alternative, decided } = expected;
  // An evacuation leaves amounts on its source.
  const sized = own.filter(({ rootUuid }) => (nodes.find(rootUuid)?.host ?? instance.host) === instance.host);
  const held = sumOf(sized);
  const differing = (wanted: ReadonlyMap<string, number>): readonly string[] =>
    [...decided].filter((name) => (held.get(name) ?? 0) !== (wanted.get(name) ?? 0));
  const names = differing(amounts);
  if (names.length === 0 || (alternative !== null && differing(alternative).length === 0)) return null;
  const usesAlternative = alternative !== null && (held.get('PCPU') ?? 0) === 0 && (held.get('VCPU') ?? 0) > 0;
  const wanted = usesAlternative ? alternative : amounts;
  const changed = differing(wanted);
  const only = (all: ReadonlyMap<string, number>): string =>
    showAmounts(new Map([...all].filter(([name]) => changed.includes(name))));
  const problem: Problem = {
    kind: 'amounts',
    subject: uuid,
    text: `it has ${only(held)}, but its flavor needs ${only(wanted)}.`,
    remedy: `Set ${only(wanted)}.`,
  };
  return { problem, repair: correctedAmounts({ own, sized, changed, wanted, node: ownNodeOf(instance, nodes) }) };
}

interface Correction {
  readonly own: SplitShares['own'];
  /** Those of them that count for the flavor. */
  readonly sized: SplitShares['own'];
  /** Resource classes with another amount. */
  readonly changed: readonly string[];
  readonly wanted: ReadonlyMap<string, number>;
  /** Root provider of the instance's node. */
  readonly node: string | undefined;
}

/** Changes a class where the instance has it; a class that it has nowhere goes to the node's root provider. */
function correctedAmounts({ own, sized, changed, wanted, node }: Correction): PlannedWrite {
  const amounts = new Map([...amountsOf(own)].map(([provider, resources]) => [provider, new Map(resources)]));
  for (const name of changed) {
    const holders = sized.filter(({ resources }) => resources.has(name));
    if (holders.length > 1) return { unrepairable: `${name} is on ${holders.length} providers.` };
    const provider = holders[0]?.providerUuid ?? node;
    if (provider === undefined) return { unrepairable: 'The compute node of the instance is not known.' };
    const resources = amounts.get(provider) ?? new Map<string, number>();
    amounts.set(provider, resources);
    const amount = wanted.get(name) ?? 0;
    if (amount > 0) resources.set(name, amount);
    else resources.delete(name);
  }
  for (const [provider, resources] of amounts) if (resources.size === 0) amounts.delete(provider);
  return amounts.size === 0 ? { unrepairable: 'The flavor needs no resources.' } : { amounts };
}

/** Uuid of the root provider. Nodes of one host, as of Ironic, differ by name. */
function ownNodeOf({ host, node }: AuditedInstance, nodes: NodeIndex): string | undefined {
  if (host === null) return undefined;
  return nodes.ofHost(host).find((candidate) => node === null || candidate.node === node)?.uuid;
}

const amountsOf = (shares: readonly ConsumerShareOfTree[]): Amounts =>
  new Map(shares.map(({ providerUuid, resources }) => [providerUuid, resources]));

const hostsOf = (shares: readonly ConsumerShareOfTree[], nodes: NodeIndex): string =>
  [...new Set(shares.map(({ rootUuid }) => hostOf(nodes.find(rootUuid))))].join(', ');

const hostOf = (node: AuditedNode | undefined): string =>
  node === undefined ? 'another provider' : (node.host ?? `the deleted node ${node.node}`);
