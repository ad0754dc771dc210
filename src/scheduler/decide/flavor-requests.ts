// What a flavor asks of placement for whoever has neither an image nor a project: the same translation that a decision
// makes, for reports that judge many flavors against the cloud at once. No decision is made, and none is written down.

import { Inject, Injectable } from '@nestjs/common';
import type { ResourceRequest } from '../../placement/candidate-search';
import type { RegisteredFlavor } from '../../compute/flavors/flavor.entity';
import { FlavorsService } from '../../compute/flavors/flavors.service';
import { REPORT_LIMITS } from '../../platform/config/limits';
import { Database } from '../../platform/database/database';
import { DomainError } from '../../platform/values/errors';
import { namedCpuPolicy } from '../../scheduling-rules/numa/cpu-policy';
import { runPrefilters } from '../../scheduling-rules/pipeline/run-prefilters';
import { tenantAggregatePrefilter } from '../../scheduling-rules/prefilters/tenant-aggregate.prefilter';
import {
  buildFallbackRequest,
  buildResourceRequest,
  requiredTraitsOf,
} from '../../scheduling-rules/request/resource-request';
import { SCHEDULER_PIPELINE } from '../assemble/scheduler-pipeline';
import type { SchedulerPipeline } from '../assemble/scheduler-pipeline';
import { HOST_SOURCE } from '../ports';
import type { HostSource } from '../ports';
import { normalizeRequest, NOTHING_RESOLVED } from '../request/normalize-request';

/** A registered flavor and what placement would be asked for one instance of it, by nobody in particular. */
export interface FlavorRequest {
  readonly flavor: RegisteredFlavor;
  /** Unlimited. Null: the flavor is refused, as `error` says. */
  readonly request: ResourceRequest | null;
  /** The second query, for pinned CPUs on hosts that only have shared ones; it counts where the first finds nothing. */
  readonly fallback: ResourceRequest | null;
  readonly error: string | null;
}

/** Whom the flavor is for does not matter; what is about projects is not asked. */
const NOBODY = { project_id: '', user_id: '' };

/** The nil uuid for the instance, and numbered ones for its PCI requests: the same for every report. */
function distinctIds(): () => string {
  let made = 0;
  return () => `00000000-0000-0000-0000-${String(made++).padStart(12, '0')}`;
}

@Injectable()
export class FlavorRequests {
  constructor(
    private readonly db: Database,
    private readonly flavors: FlavorsService,
    @Inject(SCHEDULER_PIPELINE) private readonly pipeline: SchedulerPipeline,
    @Inject(HOST_SOURCE) private readonly hosts: HostSource,
  ) {}

  /** All registered flavors in the order of their creation, as many as the bound allows; `isCut`: there are more. */
  async all(): Promise<{ readonly flavors: readonly FlavorRequest[]; readonly isCut: boolean }> {
    await this.hosts.refresh();
    const page = await this.flavors.list({}, { limit: REPORT_LIMITS.flavors, marker: undefined });
    return { flavors: page.items.map((flavor) => this.requestOf(flavor)), isCut: page.next !== null };
  }

  /** By id, else by name; undefined: there is none. */
  async named(idOrName: string): Promise<FlavorRequest | undefined> {
    await this.hosts.refresh();
    const flavor = await this.db.read((sql) => this.flavors.named(sql, idOrName));
    return flavor && this.requestOf(flavor);
  }

  /** As the scheduler would ask now. Needs `refresh` of the hosts, for prefilters look at host aggregates. */
  private requestOf(flavor: RegisteredFlavor): FlavorRequest {
    try {
      return { flavor, ...this.translated(flavor), error: null };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { flavor, request: null, fallback: null, error: error.message };
    }
  }

  private translated(flavor: RegisteredFlavor): Pick<FlavorRequest, 'request' | 'fallback'> {
    const { parts, options } = this.pipeline;
    const { novaCompat } = options;
    const { spec } = normalizeRequest(
      { ...NOBODY, flavor: flavor.id, num_instances: 1 },
      {
        newUuid: distinctIds(),
        reads: parts.reads,
        resolved: { ...NOTHING_RESOLVED, flavor },
        defaultScheduleZone: options.defaultScheduleZone,
        pciAliases: options.pciAliases,
        pciInPlacement: options.pciInPlacement,
        novaCompat,
        enabledParts: parts.names,
      },
    );
    const prefilters = parts.prefilters.filter(({ part }) => part.name !== tenantAggregatePrefilter.name);
    const { added, refusal } = runPrefilters(prefilters, spec, {
      cloud: this.hosts.cloud(),
      novaCompat,
      requiredTraits: () => requiredTraitsOf(spec, { novaCompat }),
    });
    if (refusal !== null) throw new DomainError('scheduler.no_valid_host', refusal.message);
    const given = { maxPlacementResults: options.maxPlacementResults, novaCompat, targets: null };
    const { request } = buildResourceRequest(spec, added, given);
    const hasFallback = namedCpuPolicy(spec.flavor, spec.image) === 'dedicated' && !options.disableFallbackPcpuQuery;
    const fallback = hasFallback ? buildFallbackRequest(spec, added, given) : null;
    return { request: { ...request, limit: null }, fallback: fallback && { ...fallback, limit: null } };
  }
}
