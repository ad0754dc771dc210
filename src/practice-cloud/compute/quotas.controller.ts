// Quotas and limits, which clients read before they create a resource. All are fixed; only metadata_items is limited.
import { Delete, Get, Param, Put } from '@nestjs/common';
import { allOf } from '../../compute/registry-page';
import type { ScalarMap } from '../../compute/registry-schema';
import { IsScalarMap } from '../../compute/registry-schema';
import { ServerGroupsService } from '../../compute/server-groups/server-groups.service';
import { SERVER_LIMITS } from '../../platform/config/limits/practice-cloud';
import type { Answer } from '../../platform/http/answer';
import { DtoBody } from '../../platform/http/dto-body.decorator';
import { NOTHING, Operation } from '../../platform/http/operation.decorator';
import { Audited, Policy } from '../../platform/http/route.decorators';
import { NotFound } from '../../platform/values/errors';
import { bodyFault, shown } from '../../platform/values/field-fault';
import { FacadeController } from '../facade.decorators';
import { holding } from '../facade.responses';
import type { ComputeRequest } from './compute-request';
import { ComputeCall } from './compute-request';
import { ServersService } from './servers/servers.service';

/** The value that the Compute API shows for "no limit". */
const UNLIMITED = -1;

const QUOTAS = {
  instances: UNLIMITED,
  cores: UNLIMITED,
  ram: UNLIMITED,
  metadata_items: SERVER_LIMITS.metadataKeys,
  key_pairs: UNLIMITED,
  server_groups: UNLIMITED,
  server_group_members: UNLIMITED,
} as const;

type Quota = keyof typeof QUOTAS;
type Usage = Readonly<Partial<Record<Quota, number>>>;

/** The body of PUT /os-quota-sets/{id}. */
class QuotaSetBody {
  @IsScalarMap() readonly quota_set!: ScalarMap;
}

@FacadeController('compute/v2.1')
export class ComputeQuotasController {
  constructor(
    private readonly servers: ServersService,
    private readonly groups: ServerGroupsService,
  ) {}

  @Get('limits')
  @Operation('showComputeLimits', 'Shows the limits of the project, and what it has.', holding('limits'))
  @Policy('berth:facade:compute:limits')
  async limits(@ComputeCall() { caller }: ComputeRequest): Promise<object> {
    const { instances, cores, ram, server_groups: groups } = await this.usageOf(caller.projectId);
    const absolute = {
      maxTotalInstances: QUOTAS.instances,
      maxTotalCores: QUOTAS.cores,
      maxTotalRAMSize: QUOTAS.ram,
      maxTotalKeypairs: QUOTAS.key_pairs,
      maxServerGroups: QUOTAS.server_groups,
      maxServerGroupMembers: QUOTAS.server_group_members,
      maxServerMeta: QUOTAS.metadata_items,
      totalInstancesUsed: instances,
      totalCoresUsed: cores,
      totalRAMUsed: ram,
      totalServerGroupsUsed: groups,
    };
    return { limits: { rate: [], absolute } };
  }

  @Get('os-quota-sets/:project_id')
  @Operation('showComputeQuotas', 'Shows the quotas of a project.', holding('quota_set'))
  @Policy('berth:facade:compute:quotas:show')
  show(@Param('project_id') id: string): object {
    return { quota_set: { id, ...QUOTAS } };
  }

  @Put('os-quota-sets/:project_id')
  @Operation('updateComputeQuotas', 'Accepts the quotas that are in force, and refuses others.', holding('quota_set'))
  @Policy('berth:facade:compute:quotas:update')
  @Audited('update', 'compute/quota')
  update(@DtoBody(QuotaSetBody) { quota_set: { force: _force, ...requestedQuotas } }: QuotaSetBody): object {
    for (const [name, value] of Object.entries(requestedQuotas)) refuseChange(name, value);
    return { quota_set: QUOTAS };
  }

  @Delete('os-quota-sets/:project_id')
  @Operation('resetComputeQuotas', 'Sets the quotas of a project to the defaults, which they always have.', {
    202: NOTHING,
  })
  @Policy('berth:facade:compute:quotas:update')
  @Audited('delete', 'compute/quota')
  reset(): Answer {
    return { status: 202 };
  }

  @Get('os-quota-sets/:project_id/defaults')
  @Operation('showComputeDefaultQuotas', 'Shows the quotas that every project has.', holding('quota_set'))
  @Policy('berth:facade:compute:quotas:show')
  defaults(@Param('project_id') id: string): object {
    return this.show(id);
  }

  @Get('os-quota-sets/:project_id/detail')
  @Operation('showComputeQuotaDetails', 'Shows the quotas of a project, and what it has.', holding('quota_set'))
  @Policy('berth:facade:compute:quotas:show')
  async detail(@Param('project_id') id: string, @ComputeCall() { caller }: ComputeRequest): Promise<object> {
    if (!caller.isAdmin && id !== caller.projectId) throw new NotFound(`Project ${shown(id)} could not be found.`);
    const usage: Usage = await this.usageOf(id);
    const details = Object.entries(QUOTAS).map(([name, limit]) => [
      name,
      { limit, in_use: usage[name as Quota] ?? 0, reserved: 0 },
    ]);
    return { quota_set: Object.fromEntries([['id', id], ...details]) as object };
  }

  @Get('os-quota-class-sets/:id')
  @Operation(
    'showComputeQuotaClass',
    'Shows the quotas of a class, which are those of every project.',
    holding('quota_class_set'),
  )
  @Policy('berth:facade:compute:quotas:show')
  ofClass(@Param('id') id: string): object {
    return { quota_class_set: { id, ...QUOTAS } };
  }

  private async usageOf(
    projectId: string,
  ): Promise<Required<Pick<Usage, 'instances' | 'cores' | 'ram' | 'server_groups'>>> {
    const { instances, cores, ramMb } = await this.servers.usageOf(projectId);
    const groups = await allOf((page) => this.groups.list({ projectId }, page));
    return { instances, cores, ram: ramMb, server_groups: groups.length };
  }
}

/** The value can be a number or a text. */
function refuseChange(name: string, value: ScalarMap[string]): void {
  const limit = Object.hasOwn(QUOTAS, name) ? QUOTAS[name as Quota] : undefined;
  if (limit === undefined) throw bodyFault(`quota_set.${shown(name)}`, 'is no quota of this service');
  if (Number(value) === limit) return;
  const meaning = limit === UNLIMITED ? ' (unlimited)' : '';
  throw bodyFault(`quota_set.${name}`, `must be ${limit}${meaning}: the quotas of this service cannot be changed`);
}
