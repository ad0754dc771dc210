import { Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { created, noContent, ok, pathOf } from '../../../http/answer';
import type { Answer } from '../../../http/answer';
import { DtoBody } from '../../../http/dto-body.decorator';
import type { RequestContext } from '../../../http/request-context';
import { Context, Policy } from '../../../http/route.decorators';
import { listQueryOf, presentPage, refuseQuery } from '../registry-page';
import { refuseOtherUuid, uuidInPath } from '../registry-path';
import { invalidField } from '../registry-refusals';
import { textsOf } from '../registry-schema';
import type { MergeMap } from '../registry-schema';
import { presentHostAggregate } from './host-aggregates.presenter';
import { AddHostDto, HostAggregateDto, HostAggregatePatchDto, MetadataDto } from './host-aggregates.schema';
import { HostAggregatesService, ZONE_KEY } from './host-aggregates.service';
import type { AggregateDefinition } from './host-aggregates.service';

@Controller('scheduler/host_aggregates')
export class HostAggregatesController {
  constructor(private readonly aggregates: HostAggregatesService) {}

  @Get()
  @Policy('berth:scheduler:host_aggregates:list')
  async list(@Context() { queryText }: RequestContext): Promise<Answer> {
    const query = listQueryOf(queryText, ['name', 'host', 'zone']);
    const [name, host, zone] = ['name', 'host', 'zone'].map((each) => query.filters.get(each));
    return ok(
      presentPage('host_aggregates', await this.aggregates.list({ name, host, zone }, query), presentHostAggregate),
    );
  }

  @Post()
  @Policy('berth:scheduler:host_aggregates:create')
  async create(
    @DtoBody(HostAggregateDto) body: HostAggregateDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const aggregate = await this.aggregates.create(definitionOf(body), body.uuid?.toLowerCase());
    return created(pathOf('scheduler', 'host_aggregates', aggregate.uuid), presentHostAggregate(aggregate));
  }

  @Get(':uuid')
  @Policy('berth:scheduler:host_aggregates:show')
  async show(@Param('uuid') uuid: string, @Context() { queryText }: RequestContext): Promise<Answer> {
    refuseQuery(queryText);
    return ok(presentHostAggregate(await this.aggregates.get(uuidInPath('uuid', uuid))));
  }

  @Put(':uuid')
  @Policy('berth:scheduler:host_aggregates:update')
  async put(
    @Param('uuid') text: string,
    @DtoBody(HostAggregateDto) body: HostAggregateDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const uuid = uuidInPath('uuid', text);
    refuseOtherUuid(uuid, body.uuid);
    const { isNew, aggregate } = await this.aggregates.put(uuid, definitionOf(body), body.generation);
    const document = presentHostAggregate(aggregate);
    return isNew ? created(pathOf('scheduler', 'host_aggregates', uuid), document) : ok(document);
  }

  @Patch(':uuid')
  @Policy('berth:scheduler:host_aggregates:update')
  async change(
    @Param('uuid') uuid: string,
    @DtoBody(HostAggregatePatchDto) body: HostAggregatePatchDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const { name, generation } = body;
    const metadata = withZone(body.metadata ?? {}, body.availability_zone);
    const change = { name, metadata, generation };
    return ok(presentHostAggregate(await this.aggregates.change(uuidInPath('uuid', uuid), change)));
  }

  @Delete(':uuid')
  @Policy('berth:scheduler:host_aggregates:delete')
  async remove(@Param('uuid') uuid: string, @Context() { queryText }: RequestContext): Promise<Answer> {
    refuseQuery(queryText);
    await this.aggregates.remove(uuidInPath('uuid', uuid));
    return noContent();
  }

  @Post(':uuid/hosts')
  @HttpCode(200)
  @Policy('berth:scheduler:host_aggregates:add_host')
  async addHost(
    @Param('uuid') uuid: string,
    @DtoBody(AddHostDto) body: AddHostDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    return ok(presentHostAggregate(await this.aggregates.addHost(uuidInPath('uuid', uuid), body.host)));
  }

  @Delete(':uuid/hosts/:host')
  @Policy('berth:scheduler:host_aggregates:remove_host')
  async removeHost(
    @Param('uuid') uuid: string,
    @Param('host') host: string,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    await this.aggregates.removeHost(uuidInPath('uuid', uuid), host);
    return noContent();
  }

  @Patch(':uuid/metadata')
  @Policy('berth:scheduler:host_aggregates:set_metadata')
  async setMetadata(
    @Param('uuid') uuid: string,
    @DtoBody(MetadataDto) body: MetadataDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const { metadata, generation } = body;
    return ok(presentHostAggregate(await this.aggregates.change(uuidInPath('uuid', uuid), { metadata, generation })));
  }
}

function definitionOf(body: HostAggregateDto): AggregateDefinition {
  const metadata = withZone(body.metadata ?? {}, body.availability_zone);
  const kept = Object.entries(metadata).filter((entry): entry is [string, string] => entry[1] !== null);
  return { name: body.name, metadata: textsOf(Object.fromEntries(kept)), hosts: [...new Set(body.hosts ?? [])] };
}

/** The field and the metadata key are one thing; given as two different ones they contradict each other. */
function withZone(metadata: MergeMap, zone: string | null | undefined): MergeMap {
  if (zone === undefined) return metadata;
  const key = metadata[ZONE_KEY];
  if (key !== undefined && key !== zone) {
    throw invalidField('availability_zone', `it is '${zone}', and '${key}' in the metadata`);
  }
  return { ...metadata, [ZONE_KEY]: zone };
}
