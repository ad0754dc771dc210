// What names may look like: resource classes, traits, consumer types, providers, projects and users.
// Anchored patterns: in JavaScript `$` matches the true end only, so a name that ends in a newline is refused (L17).
import { InvalidInput } from './errors';

export const MAX_NAME_LENGTH = 255;
export const MAX_PROVIDER_NAME_LENGTH = 200;
/** A name that people type. As the API document writes it, which knows no flags. */
export const TYPED_NAME = /^\S([\s\S]*\S)?$/u;
export const CUSTOM_PREFIX = 'CUSTOM_';

/** Resource classes, traits and consumer types: upper case letters, digits, underscore. */
export const NAME_PATTERN = '^[A-Z0-9_]+$';
/** What a client may create. */
export const CUSTOM_NAME_PATTERN = '^CUSTOM_[A-Z0-9_]+$';

const CUSTOM_NAME = /^CUSTOM_[A-Z0-9_]+$/;

/** True for a name that a client may create: `CUSTOM_` and at least one more character, at most 255 in all. */
export function isCustomName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && CUSTOM_NAME.test(name);
}

/** Free text as a custom name: upper case, each run of other characters one underscore. Custom names only change case. */
export function customNameOf(text: string): string {
  const upper = text.toUpperCase();
  if (isCustomName(upper)) return upper;
  const name = upper.replace(/[^0-9A-Z]+/g, '_');
  return name.startsWith(CUSTOM_PREFIX) ? name : `${CUSTOM_PREFIX}${name}`;
}

/** The name in a path that creates what it names: a resource class or a trait. Throws InvalidInput. */
export function creatableName(what: string, name: string): string {
  if (isCustomName(name)) return name;
  throw new InvalidInput(
    `${what} that clients create must match the pattern ${CUSTOM_NAME_PATTERN} and have at most ${MAX_NAME_LENGTH} characters.`,
  );
}

/** The type shown for a consumer that was written before consumer types existed. It cannot be written. */
export const UNKNOWN_CONSUMER_TYPE = 'unknown';
/** The pseudo type that sums over all types in GET /usages. */
export const ALL_CONSUMER_TYPES = 'all';

/** A trait with a meaning inside the service: providers with it share what they have through aggregates. */
export const SHARING_TRAIT = 'MISC_SHARES_VIA_AGGREGATE';

/** Ids of custom resource classes start here; below are the standard ones. */
export const FIRST_CUSTOM_RESOURCE_CLASS_ID = 10_000;
