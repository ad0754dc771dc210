// The subject of the map: usage of a class, presence of a trait, room for a flavor, or status.
import type { Address } from '../../address/use-address';

export type SubjectKind = 'use' | 'trait' | 'flavor' | 'status';

export interface Subject {
  readonly kind: SubjectKind;
  /** The class, the trait or the flavor; '' for a status. */
  readonly name: string;
}

export type GroupKind = 'availability_zone' | 'host_aggregate';

/** Parameter of each subject, in the address as in the report query. */
const PARAMETERS = { use: 'resource_class', trait: 'trait', flavor: 'flavor' } as const;

export const parameterOf = (kind: Exclude<SubjectKind, 'status'>): string => PARAMETERS[kind];

const USUAL_CLASS = 'VCPU';

/** The subject in the address. A class, trait or flavor without `by` selects its own kind. */
export function subjectOf({ get }: Pick<Address, 'get'>): Subject {
  const asked = get('by');
  const kind = isKind(asked) ? asked : get('flavor') !== '' ? 'flavor' : get('trait') !== '' ? 'trait' : 'use';
  if (kind === 'status') return { kind, name: '' };
  const name = get(PARAMETERS[kind]);
  return { kind, name: name === '' && kind === 'use' ? USUAL_CLASS : name };
}

const isKind = (text: string): text is SubjectKind =>
  text === 'use' || text === 'trait' || text === 'flavor' || text === 'status';

/** False until the user has chosen a trait or flavor. */
export const isAskable = ({ kind, name }: Subject): boolean => kind === 'status' || name !== '';

export const mapQueryOf = ({ kind, name }: Subject): Readonly<Record<string, string>> =>
  kind === 'status' ? {} : { [PARAMETERS[kind]]: name };
