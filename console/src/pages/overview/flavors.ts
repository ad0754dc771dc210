// Sorts flavors by scarcity.
import type { FlavorsReport } from '../../service/reports';
import { byName } from '../../shown/by-name';

export type FlavorFit = FlavorsReport['flavors'][number];

/** Flavors that could not be counted come last: the flavor is at fault, not the cloud. */
export const scarceFirst = (flavors: readonly FlavorFit[]): readonly FlavorFit[] =>
  [...flavors].sort(
    (a, b) =>
      Number(a.error !== null) - Number(b.error !== null) ||
      Number(a.at_least) - Number(b.at_least) ||
      a.fit - b.fit ||
      byName(a.name, b.name),
  );
