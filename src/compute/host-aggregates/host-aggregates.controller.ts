import { Controller, Delete, Param, Patch, Post } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { noContent } from '../../platform/http/answer';
import { TEXT } from '../../platform/http/answer-schemas';
import { DtoBody } from '../../platform/http/dto-body.decorator';
import { ClientFunction, json, NOTHING, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Audited, Context, Policy } from '../../platform/http/route.decorators';
import { ZONE_KEY } from '../../scheduling-rules/host-state/host-state';
import type { Written } from '../registry';
import type { ListQuery } from '../registry-page';
import { refuseQuery } from '../registry-page';
import { uuidInPath } from '../registry-path';
import { invalidField } from '../registry-refusals';
import type { MergeMap } from '../registry-schema';
import { textsOf } from '../registry-schema';
import { registryController } from '../registry.controller';
import type { RegisteredAggregate } from './host-aggregate.entity';
import { HOST_AGGREGATE } from './host-aggregates.responses';
import { AddHostDto, HostAggregateDto, HostAggregatePatchDto, MetadataDto } from './host-aggregates.schema';
import type { AggregateDefinition, AggregateFilter } from './host-aggregates.service';
import { HostAggregatesService } from './host-aggregates.service';

const Routes = registryController({
  service: HostAggregatesService,
  collection: 'host_aggregates',
  key: 'uuid',
  definition: HostAggregateDto,
  patch: HostAggregatePatchDto,
  document: HOST_AGGREGATE,
  audited: ['uuid', 'name', 'availability_zone', 'metadata', 'hosts', 'generation'],
  filters: { name: TEXT, host: TEXT, zone: TEXT },
});

@Controller('scheduler/host_aggregates')
export class HostAggregatesController extends Routes {
  constructor(readonly registry: HostAggregatesService) {
    super();
  }

  filterOf({ filters }: ListQuery): AggregateFilter {
    return { name: filters.last('name'), host: filters.last('host'), zone: filters.last('zone') };
  }

  definitionOf(body: HostAggregateDto): AggregateDefinition {
    const metadata = withZone(body.metadata ?? {}, body.availability_zone);
    const kept = Object.entries(metadata).filter((entry): entry is [string, string] => entry[1] !== null);
    return { name: body.name, metadata: textsOf(Object.fromEntries(kept)), hosts: [...new Set(body.hosts ?? [])] };
  }

  changed(uuid: string, body: HostAggregatePatchDto): Promise<Written<RegisteredAggregate>> {
    const metadata = withZone(body.metadata ?? {}, body.availability_zone);
    return this.registry.change(uuid, body.generation, { name: body.name, metadata });
  }

  @Post(':uuid/hosts')
  @Operation('addHostToAggregate', 'Puts a host into a host aggregate.', json(HOST_AGGREGATE.written))
  @ClientFunction('hostAggregates.addHost')
  @Policy('berth:scheduler:host_aggregates:add_host')
  @Audited('update/hosts', 'scheduler/host_aggregate', ['host', 'hosts', 'generation'])
  async addHost(
    @Param('uuid') uuid: string,
    @DtoBody(AddHostDto) body: AddHostDto,
    @Context() { queryText, auditContext }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    return this.answerOf(await this.registry.addHost(uuidInPath('uuid', uuid), body.host), auditContext);
  }

  @Delete(':uuid/hosts/:host')
  @Operation('removeHostFromAggregate', 'Takes a host out of a host aggregate.', NOTHING)
  @ClientFunction('hostAggregates.removeHost')
  @Policy('berth:scheduler:host_aggregates:remove_host')
  @Audited('update/hosts', 'scheduler/host_aggregate', ['hosts', 'generation'])
  async removeHost(
    @Param('uuid') uuid: string,
    @Param('host') host: string,
    @Context() { queryText, auditContext }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    this.noteAudit(await this.registry.removeHost(uuidInPath('uuid', uuid), host), auditContext);
    return noContent();
  }

  @Patch(':uuid/metadata')
  @Operation('setHostAggregateMetadata', 'Merges metadata into that of a host aggregate.', json(HOST_AGGREGATE.written))
  @ClientFunction('hostAggregates.setMetadata')
  @Policy('berth:scheduler:host_aggregates:set_metadata')
  @Audited('update/metadata', 'scheduler/host_aggregate', ['metadata', 'generation'])
  async setMetadata(
    @Param('uuid') uuid: string,
    @DtoBody(MetadataDto) body: MetadataDto,
    @Context() { queryText, auditContext }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const { metadata, generation } = body;
    return this.answerOf(await this.registry.change(uuidInPath('uuid', uuid), generation, { metadata }), auditContext);
  }
}

/** `availability_zone` and the metadata key have the same meaning. A body with two different values is refused. */
function withZone(metadata: MergeMap, zone: string | null | undefined): MergeMap {
  if (zone === undefined) return metadata;
  const key = metadata[ZONE_KEY];
  if (key !== undefined && key !== zone) {
    throw invalidField('availability_zone', `is '${zone}', and '${key}' in the metadata`);
  }
  return { ...metadata, [ZONE_KEY]: zone };
}
