import { Delete, Get, Param, Post, Put } from '@nestjs/common';
import { knownQuery } from '../../../compute/registry-page';
import type { ScalarMap } from '../../../compute/registry-schema';
import type { Answer } from '../../../platform/http/answer';
import { byName, TEXT } from '../../../platform/http/answer-schemas';
import { DtoBody } from '../../../platform/http/dto-body.decorator';
import { json, NOTHING, Operation } from '../../../platform/http/operation.decorator';
import { Audited, Policy } from '../../../platform/http/route.decorators';
import { NotFound } from '../../../platform/values/errors';
import { bodyFault, shown as quoted } from '../../../platform/values/field-fault';
import { PAGE_PARAMETERS, pageQueryOf, queriedBoolean, queriedInteger, refuseOrder } from '../../practice-cloud-query';
import { PracticeController } from '../../practice-cloud.decorators';
import { FLAVOR_LIST, holding, listing, paged } from '../../practice-cloud.responses';
import { linkedPage } from '../compute-links';
import type { ComputeCaller, ComputeRequest } from '../compute-request';
import { ComputeCall, refuseBefore, refuseTooNew } from '../compute-request';
import { FlatJson } from '../flat-json';
import { presentAccess, presentComputeFlavor, presentFlavorName } from './compute-flavors.presenter';
import { ExtraSpecsBody, FlavorActionBody, FlavorDescriptionBody, NewFlavorBody } from './compute-flavors.schema';
import type { ComputeFlavor } from './compute-flavors.service';
import { ComputeFlavorsService } from './compute-flavors.service';

@PracticeController('compute/v2.1/flavors')
export class ComputeFlavorsController {
  constructor(private readonly flavors: ComputeFlavorsService) {}

  @Get()
  @Operation('listComputeFlavors', 'Lists names of flavors.', paged('flavors'), { query: FLAVOR_LIST })
  @Policy('berth:practice_cloud:compute:flavors:list')
  list(@ComputeCall() computeRequest: ComputeRequest) {
    return this.page(computeRequest, presentFlavorName);
  }

  @Get('detail')
  @Operation('listComputeFlavorDetails', 'Lists flavors.', paged('flavors'), { query: FLAVOR_LIST })
  @Policy('berth:practice_cloud:compute:flavors:list')
  detail(@ComputeCall() computeRequest: ComputeRequest) {
    return this.page(computeRequest, presentComputeFlavor);
  }

  @Post()
  @Operation('createComputeFlavor', 'Creates a flavor.', holding('flavor'))
  @Policy('berth:practice_cloud:compute:flavors:manage')
  @Audited('create', 'compute/flavor')
  async create(
    @DtoBody(NewFlavorBody) { flavor }: NewFlavorBody,
    @ComputeCall() computeRequest: ComputeRequest,
  ): Promise<object> {
    refuseTooNew('flavorDescription', computeRequest.api, { 'flavor.description': flavor.description });
    const made = await this.flavors.create({
      id: flavor.id === 'auto' ? undefined : flavor.id,
      name: flavor.name,
      vcpus: flavor.vcpus,
      memoryMb: flavor.ram,
      rootGb: flavor.disk,
      ephemeralGb: flavor['OS-FLV-EXT-DATA:ephemeral'] ?? 0,
      swapMb: flavor.swap ?? 0,
      extraSpecs: {},
      isPublic: flavor['os-flavor-access:is_public'] ?? true,
      description: flavor.description ?? null,
    });
    return shown(made, computeRequest);
  }

  @Get(':id')
  @Operation('showComputeFlavor', 'Shows a flavor.', holding('flavor'))
  @Policy('berth:practice_cloud:compute:flavors:list')
  async show(@Param('id') id: string, @ComputeCall() computeRequest: ComputeRequest): Promise<object> {
    return shown(await this.flavors.get(id, computeRequest.caller), computeRequest);
  }

  @Put(':id')
  @Operation('describeComputeFlavor', 'Changes the description of a flavor.', holding('flavor'))
  @Policy('berth:practice_cloud:compute:flavors:manage')
  @Audited('update', 'compute/flavor')
  async describe(
    @Param('id') id: string,
    @DtoBody(FlavorDescriptionBody) { flavor }: FlavorDescriptionBody,
    @ComputeCall() computeRequest: ComputeRequest,
  ): Promise<object> {
    refuseBefore('flavorDescription', computeRequest.api);
    return shown(await this.flavors.describe(id, flavor.description ?? null, computeRequest.caller), computeRequest);
  }

  @Delete(':id')
  @Operation('deleteComputeFlavor', 'Deletes a flavor that no server has.', { 202: NOTHING })
  @Policy('berth:practice_cloud:compute:flavors:manage')
  @Audited('delete', 'compute/flavor')
  async remove(@Param('id') id: string): Promise<Answer> {
    await this.flavors.remove(id);
    return { status: 202 };
  }

  @Get(':id/os-extra_specs')
  @Operation('listComputeFlavorExtraSpecs', 'Shows the extra specs of a flavor.', holding('extra_specs'))
  @Policy('berth:practice_cloud:compute:flavors:extra_specs')
  async extraSpecs(@Param('id') id: string, @ComputeCall() { caller }: ComputeRequest): Promise<object> {
    return { extra_specs: (await this.flavors.get(id, caller)).extraSpecs };
  }

  @Post(':id/os-extra_specs')
  @Operation('setComputeFlavorExtraSpecs', 'Sets extra specs of a flavor.', holding('extra_specs'))
  @Policy('berth:practice_cloud:compute:flavors:manage')
  @Audited('update/extra_specs', 'compute/flavor')
  async setExtraSpecs(
    @Param('id') id: string,
    @DtoBody(ExtraSpecsBody) { extra_specs: specs }: ExtraSpecsBody,
  ): Promise<object> {
    await this.flavors.setExtraSpecs(id, specs);
    return { extra_specs: specs };
  }

  @Get(':id/os-extra_specs/:key')
  @Operation('showComputeFlavorExtraSpec', 'Shows an extra spec of a flavor.', json(byName(TEXT)))
  @Policy('berth:practice_cloud:compute:flavors:extra_specs')
  async extraSpec(
    @Param('id') id: string,
    @Param('key') key: string,
    @ComputeCall() { caller }: ComputeRequest,
  ): Promise<object> {
    return { [key]: await this.specOf(id, key, caller) };
  }

  @Put(':id/os-extra_specs/:key')
  @Operation('setComputeFlavorExtraSpec', 'Sets an extra spec of a flavor.', json(byName(TEXT)), { body: byName(TEXT) })
  @Policy('berth:practice_cloud:compute:flavors:manage')
  @Audited('update/extra_specs', 'compute/flavor')
  async setExtraSpec(@Param('id') id: string, @Param('key') key: string, @FlatJson() body: ScalarMap): Promise<object> {
    const { [key]: value, ...others } = body;
    if (typeof value !== 'string' || Object.keys(others).length > 0) {
      throw bodyFault('', `must have the property '${quoted(key)}' alone, which the path names, and of type string`);
    }
    await this.flavors.setExtraSpecs(id, { [key]: value });
    return { [key]: value };
  }

  @Delete(':id/os-extra_specs/:key')
  @Operation('deleteComputeFlavorExtraSpec', 'Removes an extra spec of a flavor.', { 200: NOTHING })
  @Policy('berth:practice_cloud:compute:flavors:manage')
  @Audited('delete/extra_specs', 'compute/flavor')
  async removeExtraSpec(
    @Param('id') id: string,
    @Param('key') key: string,
    @ComputeCall() { caller }: ComputeRequest,
  ): Promise<Answer> {
    await this.specOf(id, key, caller);
    await this.flavors.setExtraSpecs(id, { [key]: null });
    return { status: 200 };
  }

  @Get(':id/os-flavor-access')
  @Operation('listComputeFlavorAccess', 'Lists the projects that a flavor is for.', listing('flavor_access'))
  @Policy('berth:practice_cloud:compute:flavors:manage')
  async access(@Param('id') id: string, @ComputeCall() { caller }: ComputeRequest): Promise<object> {
    return presentAccess(id, await this.flavors.access(id, caller));
  }

  @Post(':id/action')
  @Operation(
    'changeComputeFlavorAccess',
    'Adds a project to those that a flavor is for, or removes one.',
    listing('flavor_access'),
  )
  @Policy('berth:practice_cloud:compute:flavors:manage')
  @Audited('update/access', 'compute/flavor')
  async act(
    @Param('id') id: string,
    @DtoBody(FlavorActionBody) { addTenantAccess: added, removeTenantAccess: removed }: FlavorActionBody,
    @ComputeCall() { caller }: ComputeRequest,
  ): Promise<object> {
    if (added !== undefined && removed === undefined) {
      return presentAccess(id, await this.flavors.addAccess(id, added.tenant, caller));
    }
    if (removed !== undefined && added === undefined) {
      return presentAccess(id, await this.flavors.removeAccess(id, removed.tenant, caller));
    }
    throw bodyFault('', 'must have one of addTenantAccess and removeTenantAccess');
  }

  private async specOf(id: string, key: string, caller: ComputeCaller): Promise<string> {
    const { extraSpecs } = await this.flavors.get(id, caller);
    const value = extraSpecs[key];
    if (value === undefined) throw new NotFound(`Flavor ${id} has no extra specs with key ${key}.`);
    return value;
  }

  private async page(computeRequest: ComputeRequest, present: typeof presentFlavorName): Promise<object> {
    const { caller, api, context, links } = computeRequest;
    const query = knownQuery(context.queryText, [...PAGE_PARAMETERS, 'is_public', 'minRam', 'minDisk']);
    refuseOrder(query, { key: 'created_at', direction: 'asc' });
    const { limit, marker } = pageQueryOf(query);
    const isPublic = /^none$/i.test(query.last('is_public') ?? '')
      ? null
      : (queriedBoolean(query, 'is_public') ?? true);
    const least = { minRamMb: queriedInteger(query, 'minRam', 10), minDiskGb: queriedInteger(query, 'minDisk', 10) };
    const { items, next } = await this.flavors.list({ isPublic, ...least, limit, marker }, caller);
    return linkedPage(context, 'flavors', { items: items.map((flavor) => present(flavor, api, links)), next, limit });
  }
}

const shown = (flavor: ComputeFlavor, { api, links }: ComputeRequest): object => ({
  flavor: presentComputeFlavor(flavor, api, links),
});
