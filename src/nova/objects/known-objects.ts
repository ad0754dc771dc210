// Versioned objects of nova that Berth reads: their major versions and the fields that are kept.

interface KnownObject {
  /** The only major version that is read. Within a major version, nova only adds fields. */
  readonly major: number;
  /**
   * Fields that are kept; absent: all. Cell mappings carry passwords and instances carry user data and keys, so
   * their other fields are dropped before any other code receives them.
   */
  readonly keeps?: readonly string[];
}

/** The object is not read: a broker's bus carries it inside other objects. */
const UNREAD: KnownObject = { major: 1, keeps: [] };

export const KNOWN_OBJECTS: ReadonlyMap<string, KnownObject> = new Map([
  ['RequestSpec', { major: 1 }],
  ['Destination', { major: 1 }],
  ['RequestGroup', { major: 1 }],
  ['RequestLevelParams', { major: 1 }],
  ['SchedulerRetries', { major: 1 }],
  ['SchedulerLimits', { major: 1 }],
  ['Selection', { major: 1 }],
  ['Flavor', { major: 1 }],
  ['ImageMeta', { major: 1 }],
  ['ImageMetaProps', { major: 1 }],
  ['InstanceGroup', { major: 1 }],
  ['InstanceNUMATopology', { major: 1 }],
  ['InstanceNUMACell', { major: 1 }],
  ['VirtCPUTopology', UNREAD],
  ['NUMATopologyLimits', { major: 1 }],
  ['InstancePCIRequests', { major: 1 }],
  ['InstancePCIRequest', { major: 1 }],
  ['NetworkRequestList', { major: 1 }],
  ['NetworkRequest', { major: 1 }],
  ['NetworkMetadata', { major: 1 }],
  ['SecurityGroupList', UNREAD],
  ['ComputeNodeList', { major: 1 }],
  ['ComputeNode', { major: 1, keeps: ['host', 'hypervisor_hostname'] }],
  ['CellMapping', { major: 1, keeps: ['uuid'] }],
  ['InstanceList', { major: 2 }],
  ['Instance', { major: 2, keeps: ['uuid', 'host', 'node'] }],
]);
