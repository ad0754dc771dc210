// The details of one host: its tree with consumers, the sharing providers it can use, the latest decisions that mention
// it, and which flavors fit. Memory is read first; reads of the database use an index and have limits.
import { Injectable } from '@nestjs/common';
import type { InstanceRecord } from '../../compute/instances/instance.entity';
import { InstancesService } from '../../compute/instances/instances.service';
import { RegistriesConfig } from '../../compute/registries.config';
import { notFound } from '../../compute/registry-refusals';
import { AllocationsService } from '../../placement/allocations/allocations.service';
import type { TreeAllocations } from '../../placement/allocations/tree-allocations.loader';
import { ResourceProvidersService } from '../../placement/resource-providers/resource-providers.service';
import { REPORT_LIMITS } from '../../platform/config/limits/reports';
import { Database } from '../../platform/database/database';
import type { Caller } from '../../platform/event-loop/caller';
import { canonicalUuid } from '../../platform/values/uuid';
import type { SeenHost } from '../../scheduler/cloud/cloud-reader';
import { CloudReader } from '../../scheduler/cloud/cloud-reader';
import { InstanceCounts } from '../cloud/instance-counts';
import type { FlavorVerdict } from '../fit/flavor-fits';
import { FlavorFits, verdictsOn } from '../fit/flavor-fits';
import type { MentioningDecision } from './decision-mentions';
import { DecisionMentions } from './decision-mentions';

/** Consumers shown of one host, and rows of its tree that are read for them. */
const CONSUMERS_SHOWN = 250;
const TREE_ROWS = 20_000;

export interface HostDetail extends SeenHost {
  readonly serviceDownSeconds: number;
  /** Of the providers, by id. */
  readonly generations: ReadonlyMap<number, number>;
  readonly allocations: TreeAllocations;
  /** Instances that the scheduler placed here, by consumer. */
  readonly instances: ReadonlyMap<string, InstanceRecord>;
  readonly decisions: readonly MentioningDecision[];
  readonly flavors: readonly FlavorVerdict[];
  readonly isFlavorsCut: boolean;
}

@Injectable()
export class HostDetailService {
  constructor(
    private readonly db: Database,
    private readonly cloud: CloudReader,
    private readonly counts: InstanceCounts,
    private readonly providers: ResourceProvidersService,
    private readonly allocations: AllocationsService,
    private readonly placed: InstancesService,
    private readonly mentions: DecisionMentions,
    private readonly fits: FlavorFits,
    private readonly config: RegistriesConfig,
  ) {}

  /** By the uuid of any provider of its tree. Throws not_found, CallerGone. */
  async get(text: string, caller: Caller): Promise<HostDetail> {
    const uuid = canonicalUuid(text);
    const { flavors, isCut } = await this.fits.some(REPORT_LIMITS.flavorsJudged);
    const seen = uuid === undefined ? undefined : await this.cloud.find(uuid);
    if (seen === undefined) throw notFound(`resource provider ${text}`);
    const { graph, host, atMs } = seen;
    const { root } = host.tree;
    await this.counts.read([host], { atMs, roots: graph.rootIds.length });
    const bounds = { rows: TREE_ROWS, consumers: CONSUMERS_SHOWN };
    const allocations = await this.allocations.ofTree(root.id, bounds);
    const uuids = allocations.consumers.map((consumer) => consumer.uuid);
    return {
      ...seen,
      serviceDownSeconds: this.config.serviceDownSeconds,
      generations: await this.providers.generationsOfTree(root.id),
      allocations,
      instances: uuids.length === 0 ? new Map() : await this.db.read((sql) => this.placed.find(sql, uuids)),
      decisions: await this.mentions.of({ host: host.known.reported?.service.host ?? root.name, root: root.name }),
      flavors: await verdictsOn(graph, host, flavors, caller),
      isFlavorsCut: isCut,
    };
  }
}
