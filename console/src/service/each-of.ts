// Requests for the entries of a list, a few at a time.

const AT_ONCE = 6;

/** The results are in the order of the list. */
export async function eachOf<T, R>(list: readonly T[], ask: (one: T) => Promise<R>): Promise<readonly R[]> {
  const found: R[] = [];
  const waiting = [...list.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) found[next[0]] = await ask(next[1]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}
