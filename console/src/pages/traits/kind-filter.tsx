// Filters a catalog by the kind of its names; the choice is in the address.
import { useAddress } from '../../address/use-address';
import type { Whole } from '../../service/whole';
import { AddressChoice } from '../../shown/address-choice';

const KINDS = [
  { value: 'all', label: 'All' },
  { value: 'used', label: 'In use' },
  { value: 'custom', label: 'Custom' },
  { value: 'standard', label: 'Standard' },
];

export const isCustom = (name: string): boolean => name.startsWith('CUSTOM_');

interface Row {
  readonly name: string;
  readonly isUsed: boolean;
}

/** The rows of the chosen kind; undefined while they are unknown. */
export function useRowsOfKind<T extends Row>(rows: readonly T[] | undefined): Whole<T> | undefined {
  const kind = useAddress().get('kind');
  return rows && { rows: rows.filter((row) => isOfKind(row, kind)), isCut: false };
}

function isOfKind({ name, isUsed }: Row, kind: string): boolean {
  if (kind === 'used') return isUsed;
  if (kind === 'custom') return isCustom(name);
  return kind !== 'standard' || !isCustom(name);
}

export const KindFilter = () => <AddressChoice label="Which of them" name="kind" data={KINDS} how="push" />;
