// The search of the page in the address and in the report query; both use the same names.
import type { Address } from '../../address/use-address';

const NAMES = ['search', 'host', 'project_id', 'flavor', 'server_group'] as const;

type InstanceSearch = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

export const searchOf = ({ get }: Pick<Address, 'get'>): InstanceSearch =>
  Object.fromEntries(NAMES.flatMap((name) => (get(name).trim() === '' ? [] : [[name, get(name).trim()]])));

export const isFiltered = (search: InstanceSearch): boolean => Object.keys(search).length > 0;

/** The first digits of a uuid; the search accepts them. */
export const shortUuid = (uuid: string): string => uuid.slice(0, 8);
