/** Orders by code units: the same everywhere, whatever the locale. */
export function compareText(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}

/** The order of the texts that items have. */
export const byText =
  <T>(textOf: (item: T) => string) =>
  (first: T, second: T): number =>
    compareText(textOf(first), textOf(second));
