// A described cloud and a request for it. Accepts the registries' documents in the form of requests and of responses,
// so the data of a running service can be sent unchanged.
import 'reflect-metadata';
import { IsBoolean, IsIn, IsObject } from 'class-validator';
import { FlavorDefinitionDto } from '../../compute/flavors/flavors.schema';
import { HostAggregateDto } from '../../compute/host-aggregates/host-aggregates.schema';
import { HostReportDto } from '../../compute/hosts/hosts.schema';
import { ImageDefinitionDto } from '../../compute/images/images.schema';
import {
  IsCount,
  IsDocument,
  IsListOf,
  IsName,
  IsText,
  IsTexts,
  IsUuid,
  MayBeAbsent,
  MayBeNull,
} from '../../compute/registry-schema';
import { ServerGroupDto } from '../../compute/server-groups/server-groups.schema';
import type { RecordBody } from '../../placement/inventories/inventories.schema';
import { RECORD } from '../../placement/inventories/inventories.schema';
import { SEARCH_LIMITS, WRITE_LIMITS } from '../../platform/config/limits/placement';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { MatchesSchema } from '../../platform/http/dto-rules';
import type { SchemaNode } from '../../platform/microversion/versioned-schema';
import { SelectDestinationsDto } from '../request/request.schema';

const NAME = /^[A-Z0-9_]{1,255}$/;
const { hostsPerSimulation, providersPerSimulation } = SCHEDULER_LIMITS;

/** ISO 8601. */
const IsTime = (): PropertyDecorator => MatchesSchema({ type: 'string', format: 'time-like' });

/** An object keyed by resource class. */
const IsByClass = (schema: SchemaNode): PropertyDecorator =>
  MatchesSchema({
    type: 'object',
    maxProperties: WRITE_LIMITS.inventoriesPerProvider,
    propertyNames: { pattern: NAME.source },
    additionalProperties: schema,
  });

/** Further members of registry documents, which have no effect here. */
class ShownDto {
  @MayBeAbsent() @IsCount() readonly generation?: number;
  @MayBeNull() @IsText() readonly created_at?: string | null;
  @MayBeNull() @IsText() readonly updated_at?: string | null;
}

/** A host: its report and its service. Without `last_seen_up` the last report is from now. */
export class SimulatedHostDto extends HostReportDto {
  @IsName() readonly host!: string;
  /** Defaults to the host's name. */
  @MayBeAbsent() @IsName() readonly node?: string;
  @MayBeAbsent() @IsIn(['enabled', 'disabled']) readonly status?: 'enabled' | 'disabled';
  @MayBeNull() @IsText() readonly disabled_reason?: string | null;
  @MayBeAbsent() @IsBoolean() readonly forced_down?: boolean;
  @MayBeNull() @IsTime() readonly last_seen_up?: string | null;
  /** Derived from other fields. */
  @MayBeAbsent() @IsIn(['up', 'down']) readonly state?: string;
  @MayBeAbsent() @IsTime() readonly reported_at?: string;
  @MayBeAbsent() @IsCount() readonly generation?: number;
  @MayBeNull() @IsText() readonly created_at?: string | null;
  @MayBeNull() @IsText() readonly updated_at?: string | null;
}

export class SimulatedAggregateDto extends HostAggregateDto {
  @MayBeNull() @IsText() readonly created_at?: string | null;
  @MayBeNull() @IsText() readonly updated_at?: string | null;
}

/** A server group. Its hosts are the given ones and those that list one of its members. */
export class SimulatedGroupDto extends ServerGroupDto {
  @MayBeAbsent() @IsTexts(SCHEDULER_LIMITS.membersPerGroup) readonly hosts?: readonly string[];
  @MayBeNull() @IsText() readonly created_at?: string | null;
  @MayBeNull() @IsText() readonly updated_at?: string | null;
}

class SimulatedFlavorDto extends FlavorDefinitionDto {
  @MayBeNull() @IsText() readonly created_at?: string | null;
  @MayBeNull() @IsText() readonly updated_at?: string | null;
}

class SimulatedImageDto extends ImageDefinitionDto {
  @MayBeNull() @IsText() readonly created_at?: string | null;
  @MayBeNull() @IsText() readonly updated_at?: string | null;
}

/** A resource provider with its inventories, traits, aggregates and usages. */
export class SimulatedProviderDto extends ShownDto {
  @IsUuid() readonly uuid!: string;
  @IsName() readonly name!: string;
  @MayBeNull() @IsUuid() readonly parent_uuid?: string | null;
  /** The same field, by its name in the Placement API. */
  @MayBeNull() @IsUuid() readonly parent_provider_uuid?: string | null;
  @MayBeNull() @IsUuid() readonly root_provider_uuid?: string | null;
  @MayBeAbsent()
  @IsByClass({ type: 'object', properties: RECORD, required: ['total'], additionalProperties: false })
  readonly inventories?: Readonly<Record<string, RecordBody>>;
  @MayBeAbsent() @IsTexts(WRITE_LIMITS.traitsPerProvider) readonly traits?: readonly string[];
  @MayBeAbsent() @IsTexts(WRITE_LIMITS.aggregatesPerProvider) readonly aggregates?: readonly string[];
  /** The allocated amounts of the inventories. */
  @MayBeAbsent()
  @IsByClass(RECORD.reserved)
  readonly used?: Readonly<Record<string, number>>;
}

/** A claim scripted to fail: for the instance with this index or all; on this node or on all nodes of the host. */
export class FailingClaimDto {
  @IsName() readonly host!: string;
  @MayBeNull() @IsName() readonly node?: string | null;
  @MayBeNull() @IsCount(0, SCHEDULER_LIMITS.instancesPerRequest) readonly index?: number | null;
}

class SimulatedClaimsDto {
  @MayBeAbsent()
  @IsListOf(() => FailingClaimDto, SEARCH_LIMITS.candidates)
  readonly fail?: readonly FailingClaimDto[];
}

/** The body of POST /scheduler/simulate, or a line for `berth simulate`. */
export class SimulationDto {
  /** Options by group and name, as in the configuration; others have their defaults. */
  @MayBeAbsent() @IsObject() readonly config?: Readonly<Record<string, unknown>>;
  @MayBeAbsent() @IsListOf(() => SimulatedHostDto, hostsPerSimulation) readonly hosts?: readonly SimulatedHostDto[];
  @MayBeAbsent()
  @IsListOf(() => SimulatedAggregateDto, hostsPerSimulation)
  readonly host_aggregates?: readonly SimulatedAggregateDto[];
  @MayBeAbsent()
  @IsListOf(() => SimulatedGroupDto, SCHEDULER_LIMITS.listMax)
  readonly server_groups?: readonly SimulatedGroupDto[];
  @MayBeAbsent()
  @IsListOf(() => SimulatedFlavorDto, SCHEDULER_LIMITS.listMax)
  readonly flavors?: readonly SimulatedFlavorDto[];
  @MayBeAbsent()
  @IsListOf(() => SimulatedImageDto, SCHEDULER_LIMITS.listMax)
  readonly images?: readonly SimulatedImageDto[];
  /** Absent or null: every host has a root provider with the inventory of its report. */
  @MayBeNull()
  @IsListOf(() => SimulatedProviderDto, providersPerSimulation)
  readonly providers?: readonly SimulatedProviderDto[] | null;

  @MayBeNull() @IsDocument(() => SimulatedClaimsDto) readonly claims?: SimulatedClaimsDto | null;

  /** The current time; defaults to the latest time of a host in the document. */
  @MayBeNull() @IsTime() readonly now?: string | null;

  @IsDocument(() => SelectDestinationsDto) readonly request!: SelectDestinationsDto;
}
