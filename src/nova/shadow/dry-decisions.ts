// Decides stored requests of nova without a claim and without a record, as if their instances, and those that
// came after them, were not there.
import { randomUUID } from 'node:crypto';
import type { GraphSource } from '../../placement/allocation-candidates/graph-source';
import type { AllocationsService } from '../../placement/allocations/allocations.service';
import { HTTP_LIMITS } from '../../platform/config/limits/http';
import { validDocument } from '../../platform/http/dto-body.decorator';
import { DomainError } from '../../platform/values/errors';
import type { SchedulerPipeline } from '../../scheduler/assemble/scheduler-pipeline';
import type { Decided } from '../../scheduler/decide/decision-run';
import type { Claims, HostSource, ReferenceSource, SchedulerEnvironment } from '../../scheduler/ports';
import { SelectDestinationsDto } from '../../scheduler/request/request.schema';
import { SchedulerService } from '../../scheduler/scheduler.service';
import { GraphCandidates } from '../../scheduler/simulate/simulated-candidates';
import { requestBody } from '../decide/request-body';
import type { NovaRequestSpec } from '../objects/request-spec';
import type { Comparison } from './compare';
import { compare, exclusionOf, notComparable } from './compare';
import type { LaterInstance, NovaChoice } from './new-requests';
import { amountsOf, amountsOfLater, graphWithout, hostsWithout } from './without-instance';

export interface DryDecisionsParts {
  readonly pipeline: SchedulerPipeline;
  readonly graphs: Pick<GraphSource, 'current'>;
  readonly allocations: Pick<AllocationsService, 'wholeConsumers'>;
  readonly hosts: HostSource;
  readonly references: ReferenceSource;
  /** Never called: every decision is dry. */
  readonly claims: Claims;
  readonly env: SchedulerEnvironment;
  /** Other options, each with its pipeline: they are tried if the decisions differ. */
  readonly otherOptions: readonly { readonly setting: string; readonly pipeline: SchedulerPipeline }[];
}

/** A request of nova with the instances that came after it. */
interface PastRequest {
  readonly uuid: string;
  readonly spec: NovaRequestSpec;
  readonly later: readonly LaterInstance[];
}

/** The conductor's own user is not stored. */
const NO_OWNER = { userId: null, projectId: null };

export class DryDecisions {
  constructor(private readonly parts: DryDecisionsParts) {}

  async comparisonOf(past: PastRequest, choice: NovaChoice): Promise<Comparison> {
    const exclusion = exclusionOf(past.spec, choice);
    if (exclusion !== null) return notComparable(choice, exclusion);
    try {
      const comparison = compare(choice, await this.decided(past, this.parts.pipeline));
      if (comparison.verdict !== 'different') return comparison;
      for (const { setting, pipeline } of this.parts.otherOptions) {
        const { verdict } = compare(choice, await this.decided(past, pipeline));
        if (verdict !== 'same' && verdict !== 'equal') continue;
        return { ...comparison, reason: `${comparison.reason}; both choose the same with ${setting}` };
      }
      return comparison;
    } catch (error) {
      // Berth's own database can be busy or down for a moment.
      if (error instanceof DomainError) return notComparable(choice, error.message);
      throw error;
    }
  }

  private async decided({ uuid, spec, later }: PastRequest, pipeline: SchedulerPipeline): Promise<Decided> {
    const { graphs, allocations, hosts, references, claims, env } = this.parts;
    const absent = [...later.map((instance) => instance.uuid), uuid];
    await hosts.refresh();
    // The allocations before the graph: a graph that is newer frees too little, never too much.
    const consumers = await allocations.wholeConsumers(absent);
    const graph = graphWithout(await graphs.current(), consumers);
    const others = hostsWithout(hosts, [...later.map(amountsOfLater), amountsOf(uuid, spec)]);
    const scheduler = new SchedulerService(
      pipeline,
      new GraphCandidates({ current: graph }),
      others,
      references,
      claims,
      env,
    );
    const { body, ignored } = requestBody(await this.withMemberHosts(absent, spec), [uuid], NO_OWNER);
    return scheduler.decide({
      body: await validDocument(SelectDestinationsDto, body, HTTP_LIMITS.documentBytes),
      requestId: `req-${randomUUID()}`,
      dryRun: true,
      explains: 'always',
      alsoIgnored: ignored,
    });
  }

  /** nova's conductor sends the hosts of the other members, and does not store them. */
  private async withMemberHosts(absent: readonly string[], spec: NovaRequestSpec): Promise<NovaRequestSpec> {
    const { instanceGroup: group } = spec;
    if (group === null) return spec;
    const gone = new Set(absent.slice(0, -1));
    const members = group.members.filter((member) => !gone.has(member));
    const hosts = await this.parts.hosts.hostsOf(members.filter((member) => member !== absent.at(-1)));
    return { ...spec, instanceGroup: { ...group, members, hosts: [...hosts] } };
  }
}
