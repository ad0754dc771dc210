// Schemas of servers for all microversions. Fields that only some versions have are optional.
import {
  byName,
  COUNT,
  FLAG,
  INTEGER,
  LINK,
  listOf,
  NUMBER,
  oneOf,
  orNull,
  TEXT,
  UUID,
} from '../../../platform/http/answer-schemas';
import { closed, named } from '../../../platform/microversion/versioned-schema';

const LINKS = listOf(LINK);
const NAME = { id: UUID, name: TEXT, links: LINKS };

export const SERVER_NAME = named('ComputeServerName', closed(NAME));

const ADDRESS = closed({ version: INTEGER, addr: TEXT, 'OS-EXT-IPS:type': TEXT, 'OS-EXT-IPS-MAC:mac_addr': TEXT }, [
  'OS-EXT-IPS:type',
  'OS-EXT-IPS-MAC:mac_addr',
]);

const FLAVOR_LINK = closed({ id: TEXT, links: LINKS });
const FLAVOR_COPY = closed({
  original_name: TEXT,
  vcpus: COUNT,
  ram: COUNT,
  disk: COUNT,
  ephemeral: COUNT,
  swap: COUNT,
  extra_specs: byName(TEXT),
});

/** Fields of later versions, for all callers. */
const ADDED = {
  locked: FLAG,
  description: orNull(TEXT),
  tags: listOf(TEXT),
  trusted_image_certificates: { type: 'null' },
  locked_reason: orNull(TEXT),
  server_groups: listOf(UUID),
  pinned_availability_zone: orNull(TEXT),
};

/** Fields for administrators only. */
const PLACE = {
  'OS-EXT-SRV-ATTR:host': orNull(TEXT),
  'OS-EXT-SRV-ATTR:hypervisor_hostname': orNull(TEXT),
  'OS-EXT-SRV-ATTR:instance_name': TEXT,
  'OS-EXT-SRV-ATTR:reservation_id': TEXT,
  'OS-EXT-SRV-ATTR:launch_index': COUNT,
  'OS-EXT-SRV-ATTR:hostname': TEXT,
  'OS-EXT-SRV-ATTR:kernel_id': TEXT,
  'OS-EXT-SRV-ATTR:ramdisk_id': TEXT,
  'OS-EXT-SRV-ATTR:root_device_name': TEXT,
  'OS-EXT-SRV-ATTR:user_data': { type: 'null' },
  host_status: oneOf('', 'UP', 'DOWN', 'MAINTENANCE'),
};

const SOMETIMES = {
  /** Rebuilt servers only. */
  adminPass: TEXT,
  user_data: { type: 'null' },
  /** Active servers only. */
  progress: NUMBER,
  /** Servers in error only; `details` for administrators only. */
  fault: closed({ code: INTEGER, created: TEXT, message: TEXT, details: TEXT }, ['details']),
};

/** Fields that responses to changes have in later versions only. */
const WHOLE = {
  config_drive: TEXT,
  key_name: orNull(TEXT),
  'OS-EXT-AZ:availability_zone': TEXT,
  'OS-EXT-STS:vm_state': TEXT,
  'OS-EXT-STS:task_state': orNull(TEXT),
  'OS-EXT-STS:power_state': COUNT,
  'OS-SRV-USG:launched_at': orNull(TEXT),
  'OS-SRV-USG:terminated_at': { type: 'null' },
  'os-extended-volumes:volumes_attached': listOf({ type: 'object' }),
  security_groups: listOf(closed({ name: TEXT })),
};

const OPTIONAL = { ...SOMETIMES, ...WHOLE, ...PLACE, ...ADDED };

export const SERVER = named(
  'ComputeServer',
  closed(
    {
      ...NAME,
      status: TEXT,
      tenant_id: TEXT,
      user_id: TEXT,
      metadata: byName(TEXT),
      hostId: TEXT,
      image: { anyOf: [oneOf(''), closed({ id: UUID, links: LINKS })] },
      flavor: { anyOf: [FLAVOR_LINK, FLAVOR_COPY] },
      created: TEXT,
      updated: TEXT,
      addresses: byName(listOf(ADDRESS)),
      accessIPv4: orNull(TEXT),
      accessIPv6: orNull(TEXT),
      'OS-DCF:diskConfig': TEXT,
      ...OPTIONAL,
    },
    Object.keys(OPTIONAL),
  ),
);

export const CREATED_SERVER = named(
  'ComputeCreatedServer',
  closed({
    id: UUID,
    links: LINKS,
    'OS-DCF:diskConfig': TEXT,
    adminPass: TEXT,
    security_groups: listOf(closed({ name: TEXT })),
  }),
);

const ACTION = {
  action: TEXT,
  instance_uuid: UUID,
  request_id: TEXT,
  user_id: TEXT,
  project_id: TEXT,
  start_time: TEXT,
  updated_at: TEXT,
  message: orNull(TEXT),
};

export const SERVER_ACTION = named('ComputeServerAction', closed(ACTION, ['updated_at']));

const EVENT = closed(
  {
    event: TEXT,
    start_time: TEXT,
    finish_time: orNull(TEXT),
    result: oneOf('Success', 'Error', null),
    traceback: orNull(TEXT),
    hostId: TEXT,
    host: orNull(TEXT),
    details: orNull(TEXT),
  },
  ['traceback', 'hostId', 'host', 'details'],
);

export const SERVER_ACTION_WITH_EVENTS = named(
  'ComputeServerActionWithEvents',
  closed({ ...ACTION, events: listOf(EVENT) }, ['updated_at']),
);
