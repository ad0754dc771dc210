// Makes plans, keeps them for a week, and records the outcomes of their moves. Nothing is moved here.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AvailabilityZones } from '../../compute/availability-zones/availability-zones.loader';
import { HostAggregatesService } from '../../compute/host-aggregates/host-aggregates.service';
import type { Page, PageQuery } from '../../compute/registry-page';
import { allOf } from '../../compute/registry-page';
import { pageIn } from '../../compute/registry-page.sql';
import { notFound } from '../../compute/registry-refusals';
import { Database } from '../../platform/database/database';
import { DomainError } from '../../platform/values/errors';
import type { Uuid } from '../../platform/values/uuid';
import type { SchedulerCaller } from '../ports';
import { commandOf, drainedHosts, refuseOtherFields } from './plan-command';
import { planSentence } from './plan-sentence';
import type { ListedPlan, MoveOutcome, StoredPlan } from './plan.entity';
import { PlanningService } from './planning.service';
import * as repository from './plans.repository';
import type { PlanDto } from './plans.schema';

type NewPlan = Omit<StoredPlan, 'id'>;

@Injectable()
export class PlansService {
  constructor(
    private readonly db: Database,
    private readonly aggregates: HostAggregatesService,
    private readonly zones: AvailabilityZones,
    private readonly planning: PlanningService,
  ) {}

  /** Throws invalid_request. */
  async make(ask: PlanDto, caller: SchedulerCaller): Promise<NewPlan> {
    refuseOtherFields(ask);
    const aggregates = ask.host_aggregates === undefined ? [] : await allOf((page) => this.aggregates.list({}, page));
    const zones = ask.availability_zones === undefined ? [] : await this.zones.list(Date.now());
    const hosts = drainedHosts(ask, {
      host_aggregates: aggregates.map(({ name, uuid, hosts: members }) => [[name, uuid], members]),
      availability_zones: zones.map((zone) => [[zone.name], zone.hosts.map(({ host }) => host)]),
    });
    const command = commandOf(ask, hosts);
    const planned = await this.planning.plan(command, caller);
    const plan: NewPlan = {
      uuid: randomUUID(),
      requestId: caller.requestId,
      createdAtMs: Date.now(),
      head: {
        goal: ask.goal,
        sentence: planSentence(command, planned),
        isReached: planned.isReached,
        outcomes: countsOf(planned.moves.length, {}),
      },
      document: { ask, hosts, planned },
      outcomes: {},
    };
    await this.db.write((tx) => repository.insertPlan(tx, plan));
    return plan;
  }

  async list(page: PageQuery): Promise<Page<ListedPlan>> {
    return pageIn(await this.db.read(repository.allPlans), ({ uuid }) => uuid, page);
  }

  async get(uuid: Uuid): Promise<StoredPlan> {
    const plan = await this.db.read((sql) => repository.findPlan(sql, uuid));
    if (plan === undefined) throw noPlan(uuid);
    return plan;
  }

  async remove(uuid: Uuid): Promise<void> {
    if (!(await this.db.write((tx) => repository.removePlan(tx, uuid)))) throw noPlan(uuid);
  }

  /** Throws not_found; generation_conflict if the move is done, or has this state already. */
  report(uuid: Uuid, number: number, outcome: MoveOutcome): Promise<ListedPlan> {
    return this.db.write(async (tx) => {
      const plan = await repository.findPlan(tx, uuid, tx.dialect.forUpdate);
      if (plan === undefined) throw noPlan(uuid);
      const { moves } = plan.document.planned;
      if (moves[number - 1] === undefined) throw notFound(`move ${number} in plan ${uuid}`);
      const state = plan.outcomes[number]?.state ?? 'waiting';
      if (state === 'done' || state === outcome.state) {
        throw new DomainError('scheduler.generation_conflict', `Move ${number} is ${state} already.`);
      }
      const outcomes = { ...plan.outcomes, [number]: outcome };
      const reported = { ...plan, outcomes, head: { ...plan.head, outcomes: countsOf(moves.length, outcomes) } };
      await repository.updateOutcomes(tx, reported);
      return reported;
    });
  }
}

const noPlan = (uuid: Uuid): DomainError => notFound(`plan ${uuid}; plans are kept for a week`);

function countsOf(moves: number, outcomes: StoredPlan['outcomes']): StoredPlan['head']['outcomes'] {
  const counts = { waiting: moves, running: 0, done: 0, failed: 0, skipped: 0 };
  for (const { state } of Object.values(outcomes)) {
    counts.waiting -= 1;
    counts[state] += 1;
  }
  return counts;
}
