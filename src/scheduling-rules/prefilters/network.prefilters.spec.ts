import type { RequestGroup } from '../../placement/candidate-search';
// The owner prefilter, and those that read requested networks.
import type { PrefilterOutcome, PrefilterSurroundings } from '../pipeline/define-prefilter';
import { EMPTY_CLOUD } from '../pipeline/pipeline.fixture';
import { prefilterTable } from '../pipeline/rule-table.fixture';
import { NO_ADDITIONS } from '../pipeline/run-prefilters';
import type { RequestedNetwork, RequestSpec } from '../request-spec/request-spec';
import { ownerPrefilter } from './owner.prefilter';
import { remoteManagedPortsPrefilter } from './remote-managed-ports.prefilter';
import { routedNetworksPrefilter } from './routed-networks.prefilter';

const nothing = (whyNot: string): PrefilterOutcome => ({ kind: 'nothing', whyNot });
const networks = (...entries: readonly Partial<RequestedNetwork>[]): Partial<RequestSpec> => ({
  requestedNetworks: entries.map((entry) => ({
    networkId: null,
    portId: null,
    vnicType: null,
    aggregates: undefined,
    ...entry,
  })),
});

describe('RoutedNetworksPrefilter', () => {
  const ON = { scheduler: { query_placement_for_routed_network_aggregates: true } };
  const routed = networks({ networkId: 'n', aggregates: ['A', 'B'] });
  const inSets = (because: string, ...memberOf: readonly (readonly string[])[]): PrefilterOutcome => ({
    kind: 'added',
    added: { memberOf },
    because,
  });
  const ONE = inSets('segments of 1 requested network', ['A', 'B']);
  const NONE = nothing('no requested network has segments');
  const missing = (sought: string): PrefilterOutcome => ({
    kind: 'refused',
    code: 'no_aggregates',
    params: { sought },
  });

  prefilterTable(routedNetworksPrefilter, [
    { rule: 'is off by default', spec: routed, outcome: nothing('switched off'), flip: { options: ON, outcome: ONE } },
    {
      rule: 'networks that are not known yet restrict nothing',
      spec: { requestedNetworks: null },
      options: ON,
      outcome: nothing('the requested networks are not known'),
      flip: { spec: routed, outcome: ONE },
    },
    {
      rule: 'a network without segments restricts nothing',
      spec: networks({ networkId: 'n' }, { portId: 'p', aggregates: [] }),
      options: ON,
      outcome: NONE,
      flip: { spec: routed, outcome: ONE },
    },
    {
      rule: 'each network adds a set of its own, even the same one twice',
      spec: networks({ networkId: 'n', aggregates: ['A'] }, { portId: 'p', aggregates: ['A'] }, { networkId: 'm' }),
      options: ON,
      outcome: inSets('segments of 2 requested networks', ['A'], ['A']),
      flip: {
        spec: networks({ networkId: 'n', aggregates: ['A'] }),
        outcome: inSets('segments of 1 requested network', ['A']),
      },
    },
    {
      rule: 'aggregates that were not found refuse the request, a network by its id',
      spec: networks({ networkId: 'ok', aggregates: ['A', 'B'] }, { networkId: 'n', aggregates: null }),
      options: ON,
      outcome: missing('network n'),
      flip: { spec: networks({ networkId: 'ok', aggregates: ['A', 'B'] }, { networkId: 'n' }), outcome: ONE },
    },
    {
      rule: 'aggregates that were not found refuse the request, a port by its subnet',
      spec: networks({ networkId: 'n', portId: 'p', aggregates: null }),
      options: ON,
      outcome: missing('subnet of port p'),
      flip: { spec: networks({ networkId: 'n', aggregates: null }), outcome: missing('network n') },
    },
    {
      rule: 'an entry that names neither port nor network is skipped',
      spec: networks({ aggregates: null }, { aggregates: ['X'] }),
      options: ON,
      outcome: NONE,
      flip: { spec: networks({ networkId: 'n', aggregates: null }), outcome: missing('network n') },
    },
  ]);
});

describe('RemoteManagedPortsPrefilter', () => {
  const added = (because: string): PrefilterOutcome => ({
    kind: 'added',
    added: { rootRequired: ['COMPUTE_REMOTE_MANAGED_PORTS'] },
    because,
  });
  prefilterTable(remoteManagedPortsPrefilter, [
    {
      rule: 'any port of the kind counts',
      spec: networks({ portId: 'a', vnicType: 'normal' }, { portId: 'b', vnicType: 'remote-managed' }),
      outcome: added('port b is remote managed'),
      flip: {
        spec: networks({ portId: 'a', vnicType: 'normal' }, { portId: 'b', vnicType: 'direct' }),
        outcome: nothing('no requested port is remote managed'),
      },
    },
    {
      rule: 'networks that are not known yet ask for nothing',
      spec: { requestedNetworks: null },
      outcome: nothing('no requested port is remote managed'),
      flip: {
        spec: networks({ networkId: 'n', vnicType: 'remote-managed' }),
        outcome: added('port of network n is remote managed'),
      },
    },
  ]);
});

describe('OwnerPrefilter', () => {
  const version = (lowestServiceVersion: number | null): Partial<PrefilterSurroundings> => ({
    cloud: { ...EMPTY_CLOUD, lowestServiceVersion },
  });
  const added = (groups?: Readonly<Record<string, readonly string[]>>): PrefilterOutcome => ({
    kind: 'added',
    added: { rootRequired: ['OWNER_NOVA'], ...(groups !== undefined && { groups }) },
    because: 'every host reports service version 73 or more',
  });
  const group = (suffix: string): RequestGroup => ({
    suffix,
    resources: new Map([['VGPU', 1]]),
    requiredTraits: [],
    forbiddenTraits: [],
    memberOf: [],
    forbiddenAggregates: [],
    inTree: null,
  });
  const pci = (requestId: string | null, aliasName: string | null): Partial<RequestSpec> => ({
    pciRequests: [{ requestId, aliasName, count: 2, alternatives: [{}], numaPolicy: null }],
    requestedResources: ['r-0', 'r-1', 'r-x', 'rr-0', 'port'].map(group),
  });
  const IN_PLACEMENT = { filter_scheduler: { pci_in_placement: true } };

  prefilterTable(ownerPrefilter, [
    {
      rule: 'every service must be of version 73',
      surroundings: version(72),
      outcome: nothing('a host reports service version 72, below 73'),
      flip: { surroundings: version(73), outcome: added() },
    },
    {
      rule: 'a cloud without services is not asked',
      surroundings: version(null),
      outcome: nothing('no host reports a service version'),
      flip: { surroundings: version(74), outcome: added() },
    },
    {
      rule: 'a host that reports no version counts as 0',
      surroundings: version(0),
      outcome: nothing('a host reports service version 0, below 73'),
      flip: { surroundings: version(73), outcome: added() },
    },
    {
      rule: 'can be switched off',
      options: { scheduler: { owner_prefilter: false } },
      surroundings: version(73),
      outcome: nothing('switched off'),
      flip: { options: { scheduler: { owner_prefilter: true } }, outcome: added() },
    },
    {
      rule: 'a request that requires the trait already needs no version',
      spec: { rootRequired: ['OWNER_NOVA'] },
      surroundings: version(1),
      outcome: nothing('required already'),
      flip: { spec: { rootRequired: [] }, outcome: nothing('a host reports service version 1, below 73') },
    },
    {
      rule: 'a prefilter before may have required it',
      surroundings: { ...version(73), addedBefore: { ...NO_ADDITIONS, rootRequired: ['OWNER_NOVA'] } },
      outcome: nothing('required already'),
      flip: { surroundings: { addedBefore: NO_ADDITIONS }, outcome: added() },
    },
    {
      rule: 'with PCI in placement the groups of the flavor’s PCI requests require it too',
      spec: pci('r', 'gpu'),
      options: IN_PLACEMENT,
      surroundings: version(73),
      outcome: added({ 'r-0': ['OWNER_NOVA'], 'r-1': ['OWNER_NOVA'] }),
      flip: { options: { filter_scheduler: { pci_in_placement: false } }, outcome: added() },
    },
    {
      rule: 'PCI requests of ports are not the flavor’s',
      spec: pci('r', null),
      options: IN_PLACEMENT,
      surroundings: version(73),
      outcome: added(),
      flip: { spec: pci('rr', 'gpu'), outcome: added({ 'rr-0': ['OWNER_NOVA'] }) },
    },
  ]);
});
