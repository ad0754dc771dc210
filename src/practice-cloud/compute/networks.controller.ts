// The only network and the only security group. Clients look up both by name before they create a server.
import { Get, Param } from '@nestjs/common';
import { Operation } from '../../platform/http/operation.decorator';
import { Policy } from '../../platform/http/route.decorators';
import { NotFound } from '../../platform/values/errors';
import { FacadeController } from '../facade.decorators';
import { holding, listing } from '../facade.responses';
import type { ComputeCaller, ComputeRequest } from './compute-request';
import { ComputeCall } from './compute-request';

export const NETWORK = { id: '6e657477-6f72-4b00-8000-000000000001', label: 'practice' } as const;
export const SECURITY_GROUP = 'default';
/** The network as responses show it. */
const PRACTICE_NETWORK = { ...NETWORK, cidr: '10.0.0.0/8', bridge: null, project_id: null, vlan: null };
const SECURITY_GROUP_ID = '73656375-7269-4479-8000-000000000001';

@FacadeController('compute/v2.1/os-networks')
export class ComputeNetworksController {
  @Get()
  @Operation('listComputeNetworks', 'Lists the one network.', listing('networks'))
  @Policy('berth:facade:compute:networks')
  list(): object {
    return { networks: [PRACTICE_NETWORK] };
  }

  @Get(':id')
  @Operation('showComputeNetwork', 'Shows the one network.', holding('network'))
  @Policy('berth:facade:compute:networks')
  show(@Param('id') id: string): object {
    if (!isNetwork(id)) throw new NotFound(`Network ${id} could not be found.`);
    return { network: PRACTICE_NETWORK };
  }
}

@FacadeController('compute/v2.1/os-security-groups')
export class ComputeSecurityGroupsController {
  @Get()
  @Operation('listComputeSecurityGroups', 'Lists the one security group.', listing('security_groups'))
  @Policy('berth:facade:compute:networks')
  list(@ComputeCall() { caller }: ComputeRequest): object {
    return { security_groups: [presentSecurityGroup(caller)] };
  }

  @Get(':id')
  @Operation('showComputeSecurityGroup', 'Shows the one security group.', holding('security_group'))
  @Policy('berth:facade:compute:networks')
  show(@Param('id') id: string, @ComputeCall() { caller }: ComputeRequest): object {
    if (id !== SECURITY_GROUP_ID) throw new NotFound(`Security group ${id} could not be found.`);
    return { security_group: presentSecurityGroup(caller) };
  }
}

/** Matches the uuid or the name. */
export const isNetwork = (text: string): boolean => text === NETWORK.id || text === NETWORK.label;
export const isSecurityGroup = (text: string): boolean => text === SECURITY_GROUP_ID || text === SECURITY_GROUP;

const presentSecurityGroup = ({ projectId }: ComputeCaller): object => ({
  id: SECURITY_GROUP_ID,
  name: SECURITY_GROUP,
  description: 'Default security group',
  tenant_id: projectId,
  rules: [],
});
