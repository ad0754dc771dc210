// Request schemas for resource providers, with the fields of each version.
import { bodySchema, querySchema, REPEATED } from '../../platform/http/schema-validator';
import type { ApiVersion } from '../../platform/microversion/api-version';
import { closed, named, since } from '../../platform/microversion/versioned-schema';
import { MAX_PROVIDER_NAME_LENGTH } from '../../platform/values/names';
import type { Uuid } from '../../platform/values/uuid';
import { canonicalUuid } from '../../platform/values/uuid';
import type { CreateProvider, ParentChange, UpdateProvider } from './resource-providers.commands';

const NAME = { type: 'string', minLength: 1, maxLength: MAX_PROVIDER_NAME_LENGTH, format: 'unicode' };
const UUID = { type: 'string', format: 'uuid-like' };
const PARENT = { parent_provider_uuid: since('nestedProviders', { type: ['string', 'null'], format: 'uuid-like' }) };

interface CreateBody {
  readonly name: string;
  readonly uuid?: string;
  readonly parent_provider_uuid?: string | null;
}

export const CREATE_PROVIDER = bodySchema<CreateBody>(
  named('CreateResourceProvider', closed({ name: NAME, uuid: UUID, ...PARENT }, ['uuid', ...Object.keys(PARENT)])),
);

type UpdateBody = Omit<CreateBody, 'uuid'>;

export const UPDATE_PROVIDER = bodySchema<UpdateBody>(
  named('UpdateResourceProvider', closed({ name: NAME, ...PARENT }, Object.keys(PARENT))),
);

const TEXT = { type: 'string' };

export const LIST_PROVIDERS = querySchema({
  type: 'object',
  properties: {
    name: TEXT,
    uuid: UUID,
    member_of: since('providersMemberOf', { ...TEXT, [REPEATED]: since('repeatedMemberOf', true) }),
    resources: since('providersByResources', TEXT),
    in_tree: since('nestedProviders', UUID),
    required: since('providersRequired', { ...TEXT, [REPEATED]: since('anyTraits', true) }),
  },
  additionalProperties: false,
});

/** The canonical form of a text that a schema has validated as a uuid. */
export function checkedUuid(text: string): Uuid {
  const uuid = canonicalUuid(text);
  if (uuid === undefined) throw new Error('the schema accepted a malformed uuid');
  return uuid;
}

export function createCommand(body: CreateBody, freshUuid: () => Uuid): CreateProvider {
  const parent = body.parent_provider_uuid;
  return {
    uuid: body.uuid === undefined ? freshUuid() : checkedUuid(body.uuid),
    name: body.name,
    parentUuid: parent === undefined || parent === null ? null : checkedUuid(parent),
  };
}

export function updateCommand(uuid: Uuid, body: UpdateBody, api: ApiVersion): UpdateProvider {
  return { uuid, name: body.name, parent: parentChange(body), mayMoveAnywhere: api.has('reparenting') };
}

/** Absent keeps the parent; null removes it. */
function parentChange({ parent_provider_uuid: parent }: UpdateBody): ParentChange {
  if (parent === undefined) return { kind: 'keep' };
  return parent === null ? { kind: 'none' } : { kind: 'under', uuid: checkedUuid(parent) };
}
