// Selects the microversion of a call: the one set for the call or client, otherwise the newest that both sides support.
import { UnreadableAnswer } from './errors.ts';

/** The newest version that the types of this package describe. */
const NEWEST = '1.39';

/** The newest Compute API version that the types describe; the default of compute calls. */
export const NEWEST_COMPUTE = '2.96';

const FORMS = {
  placement: { pattern: /^1\.\d{1,4}$/, example: NEWEST },
  compute: { pattern: /^2\.\d{1,4}$/, example: NEWEST_COMPUTE },
} as const;

/** Validates a version. Throws TypeError. */
export function checkedVersion(text: string, api: keyof typeof FORMS = 'placement'): string {
  const { pattern, example } = FORMS[api];
  if (text === 'latest' || pattern.test(text)) return text;
  throw new TypeError(`version: must be "latest" or like "${example}", not '${text}'`);
}

const minorOf = (text: string): number => Number(text.split('.')[1]);

interface VersionRange {
  readonly min_version: string;
  readonly max_version: string;
}

/** The newest version that service and client support, from the root document. */
export function commonVersion(root: unknown): string {
  const { versions } = (root ?? {}) as { readonly versions?: Readonly<Record<number, Partial<VersionRange>>> };
  const { min_version: min, max_version: max } = versions?.[0] ?? {};
  if (!isVersion(min) || !isVersion(max)) {
    throw new UnreadableAnswer('What answers at the endpoint is no placement service: it names no microversions');
  }
  if (minorOf(min) > minorOf(NEWEST)) {
    throw new UnreadableAnswer(`The service speaks microversions from ${min} on, this client up to ${NEWEST}`);
  }
  return minorOf(max) < minorOf(NEWEST) ? max : NEWEST;
}

const isVersion = (text: unknown): text is string => typeof text === 'string' && /^1\.\d{1,4}$/.test(text);
