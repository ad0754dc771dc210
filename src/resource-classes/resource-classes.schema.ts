// What a client may say about resource classes, since when.
import { CUSTOM_NAME_PATTERN, MAX_NAME_LENGTH } from '../domain/names';
import { bodySchema } from '../http/schema-validator';
import { named } from '../microversion/versioned-schema';

export interface ResourceClassBody {
  readonly name: string;
}

/** Creation, and the new name of the old form of PUT. */
export const RESOURCE_CLASS = bodySchema<ResourceClassBody>(
  named('CreateResourceClass', {
    type: 'object',
    properties: { name: { type: 'string', pattern: CUSTOM_NAME_PATTERN, maxLength: MAX_NAME_LENGTH } },
    required: ['name'],
    additionalProperties: false,
  }),
);
