import type { CallOptions } from './session.ts';

/** Iterates over the pages of a list: `for await (const { flavors } of pages(client.flavors.list))`. */
export async function* pages<Q extends object, A extends { readonly next_marker: string | null }>(
  list: (query: Q & { marker?: string }, options?: CallOptions) => Promise<A>,
  query?: Q,
  options?: CallOptions,
): AsyncGenerator<A, void, undefined> {
  let asked: Q & { marker?: string } = { ...(query as Q) };
  for (;;) {
    const page = await list(asked, options);
    yield page;
    if (page.next_marker === null) return;
    asked = { ...asked, marker: page.next_marker };
  }
}
