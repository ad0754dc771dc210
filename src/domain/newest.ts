// When something changed last. A list may have any length, so it is gone through rather than handed over as arguments.

/** The newest change of all, in milliseconds; `none` where there is nothing. */
export function newestOf<N>(entries: Iterable<{ readonly changedAt: number }>, none: N): number | N {
  let newest: number | undefined;
  for (const { changedAt } of entries) if (newest === undefined || changedAt > newest) newest = changedAt;
  return newest ?? none;
}
