// The Placement requests of flavors without an image or a project: the same translation as in a decision, for reports
// that check many flavors against the cloud. Makes and stores no decision.

import { Inject, Injectable } from '@nestjs/common';
import type { RegisteredFlavor } from '../../compute/flavors/flavor.entity';
import { FlavorsService } from '../../compute/flavors/flavors.service';
import type { ResourceRequest } from '../../placement/candidate-search';
import { REPORT_LIMITS } from '../../platform/config/limits/reports';
import { Database } from '../../platform/database/database';
import { DomainError } from '../../platform/values/errors';
import { tenantAggregatePrefilter } from '../../scheduling-rules/prefilters/tenant-aggregate.prefilter';
import { SchedulerPipeline } from '../assemble/scheduler-pipeline';
import type { HostSource } from '../ports';
import { HOST_SOURCE } from '../ports';
import { NOTHING_RESOLVED } from '../request/normalize-request';
import { withoutLimit } from './placement-search';
import { prefilter, translate, understand } from './translate-request';

/** A registered flavor and its Placement request for one instance, without a project. */
export interface FlavorRequest {
  readonly flavor: RegisteredFlavor;
  /** Without a limit. Null: the flavor is refused; `error` is the reason. */
  readonly request: ResourceRequest | null;
  /** The second query, for pinned CPUs on hosts with only shared ones; used if the first finds nothing. */
  readonly fallback: ResourceRequest | null;
  readonly error: string | null;
}

/** Reports ignore projects, so conditions about projects are not evaluated. */
const NO_OWNER = { project_id: '', user_id: '' };

/** The nil uuid for the instance and numbered uuids for its PCI requests, so every report gets the same ones. */
function distinctIds(): () => string {
  let made = 0;
  return () => `00000000-0000-0000-0000-${String(made++).padStart(12, '0')}`;
}

@Injectable()
export class FlavorRequests {
  constructor(
    private readonly db: Database,
    private readonly flavors: FlavorsService,
    private readonly pipeline: SchedulerPipeline,
    @Inject(HOST_SOURCE) private readonly hosts: HostSource,
  ) {}

  /** All registered flavors in order of creation, up to the limit; `isCut`: there are more. */
  async all(): Promise<{ readonly flavors: readonly FlavorRequest[]; readonly isCut: boolean }> {
    await this.hosts.refresh();
    const page = await this.flavors.list({}, { limit: REPORT_LIMITS.flavors, marker: undefined });
    return { flavors: page.items.map((flavor) => this.requestOf(flavor)), isCut: page.next !== null };
  }

  /** By id, otherwise by name; undefined: not found. */
  async named(idOrName: string): Promise<FlavorRequest | undefined> {
    await this.hosts.refresh();
    const flavor = await this.db.read((sql) => this.flavors.named(sql, idOrName));
    return flavor && this.requestOf(flavor);
  }

  /**
   * The request that the scheduler would send now. Call the hosts' `refresh` first, because prefilters read host
   * aggregates.
   */
  private requestOf(flavor: RegisteredFlavor): FlavorRequest {
    try {
      return { flavor, ...this.translated(flavor), error: null };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { flavor, request: null, fallback: null, error: error.message };
    }
  }

  private translated(flavor: RegisteredFlavor): Pick<FlavorRequest, 'request' | 'fallback'> {
    const { pipeline, hosts } = this;
    const body = { ...NO_OWNER, flavor: flavor.id, num_instances: 1 };
    const resolved = { ...NOTHING_RESOLVED, flavor };
    const { spec } = understand(body, pipeline, { resolved, newUuid: distinctIds() });
    const { added, refusal } = prefilter(spec, pipeline, { hosts, without: tenantAggregatePrefilter.name });
    if (refusal !== null) throw new DomainError('scheduler.no_valid_host', refusal.message);
    const { request, fallback } = withoutLimit(translate(spec, pipeline, { added, hosts }));
    return { request, fallback };
  }
}
