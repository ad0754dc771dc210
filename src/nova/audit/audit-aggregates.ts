// Compares the host aggregates of nova with the aggregates of the compute nodes' root providers. Placement's aggregates
// that nova does not have, such as those of shared storage, are left alone.
import type { AggregatesService } from '../../placement/aggregates/aggregates.service';
import { NotFound } from '../../platform/values/errors';
import type { AuditFinding, Problem } from './findings';
import type { AuditedAggregate, AuditedNode, NodeIndex, NovaRecords } from './nova-records';
import { CHANGED, writeAggregates } from './repair';

interface AggregateAudit {
  readonly records: NovaRecords;
  readonly nodes: NodeIndex;
  readonly aggregates: Pick<AggregatesService, 'get' | 'replace'>;
  readonly isToFix: boolean;
}

interface ProviderVerdict {
  readonly problems: readonly Problem[];
  readonly wanted: readonly string[];
  readonly generation: number;
}

export async function* auditAggregates(audit: AggregateAudit): AsyncGenerator<AuditFinding> {
  const novas = await audit.records.aggregates();
  const unreadable = new Set(audit.records.unreadable.map(({ id }) => id));
  for (const node of audit.nodes.live()) {
    if (unreadable.has(node.cell)) continue;
    const verdict = await judgeProvider(audit, node, novas);
    if (verdict.problems.length === 0) continue;
    const repair = audit.isToFix ? await repairProvider(audit, node, verdict) : null;
    for (const problem of verdict.problems) yield { ...problem, repair };
  }
}

async function judgeProvider(
  { aggregates }: AggregateAudit,
  node: AuditedNode,
  novas: readonly AuditedAggregate[],
): Promise<ProviderVerdict> {
  const own = novas.filter(({ hosts }) => node.host !== null && hosts.includes(node.host));
  const current = await aggregates.get(node.uuid).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
  const { uuid: subject, host } = node;
  if (current === undefined) {
    const named = own.map(({ name }) => name).join(', ');
    const also = own.length === 0 ? '' : `, so it is missing in ${named}`;
    const text = `host ${host} has no resource provider${also}.`;
    const problem: Problem = { kind: 'no-provider', subject, text, remedy: `Start nova-compute on ${host}.` };
    return { problems: [problem], wanted: [], generation: NO_PROVIDER };
  }
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

const NO_PROVIDER = -1;

async function repairProvider(
  audit: AggregateAudit,
  node: AuditedNode,
  before: ProviderVerdict,
): Promise<AuditFinding['repair']> {
  if (before.generation === NO_PROVIDER) return { state: 'left', reason: 'Only nova-compute can create the provider.' };
  const again = await judgeProvider(audit, node, await audit.records.aggregates());
  if (JSON.stringify(again.problems) !== JSON.stringify(before.problems)) return CHANGED;
  return writeAggregates(audit.aggregates, node.uuid, again);
}
