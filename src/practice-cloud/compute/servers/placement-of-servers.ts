// Places servers with the scheduler, and converts the result to the wording of the Compute API.
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../platform/values/errors';
import type { Uuid } from '../../../platform/values/uuid';
import type { DecideCommand } from '../../../scheduler/decide/decision-run';
import { explainsAt } from '../../../scheduler/decide/placement-search';
import { DecisionStore } from '../../../scheduler/decisions/decision-store';
import type { SchedulerCaller } from '../../../scheduler/ports';
import type { SelectDestinationsDto } from '../../../scheduler/request/request.schema';
import { SchedulerService } from '../../../scheduler/scheduler.service';
import type { DecisionSummary } from '../../../scheduling-rules/pipeline/decision';
import type { ServerFault, ServerRecord } from './server.entity';

/** A scheduler request without the uuids of the instances, which are added when it is sent. */
export type ServerRequest = Omit<SelectDestinationsDto, 'instances' | 'instance_names' | 'num_instances' | 'min_count'>;

/** The caller and the request id. */
export type ServerCaller = SchedulerCaller & { readonly requestId: string };

interface HowPlaced {
  readonly schedulerCaller: ServerCaller;
  readonly minCount: number;
  readonly alternates: boolean;
  readonly conclude?: DecideCommand['conclude'];
}

/** The sentence that nova clients look for. */
const NOVA_SENTENCE = 'No valid host was found. There are not enough hosts available.';

@Injectable()
export class PlacementOfServers {
  constructor(
    private readonly scheduler: SchedulerService,
    private readonly decisions: DecisionStore,
  ) {}

  /**
   * Returns the servers that found a host; `fault` says why the others did not. Throws if the request is refused before
   * the search for hosts; then no server is placed.
   */
  async place(
    request: ServerRequest,
    servers: readonly Pick<ServerRecord, 'uuid' | 'name'>[],
    { schedulerCaller, minCount, alternates, conclude }: HowPlaced,
  ): Promise<{ readonly placed: readonly Uuid[]; readonly fault: ServerFault | null }> {
    const uuids = servers.map(({ uuid }) => uuid);
    const names = Object.fromEntries(servers.map(({ uuid, name }) => [uuid, name]));
    const body: SelectDestinationsDto = { ...request, instances: uuids, instance_names: names, min_count: minCount };
    const decided = await this.scheduler.decide({
      body,
      requestId: schedulerCaller.requestId,
      caller: schedulerCaller,
      dryRun: false,
      explains: explainsAt('first'),
      returnAlternates: alternates,
      ...(conclude && { conclude }),
    });
    const { refusal, decision } = decided;
    this.decisions.keep(decision);
    if (refusal?.outcome === 'refused') throw new DomainError(refusal.code, refusal.message);
    if (refusal?.outcome === 'failed') throw new DomainError(refusal.code, decision.summary.userMessage);
    const placed = decided.placements.flatMap(({ instanceUuid, selected }) => (selected === null ? [] : instanceUuid));
    return { placed, fault: placed.length === uuids.length ? null : faultOf(decision.summary) };
  }
}

/** The message is for tenants, so it names no hosts. `details` has the whole sentence, for administrators. */
const faultOf = ({ sentence, userMessage }: DecisionSummary): ServerFault => ({
  message: `${NOVA_SENTENCE} ${userMessage}`,
  details: sentence,
  atMs: Date.now(),
});
