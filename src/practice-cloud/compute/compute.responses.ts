// Schemas of the documents that the client package has types for: the members that programs read. The API reference of
// nova describes the others, which depend on the microversion and on the role of the caller.
import {
  byName,
  COUNT,
  FLAG,
  INTEGER,
  LINK,
  listOf,
  oneOf,
  orNull,
  TEXT,
  UUID,
} from '../../platform/http/answer-schemas';
import type { SchemaNode } from '../../platform/microversion/versioned-schema';
import { closed, named } from '../../platform/microversion/versioned-schema';

/** A document with at least these members. */
const open = (name: string, members: SchemaNode, optional: readonly string[] = []): SchemaNode =>
  named(name, { ...closed(members, optional), additionalProperties: true });

const NAME = { id: UUID, name: TEXT, links: listOf(LINK) };

export const SERVER_NAME = open('ComputeServerName', NAME);

const FAULT = closed({ code: INTEGER, created: TEXT, message: TEXT, details: TEXT }, ['details']);

/** Members that only some versions, callers or states have. */
const SOMETIMES = {
  key_name: orNull(TEXT),
  description: orNull(TEXT),
  locked: FLAG,
  tags: listOf(TEXT),
  server_groups: listOf(UUID),
  fault: FAULT,
  adminPass: TEXT,
  'OS-EXT-AZ:availability_zone': TEXT,
  'OS-EXT-SRV-ATTR:host': orNull(TEXT),
  'OS-EXT-STS:task_state': orNull(TEXT),
};

export const SERVER = open(
  'ComputeServer',
  {
    ...NAME,
    status: TEXT,
    tenant_id: TEXT,
    user_id: TEXT,
    metadata: byName(TEXT),
    hostId: TEXT,
    created: TEXT,
    updated: TEXT,
    addresses: byName(listOf(open('ComputeAddress', { version: INTEGER, addr: TEXT }))),
    ...SOMETIMES,
  },
  Object.keys(SOMETIMES),
);

export const CREATED_SERVER = open('ComputeCreatedServer', { id: UUID, links: listOf(LINK), adminPass: TEXT });

const ACTION = { action: TEXT, request_id: TEXT, user_id: TEXT, start_time: TEXT, message: orNull(TEXT) };

export const SERVER_ACTION = open('ComputeServerAction', ACTION);

const EVENT = { event: TEXT, start_time: TEXT, finish_time: orNull(TEXT), result: oneOf('Success', 'Error', null) };

export const SERVER_ACTION_WITH_EVENTS = open('ComputeServerActionWithEvents', {
  ...ACTION,
  events: listOf(open('ComputeServerEvent', EVENT)),
});

const HYPERVISOR_MEMBERS = {
  /** An integer in versions before uuids. */
  id: { anyOf: [UUID, INTEGER] },
  hypervisor_hostname: TEXT,
  status: oneOf('enabled', 'disabled'),
  state: oneOf('up', 'down'),
  servers: listOf(closed({ uuid: UUID, name: TEXT })),
};

export const HYPERVISOR_NAME = open('ComputeHypervisorName', HYPERVISOR_MEMBERS, ['servers']);

export const HYPERVISOR = open(
  'ComputeHypervisor',
  {
    ...HYPERVISOR_MEMBERS,
    host_ip: orNull(TEXT),
    hypervisor_type: TEXT,
    hypervisor_version: COUNT,
    service: open('ComputeHypervisorService', { host: TEXT, disabled_reason: orNull(TEXT) }),
  },
  ['servers'],
);

const KEY = { name: TEXT, public_key: TEXT, fingerprint: TEXT };

export const LISTED_KEYPAIR = closed({ keypair: open('ComputeListedKeypair', KEY) });

export const KEYPAIR = open('ComputeKeypair', { ...KEY, user_id: TEXT, private_key: TEXT }, ['private_key']);
