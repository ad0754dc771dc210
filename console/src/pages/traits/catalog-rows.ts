// The rows of the two catalogs: every trait and every resource class with its figures.
import type { CapacityReport, GroupFigures } from '../../service/reports';
import { byName } from '../../shown/by-name';

export type Kind = 'all' | 'used' | 'custom' | 'standard';

export interface TraitRow {
  readonly name: string;
  readonly isCustom: boolean;
  /** Undefined if the user cannot read the capacity report. */
  readonly hosts: number | undefined;
  readonly usable: number | undefined;
}

export interface ClassRow {
  readonly name: string;
  readonly isCustom: boolean;
  /** Undefined if no host has the class or the user cannot read the capacity report. */
  readonly figures: GroupFigures | undefined;
  readonly isUsed: boolean;
}

export function traitRows(names: readonly string[], report: CapacityReport | undefined): readonly TraitRow[] {
  const groups = new Map(report?.groups.map((group) => [group.key, group]));
  return names.map((name) => {
    const group = groups.get(name);
    return {
      name,
      isCustom: isCustom(name),
      hosts: report === undefined ? undefined : (group?.hosts ?? 0),
      usable: report === undefined ? undefined : (group?.hosts_usable ?? 0),
    };
  });
}

export function classRows(names: readonly string[], report: CapacityReport | undefined): readonly ClassRow[] {
  const figures = report?.groups[0]?.resource_classes ?? {};
  return names.map((name) => ({
    name,
    isCustom: isCustom(name),
    figures: figures[name],
    isUsed: figures[name] !== undefined,
  }));
}

const isCustom = (name: string): boolean => name.startsWith('CUSTOM_');

export function shownOf<T extends { readonly name: string; readonly isCustom: boolean }>(
  rows: readonly T[],
  { typed, kind }: { readonly typed: string; readonly kind: Kind },
  isUsed: (row: T) => boolean,
): readonly T[] {
  const part = typed.trim().toUpperCase();
  return rows.filter(
    (row) =>
      row.name.includes(part) &&
      (kind === 'all' || (kind === 'used' ? isUsed(row) : row.isCustom === (kind === 'custom'))),
  );
}

/** By name, or by a number and then by name. */
export function sortedRows<T extends { readonly name: string }>(
  rows: readonly T[],
  sort: string,
  numbers: Readonly<Record<string, (row: T) => number>>,
): readonly T[] {
  const isDown = sort.startsWith('-');
  const number = numbers[isDown ? sort.slice(1) : sort];
  const direction = isDown ? -1 : 1;
  return [...rows].sort((a, b) => {
    const named = byName(a.name, b.name);
    return number === undefined ? named * direction : (number(a) - number(b)) * direction || named;
  });
}
