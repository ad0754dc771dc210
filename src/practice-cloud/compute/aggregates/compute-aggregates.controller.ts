// Host aggregates; their ids are the row ids in the database.
import { Delete, Get, Param, Post, Put } from '@nestjs/common';
import type { RegisteredAggregate } from '../../../compute/host-aggregates/host-aggregate.entity';
import { HostAggregatesService } from '../../../compute/host-aggregates/host-aggregates.service';
import { allOf } from '../../../compute/registry-page';
import type { Answer } from '../../../platform/http/answer';
import { DtoBody } from '../../../platform/http/dto-body.decorator';
import { NOTHING, Operation } from '../../../platform/http/operation.decorator';
import { Audited, EveryRoute, Policy } from '../../../platform/http/route.decorators';
import { Conflict, NotFound } from '../../../platform/values/errors';
import { bodyFault } from '../../../platform/values/field-fault';
import { ZONE_KEY } from '../../../scheduling-rules/host-state/host-state';
import { PracticeController } from '../../practice-cloud.decorators';
import { holding, listing } from '../../practice-cloud.responses';
import type { ComputeRequest } from '../compute-request';
import { ComputeCall } from '../compute-request';
import { ComputeHosts } from '../hypervisors/compute-hosts.service';
import { presentComputeAggregate, presentNewAggregate } from './compute-aggregates.presenter';
import { AggregateActionBody, AggregateChangeBody, NewAggregateBody } from './compute-aggregates.schema';

@PracticeController('compute/v2.1/os-aggregates')
@EveryRoute(Policy('berth:practice_cloud:compute:aggregates'))
export class ComputeAggregatesController {
  constructor(
    private readonly aggregates: HostAggregatesService,
    private readonly hosts: ComputeHosts,
  ) {}

  @Get()
  @Operation('listComputeAggregates', 'Lists host aggregates.', listing('aggregates'))
  async list(@ComputeCall() { api }: ComputeRequest): Promise<object> {
    const all = await allOf((page) => this.aggregates.list({}, page));
    return { aggregates: all.map((aggregate) => presentComputeAggregate(aggregate, api)) };
  }

  @Post()
  @Operation('createComputeAggregate', 'Creates a host aggregate.', holding('aggregate'))
  @Audited('create', 'compute/host_aggregate')
  async create(
    @DtoBody(NewAggregateBody) { aggregate: { name, availability_zone: zone } }: NewAggregateBody,
    @ComputeCall() { api }: ComputeRequest,
  ): Promise<object> {
    const metadata = zone === undefined || zone === null ? {} : { [ZONE_KEY]: zone };
    const { document } = await this.aggregates.create({ name, metadata, hosts: [] });
    return { aggregate: presentNewAggregate(document, api) };
  }

  @Get(':id')
  @Operation('showComputeAggregate', 'Shows a host aggregate.', holding('aggregate'))
  async show(@Param('id') id: string, @ComputeCall() { api }: ComputeRequest): Promise<object> {
    return shown(await this.named(id), api);
  }

  @Put(':id')
  @Operation('updateComputeAggregate', 'Changes name and zone of a host aggregate.', holding('aggregate'))
  @Audited('update', 'compute/host_aggregate')
  async change(
    @Param('id') id: string,
    @DtoBody(AggregateChangeBody) { aggregate: { name, availability_zone: zone } }: AggregateChangeBody,
    @ComputeCall() { api }: ComputeRequest,
  ): Promise<object> {
    const { uuid } = await this.named(id);
    const metadata = zone === undefined ? {} : { [ZONE_KEY]: zone };
    return shown((await this.aggregates.change(uuid, undefined, { name, metadata })).document, api);
  }

  @Delete(':id')
  @Operation('deleteComputeAggregate', 'Deletes a host aggregate that has no hosts.', { 200: NOTHING })
  @Audited('delete', 'compute/host_aggregate')
  async remove(@Param('id') id: string): Promise<Answer> {
    await this.aggregates.remove((await this.named(id)).uuid);
    return { status: 200 };
  }

  @Post(':id/action')
  @Operation(
    'changeComputeAggregate',
    'Adds a host to an aggregate, removes one, or sets its metadata.',
    holding('aggregate'),
  )
  @Audited('update', 'compute/host_aggregate')
  async act(
    @Param('id') id: string,
    @DtoBody(AggregateActionBody) body: AggregateActionBody,
    @ComputeCall() { api }: ComputeRequest,
  ): Promise<object> {
    if (Object.keys(body).length !== 1) {
      throw bodyFault('', 'must have one of add_host, remove_host and set_metadata');
    }
    return shown(await this.changed(await this.named(id), body), api);
  }

  private async changed(
    before: RegisteredAggregate,
    { add_host: added, remove_host: removed, set_metadata: set }: AggregateActionBody,
  ): Promise<RegisteredAggregate> {
    const { uuid, rowId, hosts } = before;
    if (added !== undefined) {
      await this.hosts.refuseUnknown(added.host);
      if (hosts.includes(added.host)) throw new Conflict(`Aggregate ${rowId} already has host ${added.host}.`);
      return (await this.aggregates.addHost(uuid, added.host)).document;
    }
    if (removed !== undefined) return (await this.aggregates.removeHost(uuid, removed.host)).document;
    return (await this.aggregates.change(uuid, undefined, { metadata: set?.metadata })).document;
  }

  private named(id: string): Promise<RegisteredAggregate> {
    if (!/^\d{1,15}$/.test(id)) throw new NotFound(`Aggregate ${id} could not be found.`);
    return this.aggregates.numbered(Number(id));
  }
}

const shown = (aggregate: RegisteredAggregate, api: ComputeRequest['api']): object => ({
  aggregate: presentComputeAggregate(aggregate, api),
});
