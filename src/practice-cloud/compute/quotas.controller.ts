// Quotas and limits, which clients read before they create a resource. All projects have the defaults, which cannot be
// changed; only metadata_items is limited.
import { Get, Param } from '@nestjs/common';
import { allOf, knownQuery, refuseQuery } from '../../compute/registry-page';
import { ServerGroupsService } from '../../compute/server-groups/server-groups.service';
import { SERVER_LIMITS } from '../../platform/config/limits/practice-cloud';
import { Operation } from '../../platform/http/operation.decorator';
import { Policy } from '../../platform/http/route.decorators';
import { NotFound } from '../../platform/values/errors';
import { shown } from '../../platform/values/field-fault';
import { PracticeController } from '../practice-cloud.decorators';
import { holding } from '../practice-cloud.responses';
import type { ComputeRequest } from './compute-request';
import { ComputeCall, forAdministrators } from './compute-request';
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

@PracticeController('compute/v2.1')
export class ComputeQuotasController {
  constructor(
    private readonly servers: ServersService,
    private readonly groups: ServerGroupsService,
  ) {}

  @Get('limits')
  @Operation('showComputeLimits', 'Shows the limits of the project, and what it has.', holding('limits'))
  @Policy('berth:practice_cloud:compute:limits')
  async limits(@ComputeCall() { api, caller, context }: ComputeRequest): Promise<object> {
    // `reserved` adds reservations, of which there are none.
    const project = knownQuery(context.queryText, ['tenant_id', 'reserved']).last('tenant_id') ?? caller.projectId;
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
  @Policy('berth:practice_cloud:compute:quotas:show')
  show(@Param('project_id') id: string, @ComputeCall() { api, context }: ComputeRequest): object {
    refuseQuery(context.queryText);
    return { quota_set: { id, ...quotasOf(api) } };
  }

  @Get('os-quota-sets/:project_id/defaults')
  @Operation('showComputeDefaultQuotas', 'Shows the quotas that every project has.', holding('quota_set'))
  @Policy('berth:practice_cloud:compute:quotas:show')
  defaults(@Param('project_id') id: string, @ComputeCall() computeRequest: ComputeRequest): object {
    return this.show(id, computeRequest);
  }

  @Get('os-quota-sets/:project_id/detail')
  @Operation('showComputeQuotaDetails', 'Shows the quotas of a project, and what it has.', holding('quota_set'))
  @Policy('berth:practice_cloud:compute:quotas:show')
  async detail(
    @Param('project_id') id: string,
    @ComputeCall() { api, caller, context }: ComputeRequest,
  ): Promise<object> {
    refuseQuery(context.queryText);
    if (!caller.isAdmin && id !== caller.projectId) throw new NotFound(`Project ${shown(id)} could not be found.`);
    const usage: Quotas = await this.usageOf(id);
    const details = Object.entries(quotasOf(api)).map(([name, limit]) => [
      name,
      { limit, in_use: usage[name] ?? 0, reserved: 0 },
    ]);
    return { quota_set: Object.fromEntries([['id', id], ...details]) as object };
  }

  private async usageOf(projectId: string) {
    const { instances, cores, ramMb } = await this.servers.usageOf(projectId);
    const groups = await allOf((page) => this.groups.list({ projectId }, page));
    return { instances, cores, ram: ramMb, server_groups: groups.length };
  }
}
