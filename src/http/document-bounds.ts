// How much a document of ours may hold. What makes an instance of a class of it, and what judges that, cannot be put
// down, so the document is measured before, in turns. Long lists of documents are judged entry by entry (dto-lists.ts),
// and so each of their entries is measured by itself.
import { HTTP_LIMITS } from '../config/limits';
import type { Walk } from '../domain/walk';
import type { InvalidInput } from '../domain/errors';
import { FIELD_RULES, bodyFault } from '../domain/field-fault';

/** Lists that may have more entries than this are long. */
const LONG_LIST = 1_000;
const VALUES_PER_STEP = 1_000;

type PathOf = () => string;

/** Told of every value behind its key; entries of lists have places for keys. */
type Look = (key: string | number, value: unknown, pathOf: PathOf) => void;

interface Frame {
  readonly name: string;
  readonly value: object;
  /** None: the entries of a list. */
  readonly keys: readonly string[] | undefined;
  at: number;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const frameOf = (name: string, value: object): Frame => ({
  name,
  value,
  at: 0,
  keys: Array.isArray(value) ? undefined : Object.keys(value),
});

/** Looks at everything in the document, at what stands outside first, in turns. */
export function* walkValues(document: object, look: Look, path = ''): Walk<void> {
  const frames = [frameOf(path, document)];
  for (let seen = 1; ; seen += 1) {
    const frame = frames.at(-1);
    if (frame === undefined) return;
    const { value: holder, keys } = frame;
    const size = keys === undefined ? (holder as readonly unknown[]).length : keys.length;
    if (frame.at >= size) {
      frames.pop();
      continue;
    }
    const key = keys?.[frame.at] ?? frame.at;
    frame.at += 1;
    const value = (holder as Readonly<Record<string | number, unknown>>)[key];
    look(key, value, () => pathTo(frames, key));
    if (isObject(value)) frames.push(frameOf(String(key), value));
    if (seen % VALUES_PER_STEP === 0) yield;
  }
}

function pathTo(frames: readonly Frame[], key: string | number): string {
  return [...frames.map(({ name }) => name), String(key)].filter((name) => name !== '').join('.');
}

/** Throws InvalidInput that names where the document is too large. `lists`: how long its lists of documents may be. */
export function* refuseTooMuch(document: object, lists: ReadonlyMap<string, number>): Walk<void> {
  const longLists: [name: string, entries: readonly unknown[]][] = [];
  const rest: Record<string, unknown> = {};
  refuseManyKeys(document, () => '');
  for (const [name, value] of Object.entries(document)) {
    const most = lists.get(name) ?? 0;
    // What is too long a list is told by whoever judges it.
    if (!Array.isArray(value) || most <= LONG_LIST) rest[name] = value as unknown;
    else if (value.length <= most) longLists.push([name, value]);
  }
  yield* walkValues(rest, measure());
  for (const [name, entries] of longLists) {
    for (const [at, entry] of entries.entries()) {
      if (isObject(entry)) yield* walkValues(entry, measure(`${name}.${at}`));
      if (at % VALUES_PER_STEP === 0) yield;
    }
  }
}

function measure(path = ''): Look {
  let values = 0;
  let characters = 0;
  const texts = (text: string, pathOf: PathOf): void => {
    if (text.length > HTTP_LIMITS.documentTextCharacters) {
      throw tooMuch(pathOf(), FIELD_RULES.characters('most', HTTP_LIMITS.documentTextCharacters));
    }
    characters += text.length;
    if (characters <= HTTP_LIMITS.documentCharacters) return;
    throw tooMuch(
      pathOf(),
      `stands where all texts together have more than ${HTTP_LIMITS.documentCharacters} characters`,
    );
  };
  return (key, value, inner) => {
    const pathOf = (): string => (path === '' ? inner() : `${path}.${inner()}`);
    values += 1;
    if (values > HTTP_LIMITS.documentValues) {
      throw tooMuch(pathOf(), `stands where there are more than ${HTTP_LIMITS.documentValues} values`);
    }
    if (typeof key === 'string') texts(key, pathOf);
    if (typeof value === 'string') texts(value, pathOf);
    else if (isObject(value)) refuseManyKeys(value, pathOf);
  };
}

function refuseManyKeys(value: object, pathOf: PathOf): void {
  if (Array.isArray(value) || Object.keys(value).length <= HTTP_LIMITS.documentKeys) return;
  throw tooMuch(pathOf(), FIELD_RULES.entries('most', HTTP_LIMITS.documentKeys));
}

const PATH_SHOWN = 300;

const tooMuch = (path: string, rule: string): InvalidInput => bodyFault(path.slice(0, PATH_SHOWN), rule);
