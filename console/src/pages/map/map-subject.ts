// What the map shows of every host: how much of a class is used, whether it has a trait or room for a flavor, its status.
import type { Address } from '../../address/use-address';

export type SubjectKind = 'use' | 'trait' | 'flavor' | 'status';

export interface Subject {
  readonly kind: SubjectKind;
  /** The class, the trait or the flavor; '' for a status. */
  readonly name: string;
}

export type GroupKind = 'availability_zone' | 'host_aggregate';

/** The parameter that names what is asked for, in the address as in the report. */
const PARAMETERS = { use: 'resource_class', trait: 'trait', flavor: 'flavor' } as const;

export const parameterOf = (kind: Exclude<SubjectKind, 'status'>): string => PARAMETERS[kind];

const USUAL_CLASS = 'VCPU';

/** What the address asks for. Who only names a class, a trait or a flavor gets it without saying so. */
export function subjectOf({ get }: Pick<Address, 'get'>): Subject {
  const asked = get('by');
  const kind = isKind(asked) ? asked : get('flavor') !== '' ? 'flavor' : get('trait') !== '' ? 'trait' : 'use';
  if (kind === 'status') return { kind, name: '' };
  const name = get(PARAMETERS[kind]);
  return { kind, name: name === '' && kind === 'use' ? USUAL_CLASS : name };
}

const isKind = (text: string): text is SubjectKind =>
  text === 'use' || text === 'trait' || text === 'flavor' || text === 'status';

/** False as long as nobody has said which trait or flavor. */
export const isAskable = ({ kind, name }: Subject): boolean => kind === 'status' || name !== '';

export const mapQueryOf = ({ kind, name }: Subject): Readonly<Record<string, string>> =>
  kind === 'status' ? {} : { [PARAMETERS[kind]]: name };
