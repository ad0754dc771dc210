// Flavors in the order in which they run out.
import type { FlavorsReport } from '../../service/reports';
import { byName } from '../../shown/by-name';

export type FlavorFit = FlavorsReport['flavors'][number];

/** What nobody could count last: it is a fault of the flavor, not of the cloud. */
export const scarceFirst = (flavors: readonly FlavorFit[]): readonly FlavorFit[] =>
  [...flavors].sort(
    (a, b) =>
      Number(a.error !== null) - Number(b.error !== null) ||
      Number(a.at_least) - Number(b.at_least) ||
      a.fit - b.fit ||
      byName(a.name, b.name),
  );
