// The subject of the map: usage or stranded share of a class, presence of a trait, room for a flavor, or status.
import type { Address } from '../../address/use-address';

export type SubjectKind = 'use' | 'stranded' | 'trait' | 'flavor' | 'status';

export interface Subject {
  readonly kind: SubjectKind;
  /** The class, the trait or the flavor; '' for a status. */
  readonly name: string;
}

/** Parameter of each subject, in the address as in the report query. */
export const PARAMETERS = { use: 'resource_class', stranded: 'stranded', trait: 'trait', flavor: 'flavor' } as const;

/**
 * The subject in the address. A class, trait or flavor without `by` selects its own kind. `scarcest`: the class to show
 * if the address names none; '' while it is unknown.
 */
export function subjectOf({ get }: Pick<Address, 'get'>, scarcest: string): Subject {
  const asked = get('by');
  const given = NAMED.find((each) => get(PARAMETERS[each]) !== '');
  const kind = isKind(asked) ? asked : (given ?? 'use');
  if (kind === 'status') return { kind, name: '' };
  const name = get(PARAMETERS[kind]);
  return { kind, name: name === '' && (kind === 'use' || kind === 'stranded') ? scarcest : name };
}

/** In this order an address without `by` is searched for a name. */
const NAMED = ['flavor', 'trait', 'stranded', 'use'] as const;

const isKind = (text: string): text is SubjectKind => text === 'status' || text in PARAMETERS;

/** False until the user has chosen a trait or flavor. */
export const isAskable = ({ kind, name }: Subject): boolean => kind === 'status' || name !== '';

export const mapQueryOf = ({ kind, name }: Subject): Readonly<Record<string, string>> =>
  kind === 'status' ? {} : { [PARAMETERS[kind]]: name };
