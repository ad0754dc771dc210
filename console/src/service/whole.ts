// Reads a whole list of the scheduler page by page, for searching, sorting and completion in the browser.

/** More rows than registries of very large clouds have; a longer list is truncated, with a notice. */
const ROWS_MAX = 20_000;

export interface Whole<T> {
  readonly rows: readonly T[];
  readonly isCut: boolean;
}

/** Stops after the page that reaches `rowsMax`. */
export async function readWhole<T, P extends { readonly next_marker: string | null }>(
  pages: AsyncIterable<P>,
  rowsOf: (page: P) => readonly T[],
  rowsMax = ROWS_MAX,
): Promise<Whole<T>> {
  const rows: T[] = [];
  for await (const page of pages) {
    rows.push(...rowsOf(page));
    if (page.next_marker !== null && rows.length >= rowsMax) return { rows, isCut: true };
  }
  return { rows, isCut: false };
}
