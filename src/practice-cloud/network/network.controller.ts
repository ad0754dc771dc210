// As much of the Network API as clients need that find it in the catalogue: the only network and security group, which
// servers can name.
import { Get, Param } from '@nestjs/common';
import { Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Policy, Public } from '../../platform/http/route.decorators';
import { NotFound } from '../../platform/values/errors';
import { shown } from '../../platform/values/field-fault';
import { callerOf } from '../caller';
import { isNetwork, NETWORK, SECURITY_GROUP, SECURITY_GROUP_ID } from '../compute/practice-network';
import { matching } from '../practice-cloud-query';
import { PracticeController, selfLinks } from '../practice-cloud.decorators';
import { holding, listing } from '../practice-cloud.responses';

const NETWORKS = 'berth:practice_cloud:compute:networks';

const PRACTICE_NETWORK = {
  id: NETWORK.id,
  name: NETWORK.label,
  status: 'ACTIVE',
  admin_state_up: true,
  shared: true,
  'router:external': false,
  subnets: [],
  tenant_id: '',
  project_id: '',
};

/** -1 is no limit. */
const QUOTA = Object.fromEntries(
  ['network', 'subnet', 'port', 'router', 'floatingip', 'security_group', 'security_group_rule'].map((name) => [
    name,
    -1,
  ]),
);

@PracticeController('network')
export class NetworkController {
  @Get()
  @Operation('listNetworkVersions', 'Lists the versions of the Network API.', listing('versions'))
  @Public()
  versions(@Context() context: RequestContext): object {
    return { versions: [{ id: 'v2.0', status: 'CURRENT', links: selfLinks(context, '/network/v2.0/') }] };
  }

  @Get('v2.0/networks')
  @Operation('listNetworks', 'Lists the one network.', listing('networks'))
  @Policy(NETWORKS)
  networks(@Context() { queryText }: RequestContext): object {
    return { networks: matching([PRACTICE_NETWORK], queryText) };
  }

  @Get('v2.0/networks/:id')
  @Operation('showNetwork', 'Shows the one network.', holding('network'))
  @Policy(NETWORKS)
  network(@Param('id') id: string): object {
    if (!isNetwork(id)) throw new NotFound(`Network ${shown(id)} could not be found.`);
    return { network: PRACTICE_NETWORK };
  }

  @Get('v2.0/security-groups')
  @Operation('listNetworkSecurityGroups', 'Lists the one security group.', listing('security_groups'))
  @Policy(NETWORKS)
  securityGroups(@Context() context: RequestContext): object {
    const project = callerOf(context).projectId ?? '';
    const group = {
      id: SECURITY_GROUP_ID,
      name: SECURITY_GROUP,
      description: 'Default security group',
      tenant_id: project,
      project_id: project,
      security_group_rules: [],
    };
    return { security_groups: matching([group], context.queryText) };
  }

  @Get('v2.0/quotas/:project_id')
  @Operation('showNetworkQuotas', 'Shows the quotas of every project: none is limited.', holding('quota'))
  @Policy(NETWORKS)
  quotas(): object {
    return { quota: QUOTA };
  }

  @Get('v2.0/quotas/:project_id/default')
  @Operation('showDefaultNetworkQuotas', 'Shows the same quotas.', holding('quota'))
  @Policy(NETWORKS)
  defaultQuotas(): object {
    return this.quotas();
  }
}
