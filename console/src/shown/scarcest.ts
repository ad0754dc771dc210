// The class of the cloud that is used most: the first that runs out.
import { sortedClasses } from './amount';

type Figures = Readonly<Record<string, { readonly used: number; readonly capacity: number }>>;

const shareOf = (figures: Figures, name: string): number => {
  const of = figures[name];
  return of === undefined || of.capacity === 0 ? -1 : of.used / of.capacity;
};

/** Classes with a capacity. Equal ones are in the usual order. */
export const scarcestFirst = (figures: Figures): readonly string[] =>
  sortedClasses(Object.keys(figures))
    .filter((name) => shareOf(figures, name) >= 0)
    .sort((a, b) => shareOf(figures, b) - shareOf(figures, a));
