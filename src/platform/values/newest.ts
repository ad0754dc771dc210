// Time of the last change. Iterates, because a list can be too long for function arguments.

/** The newest change in milliseconds; `none` for an empty list. */
export function newestOf<N>(entries: Iterable<{ readonly changedAt: number }>, none: N): number | N {
  let newest: number | undefined;
  for (const { changedAt } of entries) if (newest === undefined || changedAt > newest) newest = changedAt;
  return newest ?? none;
}
