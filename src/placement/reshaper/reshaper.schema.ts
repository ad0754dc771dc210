// Request schema of the reshaper, with the fields of each version.
import { bodySchema } from '../../platform/http/schema-validator';
import type { ApiVersion } from '../../platform/microversion/api-version';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { DomainError } from '../../platform/values/errors';
import { repeatedUuidFault } from '../../platform/values/field-fault';
import type { Uuid } from '../../platform/values/uuid';
import { canonicalUuid } from '../../platform/values/uuid';
import type { PlaceholderOwner, PostAllocationsBody } from '../allocations/allocations.schema';
import { CONSUMER_SETS, consumerWrites, UUID_KEY } from '../allocations/allocations.schema';
import type { InventorySetBody } from '../inventories/inventories.schema';
import { INVENTORY_SET, recordsOf } from '../inventories/inventories.schema';
import type { Reshape, ReshapedProvider } from './reshaper.commands';

interface ReshapeBody {
  readonly inventories: Readonly<Record<string, InventorySetBody>>;
  readonly allocations: PostAllocationsBody;
}

const INVENTORY_SETS = {
  type: 'object',
  minProperties: 1,
  patternProperties: { [UUID_KEY]: INVENTORY_SET },
  additionalProperties: false,
};

export const RESHAPE = bodySchema<ReshapeBody>(
  named('Reshape', closed({ inventories: INVENTORY_SETS, allocations: CONSUMER_SETS })),
);

export function reshapeCommand(body: ReshapeBody, api: ApiVersion, placeholder: PlaceholderOwner): Reshape {
  const providers = new Map<Uuid, ReshapedProvider>();
  for (const [key, set] of Object.entries(body.inventories)) {
    const uuid = canonicalUuid(key);
    if (uuid === undefined) throw unknownReshaped([key]);
    if (providers.has(uuid)) throw repeatedUuidFault(body.inventories, key);
    providers.set(uuid, { uuid, generation: set.resource_provider_generation, records: recordsOf(set) });
  }
  return { providers: [...providers.values()], consumers: consumerWrites(body.allocations, api, placeholder) };
}

export function unknownReshaped(uuids: readonly string[]): DomainError {
  return new DomainError(
    'placement.resource_provider.not_found',
    `Resource provider ${uuids.join(', ')} in inventories does not exist.`,
  );
}
