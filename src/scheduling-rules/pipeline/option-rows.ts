// The declared options of parts, as rows of the configuration.

import type { OptionDeclarations, OptionRow } from '../../platform/values/options';
import { DEFAULT_OPTION_GROUP } from './options';
import type { PartRegistry } from './registry';
import { SchedulerBootError } from './registry';

/** A part with its options. */
interface OptionOwner {
  readonly name: string;
  readonly options: OptionDeclarations;
}

/** All registered parts, enabled or not. */
export const optionOwners = ({ filters, weighers, prefilters }: PartRegistry): readonly OptionOwner[] =>
  [...filters.values(), ...weighers.values(), ...prefilters.values()].map(({ part }) => part);

/** One row per option. Two owners can share an option if they declare it alike; otherwise the start stops. */
export function optionRows(owners: readonly OptionOwner[]): readonly OptionRow[] {
  const rows = new Map<string, { readonly row: OptionRow; readonly owner: string }>();
  for (const { name: owner, options } of owners) {
    for (const [name, declaration] of Object.entries(options)) {
      const row = { ...declaration, group: declaration.group ?? DEFAULT_OPTION_GROUP, name, readBy: [owner] };
      const key = `[${row.group}] ${name}`;
      const twin = rows.get(key);
      if (twin === undefined) rows.set(key, { row, owner });
      else if (!alike(twin.row, row)) {
        throw new SchedulerBootError(`${key} is declared differently by ${twin.owner} and ${owner}`);
      } else rows.set(key, { owner: twin.owner, row: { ...twin.row, readBy: [...twin.row.readBy, ...row.readBy] } });
    }
  }
  return [...rows.values()].map(({ row }) => row);
}

function alike(one: OptionRow, other: OptionRow): boolean {
  const facts = ({ kind, default: fallback, min, max }: OptionRow): string =>
    JSON.stringify([kind, fallback, min, max]);
  return facts(one) === facts(other);
}
