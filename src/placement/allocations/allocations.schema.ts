// Request schemas for allocations, with the fields of each version.
import { WRITE_LIMITS } from '../../platform/config/limits/placement';
import { bodySchema } from '../../platform/http/schema-validator';
import type { ApiVersion } from '../../platform/microversion/api-version';
import type { SchemaNode } from '../../platform/microversion/versioned-schema';
import { closed, firstOf, named, since, until } from '../../platform/microversion/versioned-schema';
import { InvalidInput } from '../../platform/values/errors';
import { BODY_PREFIX, notUuid, repeatedUuidFault } from '../../platform/values/field-fault';
import { MAX_NAME_LENGTH, NAME_PATTERN } from '../../platform/values/names';
import type { Uuid } from '../../platform/values/uuid';
import { canonicalUuid } from '../../platform/values/uuid';
import type { ExpectedGeneration } from '../consumers/consumers.writes';
import { unknownProviderReference } from '../resource-providers/resource-providers.service';
import type { AllocationSet, ConsumerWrite } from './allocations.commands';
import { tooManyAmounts } from './allocations.commands';

/** Uuids as keys of an object. */
export const UUID_KEY = '^[0-9a-fA-F-]{36}$';
const SUFFIX_OR_NONE = '^[a-zA-Z0-9_-]{0,64}$';

const RESOURCES = {
  type: 'object',
  minProperties: 1,
  patternProperties: { [NAME_PATTERN]: { type: 'integer', minimum: 1 } },
  propertyNames: { maxLength: MAX_NAME_LENGTH },
  additionalProperties: false,
};

const AS_LIST = {
  type: 'array',
  minItems: 1,
  maxItems: WRITE_LIMITS.allocationsPerConsumer,
  items: closed({ resource_provider: closed({ uuid: { type: 'string', format: 'uuid-like' } }), resources: RESOURCES }),
};

const AS_OBJECT = {
  type: 'object',
  maxProperties: WRITE_LIMITS.allocationsPerConsumer,
  patternProperties: {
    [UUID_KEY]: closed({ resources: RESOURCES, generation: { type: 'integer' } }, ['generation']),
  },
  additionalProperties: false,
};

const MAPPINGS = {
  type: 'object',
  minProperties: 1,
  patternProperties: {
    [SUFFIX_OR_NONE]: { type: 'array', minItems: 1, items: { type: 'string', format: 'uuid-like' } },
  },
  additionalProperties: false,
};

const EXTERNAL_ID = { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH, format: 'unicode' };

/** The fields next to the allocations of a consumer. */
const ABOUT_CONSUMER = {
  project_id: since('consumerOwner', EXTERNAL_ID),
  user_id: since('consumerOwner', EXTERNAL_ID),
  consumer_generation: since('consumerGeneration', { type: ['integer', 'null'] }),
  mappings: since('mappings', MAPPINGS),
  consumer_type: since('consumerType', {
    type: 'string',
    pattern: NAME_PATTERN,
    minLength: 1,
    maxLength: MAX_NAME_LENGTH,
  }),
};

const consumerBody = (allocations: unknown): SchemaNode => closed({ allocations, ...ABOUT_CONSUMER }, ['mappings']);

const PUT_BODY = consumerBody(
  firstOf<unknown>(
    until('allocationsAsDict', AS_LIST),
    since('allocationsAsDict', { ...AS_OBJECT, minProperties: until('consumerGeneration', 1) }),
  ),
);

/** Consumers by uuid, each with the body of PUT. An empty set is always valid. */
const POST_BODY: SchemaNode = {
  type: 'object',
  minProperties: 1,
  patternProperties: { [UUID_KEY]: consumerBody(AS_OBJECT) },
  additionalProperties: false,
};

/** Same schema as part of the reshaper's body, where it can be empty. */
export const CONSUMER_SETS: SchemaNode = (({ minProperties: _, ...rest }) => rest)(
  POST_BODY as SchemaNode & { minProperties: number },
);

interface ListItem {
  readonly resource_provider: { readonly uuid: string };
  readonly resources: Readonly<Record<string, number>>;
}

type Sets = readonly ListItem[] | Readonly<Record<string, { readonly resources: Readonly<Record<string, number>> }>>;

export interface PutAllocationsBody {
  readonly allocations: Sets;
  readonly project_id?: string;
  readonly user_id?: string;
  readonly consumer_generation?: number | null;
  readonly consumer_type?: string;
}

export type PostAllocationsBody = Readonly<Record<string, PutAllocationsBody>>;

export const PUT_ALLOCATIONS = bodySchema<PutAllocationsBody>(named('ReplaceAllocations', PUT_BODY));
export const POST_ALLOCATIONS = bodySchema<PostAllocationsBody>(named('ReplaceManyAllocations', POST_BODY));

/** Injection token of the configured owner for writes of versions without owners. */
export const PLACEHOLDER_OWNER = Symbol('placeholder owner');

/** The owner of consumers that old versions write without naming one. */
export interface PlaceholderOwner {
  readonly projectId: string;
  readonly userId: string;
}

export function consumerWrite(
  consumerUuid: Uuid,
  body: PutAllocationsBody,
  api: ApiVersion,
  placeholder: PlaceholderOwner,
): ConsumerWrite {
  return {
    consumerUuid,
    allocations: allocationSet(consumerUuid, body.allocations),
    projectId: body.project_id ?? placeholder.projectId,
    userId: body.user_id ?? placeholder.userId,
    consumerType: body.consumer_type,
    expectedGeneration: expectedGeneration(body, api),
  };
}

export function consumerWrites(
  body: PostAllocationsBody,
  api: ApiVersion,
  placeholder: PlaceholderOwner,
): readonly ConsumerWrite[] {
  const writes = new Map<Uuid, ConsumerWrite>();
  for (const key in body) {
    const uuid = canonicalUuid(key);
    if (uuid === undefined) throw new InvalidInput(`${BODY_PREFIX} ${notUuid(key)}.`);
    if (writes.has(uuid)) throw repeatedUuidFault(body, key);
    writes.set(uuid, consumerWrite(uuid, body[key] as PutAllocationsBody, api, placeholder));
  }
  return [...writes.values()];
}

function expectedGeneration(body: PutAllocationsBody, api: ApiVersion): ExpectedGeneration {
  if (!api.has('consumerGeneration') || body.consumer_generation === undefined) return { kind: 'unchecked' };
  const generation = body.consumer_generation;
  return generation === null ? { kind: 'mustBeNew' } : { kind: 'expect', generation };
}

/**
 * In a list, the last entry for a provider takes precedence; an object must not repeat one. A key that is not a uuid is
 * an unknown provider. Stops reading at the limit of amounts per consumer.
 */
function allocationSet(consumerUuid: Uuid, sets: Sets): AllocationSet {
  const set = new Map<Uuid, ReadonlyMap<string, number>>();
  let amounts = 0;
  for (const [text, resources] of membersOf(sets)) {
    const uuid = canonicalUuid(text);
    if (uuid === undefined) throw unknownProviderReference([text]);
    if (set.has(uuid) && !isList(sets)) throw repeatedUuidFault(sets, text);
    const requestedAmounts = new Map(Object.entries(resources));
    amounts += requestedAmounts.size - (set.get(uuid)?.size ?? 0);
    if (amounts > WRITE_LIMITS.allocationsPerConsumer) throw tooManyAmounts(consumerUuid);
    set.set(uuid, requestedAmounts);
  }
  return set;
}

type Resources = Readonly<Record<string, number>>;

function* membersOf(sets: Sets): Iterable<readonly [provider: string, resources: Resources]> {
  if (!isList(sets)) for (const key in sets) yield [key, (sets[key] as { readonly resources: Resources }).resources];
  else for (const { resource_provider: provider, resources } of sets) yield [provider.uuid, resources];
}

function isList(sets: Sets): sets is readonly ListItem[] {
  return Array.isArray(sets);
}
