// An audit of Placement against nova: consumers first, then instances without allocations, then the providers of nodes,
// then providers without a node. Leftovers are released before missing allocations are created, so that these find room.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ConsumerWrite } from '../../placement/allocations/allocations.commands';
import type { WholeConsumer } from '../../placement/allocations/consumer-pages.loader';
import { NOVA_LIMITS } from '../cells/limits';
import { auditNodes } from './audit-nodes';
import type { AuditFinding, LeftOut, Problem, RepairOutcome } from './findings';
import { showAmounts } from './findings';
import type { AuditView, PlannedWrite, Verdict } from './judge-consumer';
import { isBusy, judgeConsumer, plannedFor } from './judge-consumer';
import type { AuditedInstance, KnownConsumer, NodeIndex } from './nova-records';
import { auditStrays, deletedNodeOf, ProviderTrees } from './provider-trees';
import type { AuditParts } from './repair';
import { CHANGED, isSameVerdict, left, outcomeOf } from './repair';

/** nova's consumers of a build have this type in Berth. */
const INSTANCE_TYPE = 'INSTANCE';
const UNKNOWN: KnownConsumer = Object.freeze({ kind: 'unknown', wasDeleted: false });

export class Audit {
  private readonly leftOutCounts = new Map<string, number>();

  constructor(private readonly parts: AuditParts) {}

  /** What was not judged, after the findings. */
  get leftOut(): readonly LeftOut[] {
    const cells = this.parts.records.unreadable.map(({ name, reason, hosts }) => ({
      reason: `cell ${name} cannot be read, so its ${hosts} hosts were left out: ${reason}`,
      count: hosts,
    }));
    return [...cells, ...[...this.leftOutCounts].map(([reason, count]) => ({ reason, count }))];
  }

  async *findings(): AsyncGenerator<AuditFinding> {
    const { records, providers } = this.parts;
    // Placement first: nova writes the row of a node before its provider.
    const trees = await ProviderTrees.read(providers);
    const nodes = await records.nodes();
    // A cell that cannot be read can have the node of any provider.
    const strays = records.unreadable.length > 0 ? [] : trees.strays(nodes);
    for (const stray of strays) nodes.add(deletedNodeOf(stray));
    yield* this.auditConsumers(nodes);
    yield* this.auditInstances(nodes);
    yield* auditNodes({ ...this.parts, nodes, trees });
    yield* auditStrays({ ...this.parts, trees, strays });
  }

  private viewOf(nodes: NodeIndex): AuditView {
    return { nodes, unreadable: new Set(this.parts.records.unreadable.map(({ id }) => id)) };
  }

  private async *auditConsumers(nodes: NodeIndex): AsyncGenerator<AuditFinding> {
    const { allocations, isToFix } = this.parts;
    for (let last = 0; ;) {
      const page = await allocations.consumersAfter(last, NOVA_LIMITS.auditPageRows);
      // Placement first: nova writes its own record of a consumer before the allocations.
      const judged = await this.judge(page, nodes);
      for (const [consumer, verdict] of judged) {
        if (verdict.kind === 'left-out') this.countLeftOut(verdict.reason);
        if (verdict.kind !== 'wrong') continue;
        const repair = isToFix ? await this.repairConsumer(consumer, verdict, nodes) : null;
        for (const problem of verdict.problems) yield { ...problem, repair };
      }
      last = page.at(-1)?.id ?? last;
      if (page.length === 0) return;
      await yieldToEventLoop();
    }
  }

  private async judge(
    consumers: readonly WholeConsumer[],
    nodes: NodeIndex,
  ): Promise<readonly (readonly [WholeConsumer, Verdict])[]> {
    if (consumers.length === 0) return [];
    const known = await this.parts.records.known(consumers.map(({ uuid }) => uuid));
    const view = this.viewOf(nodes);
    return consumers.map((consumer) => [consumer, judgeConsumer(consumer, known.get(consumer.uuid) ?? UNKNOWN, view)]);
  }

  private async repairConsumer(
    { uuid }: WholeConsumer,
    before: Extract<Verdict, { kind: 'wrong' }>,
    nodes: NodeIndex,
  ): Promise<RepairOutcome> {
    const [again] = await this.judge(await this.parts.allocations.wholeConsumers([uuid]), nodes);
    if (again === undefined || !isSameVerdict(before, again[1])) return CHANGED;
    const { generation, projectId, userId, consumerType } = again[0];
    return this.write(before.repair, {
      consumerUuid: uuid,
      projectId,
      userId,
      consumerType: consumerType ?? undefined,
      expectedGeneration: { kind: 'expect', generation },
    });
  }

  private async *auditInstances(nodes: NodeIndex): AsyncGenerator<AuditFinding> {
    const { records, isToFix } = this.parts;
    for await (const page of records.placedInstances()) {
      for (const instance of await this.withoutAllocations(page)) {
        const planned = plannedFor(instance, nodes);
        if ('amounts' in planned && planned.amounts.size === 0) continue;
        const repair = isToFix ? await this.createMissing(instance, planned, nodes) : null;
        yield { ...missing(instance, planned), repair };
      }
      await yieldToEventLoop();
    }
  }

  /** Instances that an operation of nova changes now can have none for a moment. */
  private async withoutAllocations(instances: readonly AuditedInstance[]): Promise<readonly AuditedInstance[]> {
    const settled = instances.filter((instance) => !isBusy(instance) && !instance.isMoving && !instance.isHidden);
    if (settled.length === 0) return [];
    const found = await this.parts.allocations.providersOfConsumers(settled.map(({ uuid }) => uuid));
    return settled.filter(({ uuid }) => !found.has(uuid));
  }

  private async createMissing(
    { uuid, host, node }: AuditedInstance,
    before: PlannedWrite,
    nodes: NodeIndex,
  ): Promise<RepairOutcome> {
    const known = (await this.parts.records.known([uuid])).get(uuid);
    if (known?.kind !== 'instance') return CHANGED;
    const { instance } = known;
    if (isBusy(instance) || instance.isMoving || instance.host !== host || instance.node !== node) return CHANGED;
    const planned = plannedFor(instance, nodes);
    const same = (plan: PlannedWrite): Verdict => ({ kind: 'wrong', problems: [], repair: plan });
    if (!isSameVerdict(same(before), same(planned))) return CHANGED;
    return this.write(planned, {
      consumerUuid: uuid,
      projectId: instance.projectId,
      userId: instance.userId,
      consumerType: INSTANCE_TYPE,
      expectedGeneration: { kind: 'mustBeNew' },
    });
  }

  /** Writes planned amounts. Another writer since the read is a conflict of generations, which changes nothing. */
  private async write(planned: PlannedWrite, consumer: Omit<ConsumerWrite, 'allocations'>): Promise<RepairOutcome> {
    if ('unrepairable' in planned) return left(planned.unrepairable);
    return outcomeOf(() => this.parts.allocations.replace([{ ...consumer, allocations: planned.amounts }]));
  }

  private countLeftOut(reason: string): void {
    this.leftOutCounts.set(reason, (this.leftOutCounts.get(reason) ?? 0) + 1);
  }
}

function missing({ uuid, host }: AuditedInstance, planned: PlannedWrite): Problem {
  const text = `the instance is on ${host}, but it has no allocations.`;
  if ('unrepairable' in planned) return { kind: 'missing', subject: uuid, text, remedy: planned.unrepairable };
  const [amounts = new Map<string, number>()] = planned.amounts.values();
  return { kind: 'missing', subject: uuid, text, remedy: `Allocate ${showAmounts(amounts)} on ${host}.` };
}
