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
import { ComputeCall, forAdministrators, queryOf } from './compute-request';
import { ServersService } from './servers/servers.service';

/** The value that the Compute API shows for "no limit". */
const UNLIMITED = -1;

const ALWAYS = ['instances', 'cores', 'ram', 'metadata_items', 'key_pairs', 'server_groups', 'server_group_members'];
const OF_NETWORKS = ['floating_ips', 'fixed_ips', 'security_groups', 'security_group_rules'];
const OF_FILES = ['injected_files', 'injected_file_content_bytes', 'injected_file_path_bytes'];

/** The quota that each limit shows. */
const LIMITS: Readonly<Record<string, string>> = {
  maxTotalInstances: 'instances',
  maxTotalCores: 'cores',
  maxTotalRAMSize: 'ram',
  maxTotalKeypairs: 'key_pairs',
  maxServerGroups: 'server_groups',
  maxServerGroupMembers: 'server_group_members',
  maxServerMeta: 'metadata_items',
  maxTotalFloatingIps: 'floating_ips',
  maxSecurityGroups: 'security_groups',
  maxSecurityGroupRules: 'security_group_rules',
  maxPersonality: 'injected_files',
  maxPersonalitySize: 'injected_file_content_bytes',
};

type Quotas = Readonly<Record<string, number>>;

function quotasOf(api: ComputeRequest['api']): Quotas {
  const networks = api.has('noNetworks') ? [] : OF_NETWORKS;
  const names = [...ALWAYS, ...networks, ...(api.has('noInjectedFiles') ? [] : OF_FILES)];
  return Object.fromEntries(
    names.map((name) => [name, name === 'metadata_items' ? SERVER_LIMITS.metadataKeys : UNLIMITED]),
  );
}

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
  async limits(@ComputeCall() computeRequest: ComputeRequest): Promise<object> {
    const { api, caller } = computeRequest;
    const project = queryOf(computeRequest, ['tenant_id']).last('tenant_id') ?? caller.projectId;
    if (!caller.isAdmin && project !== caller.projectId) throw forAdministrators('tenant_id of another project');
    const used = await this.usageOf(project);
    const quotas = quotasOf(api);
    const limits = Object.entries(LIMITS).flatMap(([limit, name]) => (name in quotas ? [[limit, quotas[name]]] : []));
    const absolute = {
      ...(Object.fromEntries(limits) as object),
      ...(!api.has('noImageProxies') && { maxImageMeta: quotas['metadata_items'] }),
      ...(!api.has('noNetworks') && { totalFloatingIpsUsed: 0, totalSecurityGroupsUsed: 0 }),
      totalInstancesUsed: used.instances,
      totalCoresUsed: used.cores,
      totalRAMUsed: used.ram,
      totalServerGroupsUsed: used.server_groups,
    };
    return { limits: { rate: [], absolute } };
  }

  @Get('os-quota-sets/:project_id')
  @Operation('showComputeQuotas', 'Shows the quotas of a project.', holding('quota_set'))
  @Policy('berth:facade:compute:quotas:show')
  show(@Param('project_id') id: string, @ComputeCall() { api }: ComputeRequest): object {
    return { quota_set: { id, ...quotasOf(api) } };
  }

  @Put('os-quota-sets/:project_id')
  @Operation('updateComputeQuotas', 'Accepts the quotas that are in force, and refuses others.', holding('quota_set'))
  @Policy('berth:facade:compute:quotas:update')
  @Audited('update', 'compute/quota')
  update(
    @DtoBody(QuotaSetBody) { quota_set: { force: _force, ...requestedQuotas } }: QuotaSetBody,
    @ComputeCall() { api }: ComputeRequest,
  ): object {
    const quotas = quotasOf(api);
    for (const [name, value] of Object.entries(requestedQuotas)) refuseChange(quotas, name, value);
    return { quota_set: quotas };
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
  defaults(@Param('project_id') id: string, @ComputeCall() computeRequest: ComputeRequest): object {
    return this.show(id, computeRequest);
  }

  @Get('os-quota-sets/:project_id/detail')
  @Operation('showComputeQuotaDetails', 'Shows the quotas of a project, and what it has.', holding('quota_set'))
  @Policy('berth:facade:compute:quotas:show')
  async detail(@Param('project_id') id: string, @ComputeCall() { api, caller }: ComputeRequest): Promise<object> {
    if (!caller.isAdmin && id !== caller.projectId) throw new NotFound(`Project ${shown(id)} could not be found.`);
    const usage: Quotas = await this.usageOf(id);
    const details = Object.entries(quotasOf(api)).map(([name, limit]) => [
      name,
      { limit, in_use: usage[name] ?? 0, reserved: 0 },
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
  ofClass(@Param('id') id: string, @ComputeCall() { api }: ComputeRequest): object {
    return { quota_class_set: { id, ...quotasOf(api) } };
  }

  private async usageOf(projectId: string) {
    const { instances, cores, ramMb } = await this.servers.usageOf(projectId);
    const groups = await allOf((page) => this.groups.list({ projectId }, page));
    return { instances, cores, ram: ramMb, server_groups: groups.length };
  }
}

/** The value can be a number or a text. */
function refuseChange(quotas: Quotas, name: string, value: ScalarMap[string]): void {
  const limit = Object.hasOwn(quotas, name) ? quotas[name] : undefined;
  if (limit === undefined) throw bodyFault(`quota_set.${shown(name)}`, 'is no quota of this service');
  if (Number(value) === limit) return;
  const meaning = limit === UNLIMITED ? ' (unlimited)' : '';
  throw bodyFault(`quota_set.${name}`, `must be ${limit}${meaning}: the quotas of this service cannot be changed`);
}
