// What a client may say about the traits of a provider.
import { WRITE_LIMITS } from '../config/limits';
import { MAX_NAME_LENGTH } from '../domain/names';
import { InvalidInput } from '../domain/errors';
import { BODY_PREFIX, bodySchema } from '../http/schema-validator';
import { named } from '../microversion/versioned-schema';

export interface ReplaceTraitsBody {
  readonly traits: readonly string[];
  readonly resource_provider_generation: number;
}

export const REPLACE_TRAITS = bodySchema<ReplaceTraitsBody>(
  named('ReplaceTraits', {
    type: 'object',
    properties: {
      traits: { type: 'array', items: { type: 'string', minLength: 1, maxLength: MAX_NAME_LENGTH, format: 'unicode' } },
      resource_provider_generation: { type: 'integer' },
    },
    required: ['traits', 'resource_provider_generation'],
    additionalProperties: false,
  }),
);

/** The names of the body, each once. Throws InvalidInput beyond the bound of one provider. */
export function boundedTraits(body: ReplaceTraitsBody): ReadonlySet<string> {
  const traits = new Set(body.traits);
  if (traits.size > WRITE_LIMITS.traitsPerProvider) {
    throw new InvalidInput(`${BODY_PREFIX} 'traits' must have at most ${WRITE_LIMITS.traitsPerProvider} entries.`);
  }
  return traits;
}
