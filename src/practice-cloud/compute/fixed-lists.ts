// Lists of the Compute API with a fixed answer. Berth records no usage over time, no migration outlasts its response, and
// servers have no volumes and no ports.
import { NotFound } from '../../platform/values/errors';
import { shown } from '../../platform/values/field-fault';
import type { Asked } from '../fixed-answers';
import { fixedAnswers } from '../fixed-answers';
import type { ComputeRequest } from './compute-request';
import { ComputeCall } from './compute-request';
import { isNetwork, NETWORK, presentSecurityGroup, SECURITY_GROUP_ID } from './practice-network';
import { addressesOf } from './servers/servers.presenter';
import type { Server } from './servers/servers.service';
import { ServersService } from './servers/servers.service';

const NO_USAGE = {
  total_hours: 0,
  total_vcpus_usage: 0,
  total_memory_mb_usage: 0,
  total_local_gb_usage: 0,
  server_usages: [],
};
const PRACTICE_NETWORK = { ...NETWORK, cidr: '10.0.0.0/8', bridge: null, project_id: null, vlan: null };

type OfCompute = Asked<ComputeRequest, unknown>;

const securityGroupOf = ({ request }: OfCompute): object => ({
  ...presentSecurityGroup(request.caller.projectId),
  rules: [],
});

function refuseOthers(isFound: boolean, what: string, id = ''): void {
  if (!isFound) throw new NotFound(`${what} ${shown(id)} could not be found.`);
}

const NETWORKS = 'berth:facade:compute:networks';
const USAGES = 'berth:facade:compute:usages';
const MIGRATIONS = 'berth:facade:compute:migrations';

export const ComputeFixedLists = fixedAnswers<ComputeRequest>({
  prefix: 'compute/v2.1',
  requested: ComputeCall,
  rows: [
    ['extensions', 'listComputeExtensions', NETWORKS, 'extensions'],
    ['os-simple-tenant-usage', 'listComputeUsages', USAGES, 'tenant_usages'],
    [
      'os-simple-tenant-usage/:project_id',
      'showComputeUsage',
      USAGES,
      'tenant_usage',
      ({ params }) => ({ tenant_id: params['project_id'], ...NO_USAGE }),
    ],
    ['os-migrations', 'listComputeMigrations', MIGRATIONS, 'migrations'],
    ['os-networks', 'listComputeNetworks', NETWORKS, 'networks', () => [PRACTICE_NETWORK]],
    [
      'os-networks/:id',
      'showComputeNetwork',
      NETWORKS,
      'network',
      ({ params: { id } }) => {
        refuseOthers(isNetwork(id ?? ''), 'Network', id);
        return PRACTICE_NETWORK;
      },
    ],
    [
      'os-security-groups',
      'listComputeSecurityGroups',
      NETWORKS,
      'security_groups',
      (asked) => [securityGroupOf(asked)],
    ],
    [
      'os-security-groups/:id',
      'showComputeSecurityGroup',
      NETWORKS,
      'security_group',
      (asked) => {
        refuseOthers(asked.params['id'] === SECURITY_GROUP_ID, 'Security group', asked.params['id']);
        return securityGroupOf(asked);
      },
    ],
  ],
});

const LIST = 'berth:facade:compute:servers:list';

/** The server that the path names. Throws not_found. */
const serverOf = ({ params, request, source }: Asked<ComputeRequest, ServersService>): Promise<Server> =>
  source.get(params['id'] ?? '', request.caller);

const noneOf = async (asked: Asked<ComputeRequest, ServersService>): Promise<object> => {
  await serverOf(asked);
  return [];
};

export const ServerFixedLists = fixedAnswers<ComputeRequest, ServersService>({
  prefix: 'compute/v2.1/servers/:id',
  requested: ComputeCall,
  source: ServersService,
  rows: [
    ['ips', 'listComputeServerAddresses', LIST, 'addresses', async (asked) => addressesOf(await serverOf(asked))],
    [
      'os-security-groups',
      'listComputeServerSecurityGroups',
      LIST,
      'security_groups',
      async (asked) => {
        await serverOf(asked);
        return [securityGroupOf(asked)];
      },
    ],
    ['migrations', 'listComputeServerMigrations', MIGRATIONS, 'migrations', noneOf],
    ['os-interface', 'listComputeServerInterfaces', LIST, 'interfaceAttachments', noneOf],
    ['os-volume_attachments', 'listComputeServerVolumes', LIST, 'volumeAttachments', noneOf],
  ],
});
