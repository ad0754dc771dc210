/** Compares by code units: the same order in every locale. */
export function compareText(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Compares items by a text. */
export const byText =
  <T>(textOf: (item: T) => string) =>
  (first: T, second: T): number =>
    compareText(textOf(first), textOf(second));
