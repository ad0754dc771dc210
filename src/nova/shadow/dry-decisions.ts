// Decides stored requests of nova without a claim and without a record, as if their instances were not there.
import { randomUUID } from 'node:crypto';
import type { GraphSource } from '../../placement/allocation-candidates/graph-source';
import type { AllocationsService } from '../../placement/allocations/allocations.service';
import { HTTP_LIMITS } from '../../platform/config/limits/http';
import { validDocument } from '../../platform/http/dto-body.decorator';
import { DomainError } from '../../platform/values/errors';
import type { SchedulerPipeline } from '../../scheduler/assemble/scheduler-pipeline';
import type { Claims, HostSource, ReferenceSource, SchedulerEnvironment } from '../../scheduler/ports';
import { SelectDestinationsDto } from '../../scheduler/request/request.schema';
import type { Decided } from '../../scheduler/scheduler.service';
import { SchedulerService } from '../../scheduler/scheduler.service';
import { GraphCandidates } from '../../scheduler/simulate/simulated-candidates';
import type { NovaFacts } from '../cells/nova-facts';
import { requestBody } from '../decide/request-body';
import type { NovaRequestSpec } from '../objects/request-spec-view';
import type { Comparison } from './compare';
import { compare, exclusionOf, notComparable } from './compare';
import type { NovaChoice } from './new-requests';
import { graphWithout, hostsWithout } from './without-instance';

interface DryDecisionParts {
  readonly pipeline: SchedulerPipeline;
  readonly graphs: Pick<GraphSource, 'current'>;
  readonly allocations: Pick<AllocationsService, 'wholeConsumers'>;
  readonly hosts: HostSource;
  readonly references: ReferenceSource;
  /** Never called: every decision is dry. */
  readonly claims: Claims;
  readonly env: SchedulerEnvironment;
  readonly facts: Pick<NovaFacts, 'isCounted'>;
}

/** The conductor's own user is not stored. */
const NO_OWNER = { userId: null, projectId: null };

export class DryDecisions {
  constructor(private readonly parts: DryDecisionParts) {}

  async comparisonOf(uuid: string, spec: NovaRequestSpec, choice: NovaChoice): Promise<Comparison> {
    const exclusion = exclusionOf(spec, choice);
    if (exclusion !== null) return notComparable(choice, exclusion);
    try {
      return compare(choice, await this.decided(uuid, spec, choice));
    } catch (error) {
      // Berth's own database can be busy or down for a moment.
      if (error instanceof DomainError) return notComparable(choice, error.message);
      throw error;
    }
  }

  private async decided(uuid: string, spec: NovaRequestSpec, choice: NovaChoice): Promise<Decided> {
    const { pipeline, graphs, allocations, hosts, references, claims, env, facts } = this.parts;
    await hosts.refresh();
    // The allocations before the graph: a graph that is newer frees too little, never too much.
    const [consumer] = await allocations.wholeConsumers([uuid]);
    const graph = graphWithout(await graphs.current(), consumer);
    const [host, node] = choice.kind === 'host' ? [choice.host, choice.node] : [null, null];
    const isCounted = host !== null && facts.isCounted(host, uuid);
    const others = hostsWithout(hosts, { uuid, spec, host, node, isCounted });
    const scheduler = new SchedulerService(pipeline, new GraphCandidates(graph), others, references, claims, env);
    const { body, ignored } = requestBody(await this.withMemberHosts(uuid, spec), [uuid], NO_OWNER);
    return scheduler.decide({
      body: await validDocument(SelectDestinationsDto, body, HTTP_LIMITS.documentBytes),
      requestId: `req-${randomUUID()}`,
      dryRun: true,
      mode: 'first',
      explains: 'always',
      returnAlternates: false,
      seed: undefined,
      alsoIgnored: ignored,
    });
  }

  /** nova's conductor sends the hosts of the other members, and does not store them. */
  private async withMemberHosts(uuid: string, spec: NovaRequestSpec): Promise<NovaRequestSpec> {
    const { instanceGroup: group } = spec;
    if (group === null) return spec;
    const hosts = await this.parts.hosts.hostsOf(group.members.filter((member) => member !== uuid));
    return { ...spec, instanceGroup: { ...group, hosts: [...hosts] } };
  }
}
