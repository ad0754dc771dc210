// Rules for names of resource classes, traits, consumer types, providers, projects and users. The patterns are
// anchored; in JavaScript `$` matches only the end of the text, so a name with a final newline is refused (L17).
import { InvalidInput } from './errors';

export const MAX_NAME_LENGTH = 255;
export const MAX_PROVIDER_NAME_LENGTH = 200;
/**
 * A name that users type: printable, as nova defines it, without a blank at its start or end. Without flags other than
 * `u`, because the API document cannot express them.
 */
export const TYPED_NAME = /^[^\p{C}\p{Z}]([^\p{C}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}])?$/u;
export const CUSTOM_PREFIX = 'CUSTOM_';

/** Resource classes, traits and consumer types: upper case letters, digits, underscore. */
export const NAME_PATTERN = '^[A-Z0-9_]+$';
/** The pattern for names that clients can create. */
export const CUSTOM_NAME_PATTERN = '^CUSTOM_[A-Z0-9_]+$';

const CUSTOM_NAME = /^CUSTOM_[A-Z0-9_]+$/;

/** True for a name that a client can create: `CUSTOM_` and at least one more character, at most 255 in all. */
export function isCustomName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && CUSTOM_NAME.test(name);
}

/**
 * Converts free text to a custom name: upper case, each run of other characters as one underscore. A text that is a
 * custom name except for its case only changes case.
 */
export function customNameOf(text: string): string {
  const upper = text.toUpperCase();
  if (isCustomName(upper)) return upper;
  const name = upper.replace(/[^0-9A-Z]+/g, '_');
  return name.startsWith(CUSTOM_PREFIX) ? name : `${CUSTOM_PREFIX}${name}`;
}

/** Checks the name of a resource class or trait to create, from the path. Throws InvalidInput. */
export function creatableName(what: string, name: string): string {
  if (isCustomName(name)) return name;
  throw new InvalidInput(
    `${what} that clients create must match the pattern ${CUSTOM_NAME_PATTERN} and have at most ${MAX_NAME_LENGTH} characters.`,
  );
}

/** The type of consumers from before consumer types existed. Clients cannot write it. */
export const UNKNOWN_CONSUMER_TYPE = 'unknown';
/** The pseudo type that sums over all types in GET /usages. */
export const ALL_CONSUMER_TYPES = 'all';

/** Providers with this trait share their inventory through aggregates. */
export const SHARING_TRAIT = 'MISC_SHARES_VIA_AGGREGATE';

/** Ids of custom resource classes start here; lower ids are standard classes. */
export const FIRST_CUSTOM_RESOURCE_CLASS_ID = 10_000;
