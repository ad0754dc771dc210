// What a client may say about resource classes, since when.
import { CUSTOM_NAME_PATTERN, MAX_NAME_LENGTH, isCustomName } from '../domain/names';
import { InvalidInput } from '../errors/domain-errors';
import { bodySchema } from '../http/schema-validator';

export interface ResourceClassBody {
  readonly name: string;
}

/** Creation, and the new name of the old form of PUT. */
export const RESOURCE_CLASS = bodySchema<ResourceClassBody>({
  type: 'object',
  properties: { name: { type: 'string', pattern: CUSTOM_NAME_PATTERN, maxLength: MAX_NAME_LENGTH } },
  required: ['name'],
  additionalProperties: false,
});

/** The name in a path that creates what it names. Throws InvalidInput. */
export function creatableName(name: string): string {
  if (!isCustomName(name)) {
    throw new InvalidInput(
      `A resource class that clients create must match the pattern ${CUSTOM_NAME_PATTERN} ` +
        `and have at most ${MAX_NAME_LENGTH} characters.`,
    );
  }
  return name;
}
