// Access rules of application credentials limit the requests of a token. Pure. Users write the patterns, so they are
// not converted to regular expressions: the work is at most the pattern's length times the path's length.

export interface AccessRule {
  readonly service: string;
  readonly method: string;
  readonly path: PathPattern;
}

/** Character codes and the two wildcards. */
type PathPattern = readonly number[];

const ONE_SEGMENT = -1;
const ANYTHING = -2;
const SLASH = 47;

const PARTS = /\{[^}]*\}|\*\*|\*|[^{}*]/gs;

/** `*` and `{name}` match one path segment or a part of it, `**` matches any text; a single brace matches nothing. */
export const pathPattern = (text: string): PathPattern =>
  [...text.matchAll(PARTS)].flatMap(([part]) => {
    if (part === '**') return [ANYTHING];
    if (part === '*' || part.startsWith('{')) return [ONE_SEGMENT];
    return [...part].flatMap((character) => [...Array(character.length).keys()].map((at) => character.charCodeAt(at)));
  });

/** `**` can match the empty text, so the state after it is reachable too. */
const reach = (states: Uint8Array, pattern: PathPattern, state: number): void => {
  for (let at = state; states[at] === 0; at += 1) {
    states[at] = 1;
    if (pattern[at] !== ANYTHING) return;
  }
};

/** Whether the pattern matches the whole path. State n: the first n parts of the pattern have been matched. */
const matchesPath = (pattern: PathPattern, path: string): boolean => {
  const end = pattern.length;
  let states = new Uint8Array(end + 1);
  let next = new Uint8Array(end + 1);
  reach(states, pattern, 0);
  for (let index = 0; index < path.length; index += 1) {
    const code = path.charCodeAt(index);
    let isAlive = false;
    next.fill(0);
    for (let state = 0; state < end; state += 1) {
      if (states[state] === 0) continue;
      const part = pattern[state];
      if (part === ANYTHING) reach(next, pattern, state);
      else if (part === ONE_SEGMENT && code !== SLASH) {
        reach(next, pattern, state);
        reach(next, pattern, state + 1);
      } else if (part === code) reach(next, pattern, state + 1);
      else continue;
      isAlive = true;
    }
    if (!isAlive) return false;
    [states, next] = [next, states];
  }
  return states[end] === 1;
};

/** Whether one of the rules allows this service, method and path. An empty list allows nothing. */
export const isAllowed = (
  rules: readonly AccessRule[],
  request: { readonly service: string; readonly method: string; readonly path: string },
): boolean =>
  rules.some(
    ({ service, method, path }) =>
      service === request.service && method === request.method && matchesPath(path, request.path),
  );
