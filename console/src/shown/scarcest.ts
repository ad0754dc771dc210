// The class of the cloud that is used most: the first that runs out.
import type { GroupFigures } from '../service/reports';
import { sortedClasses } from './amount';

/** Undefined if no class has a capacity. Of equal classes the first in the usual order. */
export function scarcestOf(
  figures: Readonly<Record<string, Pick<GroupFigures, 'used' | 'capacity'>>>,
): string | undefined {
  const share = (name: string): number => {
    const of = figures[name];
    return of === undefined || of.capacity === 0 ? -1 : of.used / of.capacity;
  };
  const [first] = sortedClasses(Object.keys(figures)).sort((a, b) => share(b) - share(a));
  return first !== undefined && share(first) >= 0 ? first : undefined;
}
