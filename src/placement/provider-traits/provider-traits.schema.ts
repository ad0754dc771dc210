// Request schema for the traits of a provider.
import { WRITE_LIMITS } from '../../platform/config/limits/placement';
import { bodySchema } from '../../platform/http/schema-validator';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { bodyFault, FIELD_RULES } from '../../platform/values/field-fault';
import { MAX_NAME_LENGTH } from '../../platform/values/names';

export interface ReplaceTraitsBody {
  readonly traits: readonly string[];
  readonly resource_provider_generation: number;
}

const TRAIT = { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH, format: 'unicode' };

export const REPLACE_TRAITS = bodySchema<ReplaceTraitsBody>(
  named(
    'ReplaceTraits',
    closed({ traits: { type: 'array', items: TRAIT }, resource_provider_generation: { type: 'integer' } }),
  ),
);

/** The traits of the body without duplicates. Throws InvalidInput above the limit of one provider. */
export function boundedTraits(body: ReplaceTraitsBody): ReadonlySet<string> {
  const traits = new Set(body.traits);
  if (traits.size > WRITE_LIMITS.traitsPerProvider) {
    throw bodyFault('traits', FIELD_RULES.entries('most', WRITE_LIMITS.traitsPerProvider));
  }
  return traits;
}
