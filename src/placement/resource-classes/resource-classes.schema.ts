// Request schemas for resource classes, with the fields of each version.
import { bodySchema } from '../../platform/http/schema-validator';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { CUSTOM_NAME_PATTERN, MAX_NAME_LENGTH } from '../../platform/values/names';

export interface ResourceClassBody {
  readonly name: string;
}

/** The body of POST, and of PUT in old versions, with the new name. */
export const RESOURCE_CLASS = bodySchema<ResourceClassBody>(
  named(
    'CreateResourceClass',
    closed({ name: { type: 'string', pattern: CUSTOM_NAME_PATTERN, maxLength: MAX_NAME_LENGTH } }),
  ),
);
