// A list of the scheduler is read whole, page by page, so that it can be searched, sorted and offered as one types.

/** What a registry of a very large cloud has; beyond, the page says that it is cut. */
const ROWS_MAX = 20_000;

export interface Whole<T> {
  readonly rows: readonly T[];
  readonly isCut: boolean;
}

/** Ends with the page that brings it to `rowsMax`. */
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
