// Flavors in the order in which they run out.
import type { FlavorsReport } from '../../service/reports';

export type FlavorFit = FlavorsReport['flavors'][number];

/** What nobody could count last: it is a fault of the flavor, not of the cloud. */
export const scarceFirst = (flavors: readonly FlavorFit[]): readonly FlavorFit[] =>
  [...flavors].sort(
    (a, b) =>
      Number(a.error !== null) - Number(b.error !== null) ||
      Number(a.at_least) - Number(b.at_least) ||
      a.fit - b.fit ||
      a.name.localeCompare(b.name, 'en'),
  );
