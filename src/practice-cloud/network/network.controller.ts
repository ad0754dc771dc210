// As much of the Network API as clients need that find it in the catalogue: the only network and security group, which
// servers can name, and lists that are always empty.
import { Get } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { ok } from '../../platform/http/answer';
import { Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Public } from '../../platform/http/route.decorators';
import { NotFound } from '../../platform/values/errors';
import { shown } from '../../platform/values/field-fault';
import { callerOf } from '../caller';
import { isNetwork, NETWORK, presentSecurityGroup } from '../compute/practice-network';
import { FacadeController, selfLinks } from '../facade.decorators';
import { listing } from '../facade.responses';
import { fixedAnswers } from '../fixed-answers';

@FacadeController('network')
export class NetworkVersionsController {
  @Get()
  @Operation('listNetworkVersions', 'Lists the versions of the Network API.', listing('versions'))
  @Public()
  list(@Context() context: RequestContext): Answer {
    return ok({ versions: [{ id: 'v2.0', status: 'CURRENT', links: selfLinks(context, '/network/v2.0/') }] });
  }
}

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

const NETWORKS = 'berth:facade:compute:networks';
const EMPTY = {
  availability_zones: 'Zones',
  extensions: 'Extensions',
  subnets: 'Subnets',
  ports: 'Ports',
  routers: 'Routers',
  floatingips: 'FloatingAddresses',
};

export const NetworkLists = fixedAnswers<RequestContext>({
  prefix: 'network/v2.0',
  requested: Context,
  rows: [
    ...Object.entries(EMPTY).map(([name, id]) => [name, `listNetwork${id}`, NETWORKS, name] as const),
    ['networks', 'listNetworks', NETWORKS, 'networks', () => [PRACTICE_NETWORK]],
    [
      'networks/:id',
      'showNetwork',
      NETWORKS,
      'network',
      ({ params: { id = '' } }) => {
        if (!isNetwork(id)) throw new NotFound(`Network ${shown(id)} could not be found.`);
        return PRACTICE_NETWORK;
      },
    ],
    [
      'security-groups',
      'listNetworkSecurityGroups',
      NETWORKS,
      'security_groups',
      ({ request }) => [{ ...presentSecurityGroup(callerOf(request).projectId ?? ''), security_group_rules: [] }],
    ],
    ['quotas/:project_id', 'showNetworkQuotas', NETWORKS, 'quota', () => QUOTA],
    ['quotas/:project_id/default', 'showDefaultNetworkQuotas', NETWORKS, 'quota', () => QUOTA],
  ],
});
