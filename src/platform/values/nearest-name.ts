// "Did you mean …?": the known name with the smallest edit distance to a mistyped one.

/** Insertions, deletions, replacements and exchanges of neighbours. */
const editDistance = (from: string, to: string): number => {
  let beforePrevious: readonly number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const isExchanged = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const exchanged = isExchanged ? (beforePrevious[column - 2] ?? Infinity) + 1 : Infinity;
      current.push(Math.min(replaced, exchanged, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[to.length] ?? 0;
};

/** The nearest name, if at most a third of the characters differ; the first of equally near ones. */
export const nearestName = (unknownName: string, known: Iterable<string>): string | undefined => {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(unknownName.length / 3)) + 1;
  for (const name of known) {
    if (Math.abs(name.length - unknownName.length) >= bestDistance) continue;
    const distance = editDistance(unknownName.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
};

/** The nearest name as the rest of a sentence: `; did you mean X?`, or empty. */
export const suggestionOf = (
  unknownName: string,
  known: Iterable<string>,
  shown: (name: string) => string = (name) => name,
): string => {
  const near = nearestName(unknownName, known);
  return near === undefined ? '' : `; did you mean ${shown(near)}?`;
};

/** The costs of a comparison grow with both lengths. */
const COMPARED = { names: 1_000, characters: 64 };

/** A sentence about a name that a client sent: ` Did you mean 'X'?`, or empty. Compares the first known names only. */
export const didYouMean = (unknownName: string, known: readonly string[]): string => {
  if (unknownName.length > COMPARED.characters) return '';
  const near = nearestName(unknownName, known.slice(0, COMPARED.names));
  return near === undefined ? '' : ` Did you mean '${near}'?`;
};
