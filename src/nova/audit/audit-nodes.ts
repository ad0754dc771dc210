// Compares each compute node of nova with its root provider: whether it exists, its aggregates, and the trait of a
// disabled service. Placement's aggregates that nova does not have, such as those of shared storage, are left alone.
import { NotFound } from '../../platform/values/errors';
import type { AuditFinding, Problem, RepairOutcome } from './findings';
import type { AuditedAggregate, AuditedNode, NodeIndex } from './nova-records';
import type { ProviderTrees } from './provider-trees';
import { allocationsOn } from './provider-trees';
import type { AuditParts } from './repair';
import { CHANGED, left, outcomeOf } from './repair';

interface NodeAudit extends AuditParts {
  readonly nodes: NodeIndex;
  readonly trees: ProviderTrees;
}

/** nova-compute sets it while the service is disabled. */
const DISABLED = 'COMPUTE_STATUS_DISABLED';

export async function* auditNodes(audit: NodeAudit): AsyncGenerator<AuditFinding> {
  const novas = await audit.records.aggregates();
  const unreadable = new Set(audit.records.unreadable.map(({ id }) => id));
  for (const node of audit.nodes.live()) {
    if (unreadable.has(node.cell)) continue;
    const verdict = await judgeAggregates(audit, node, novas);
    if (verdict === undefined) {
      const repair = audit.isToFix ? left('Only nova-compute can create the provider.') : null;
      yield { ...(await withoutProvider(audit, node, novas)), repair };
      continue;
    }
    if (verdict.problems.length > 0) {
      const repair = audit.isToFix ? await repairAggregates(audit, node, verdict) : null;
      for (const problem of verdict.problems) yield { ...problem, repair };
    }
    const status = await judgeStatus(audit, node, node.isDisabled);
    if (status !== null) yield { ...status.problem, repair: audit.isToFix ? await repairStatus(audit, node) : null };
  }
}

const aggregatesOf = ({ host }: AuditedNode, novas: readonly AuditedAggregate[]): readonly AuditedAggregate[] =>
  novas.filter(({ hosts }) => host !== null && hosts.includes(host));

/** Undefined: the node has no provider. */
async function judgeAggregates({ aggregates }: NodeAudit, node: AuditedNode, novas: readonly AuditedAggregate[]) {
  const own = aggregatesOf(node, novas);
  const current = await existing(aggregates.get(node.uuid));
  if (current === undefined) return undefined;
  const { uuid: subject, host } = node;
  const there = new Set(current.aggregates);
  const missing = own.filter(({ uuid }) => !there.has(uuid));
  const surplus = novas.filter((aggregate) => there.has(aggregate.uuid) && !own.includes(aggregate));
  const removed = new Set(surplus.map(({ uuid }) => uuid));
  const kept = current.aggregates.filter((uuid) => !removed.has(uuid));
  const problems = [
    ...missing.map(({ name }): Problem => ({
      kind: 'aggregate-missing',
      subject,
      text: `host ${host} is in aggregate ${name}, but its provider is not.`,
      remedy: 'Add the aggregate to the provider.',
    })),
    ...surplus.map(({ name }): Problem => ({
      kind: 'aggregate-surplus',
      subject,
      text: `host ${host} is not in aggregate ${name}, but its provider is.`,
      remedy: 'Remove the aggregate from the provider.',
    })),
  ];
  return { problems, wanted: [...kept, ...missing.map(({ uuid }) => uuid)], generation: current.generation };
}

async function repairAggregates(
  audit: NodeAudit,
  node: AuditedNode,
  before: { readonly problems: readonly Problem[] },
): Promise<RepairOutcome> {
  const again = await judgeAggregates(audit, node, await audit.records.aggregates());
  if (again === undefined || JSON.stringify(again.problems) !== JSON.stringify(before.problems)) return CHANGED;
  const { wanted: aggregates, generation: value } = again;
  const generation = { kind: 'expected', value } as const;
  return outcomeOf(() => audit.aggregates.replace({ provider: node.uuid, aggregates, generation }));
}

/** Null: the trait agrees with the service, or the node has no provider. */
async function judgeStatus({ traits }: NodeAudit, { uuid, host }: AuditedNode, isDisabled: boolean) {
  const current = await existing(traits.get(uuid));
  if (current === undefined) return null;
  const wanted = new Set(current.traits.map(({ name }) => name));
  if (wanted.has(DISABLED) === isDisabled) return null;
  if (isDisabled) wanted.add(DISABLED);
  else wanted.delete(DISABLED);
  const text = isDisabled
    ? `the compute service of host ${host} is disabled, but its provider does not have ${DISABLED}.`
    : `the compute service of host ${host} is enabled, but its provider has ${DISABLED}.`;
  const remedy = `${isDisabled ? 'Add the trait to' : 'Remove the trait from'} the provider.`;
  const problem: Problem = { kind: 'status', subject: uuid, text, remedy };
  return { problem, wanted, generation: current.generation };
}

async function repairStatus(audit: NodeAudit, node: AuditedNode): Promise<RepairOutcome> {
  const isDisabled = await audit.records.isDisabled(node);
  if (isDisabled !== node.isDisabled) return CHANGED;
  const again = await judgeStatus(audit, node, isDisabled);
  if (again === null) return CHANGED;
  const { wanted: traits, generation } = again;
  return outcomeOf(() => audit.traits.replace({ provider: node.uuid, traits, generation }));
}

/** nova-compute creates the provider of a node by its uuid, and cannot while another provider has the node's name. */
async function withoutProvider(
  { trees, allocations }: NodeAudit,
  node: AuditedNode,
  novas: readonly AuditedAggregate[],
): Promise<Problem> {
  const { uuid: subject, host, node: name } = node;
  const named = aggregatesOf(node, novas).map((aggregate) => aggregate.name);
  const also = named.length === 0 ? '' : `, so it is missing in ${named.join(', ')}`;
  const holder = trees.named(name);
  if (holder === undefined) {
    const text = `host ${host} has no resource provider${also}.`;
    return { kind: 'no-provider', subject, text, remedy: `Start nova-compute on ${host}.` };
  }
  const text =
    `host ${host} has no resource provider${also}: its node has the uuid ${subject}, but provider ${holder.uuid}, ` +
    `with ${await allocationsOn(allocations, holder.uuid)}, has the node's name ${name}.`;
  const remedy =
    `Run: openstack resource provider set --name ${name}-old ${holder.uuid}; restart nova-compute on ${host}; ` +
    'then berth audit --fix, which moves the allocations and deletes the old provider.';
  return { kind: 'no-provider', subject, text, remedy };
}

/** Undefined if the provider does not exist. */
async function existing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
