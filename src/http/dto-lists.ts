// Long lists of documents inside a document, judged entry by entry in turns. What the library says of the whole it says
// of a copy in which such a list is empty, or holds just the entry that is wrong.
import { plainToInstance } from 'class-transformer';
import type { ClassConstructor } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { ValidationError } from 'class-validator';
import { isJsonObject } from '../domain/json-object';
import type { Walk } from '../domain/walk';
import { isPart, weighed } from './long-json';

export const JUDGED_STRICTLY = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true } as const;

/** The name of the rule that a value is a list, and its entries documents. */
export const LIST_OF_DOCUMENTS = 'isListOf';

/** What holds of the entries of such a list. */
interface DocumentList {
  readonly type: () => ClassConstructor<object>;
  readonly maxSize: number;
}

const LISTS = new WeakMap<object, Map<string, DocumentList>>();

export const noteList =
  (list: DocumentList): PropertyDecorator =>
  (target, key) => {
    const known = LISTS.get(target) ?? new Map<string, DocumentList>();
    LISTS.set(target, known.set(String(key), list));
  };

export function* listsOf(type: ClassConstructor<object>): Generator<[string, DocumentList], void, undefined> {
  for (let at = type.prototype as object | null; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    yield* LISTS.get(at) ?? [];
  }
}

type Judged =
  | { readonly kind: 'fine'; readonly entries: readonly object[] }
  /** The list breaks a rule, by its name. */
  | { readonly kind: 'fault'; readonly rule: typeof LIST_OF_DOCUMENTS | 'arrayMaxSize' }
  /** An entry is wrong. */
  | { readonly kind: 'entry'; readonly at: number };

/** Values of the entries that are judged between two chances of others. */
const VALUES_PER_STEP = 50;

function* judge({ type, maxSize }: DocumentList, value: readonly unknown[]): Walk<Judged> {
  if (!value.every(isJsonObject)) return { kind: 'fault', rule: LIST_OF_DOCUMENTS };
  if (value.length > maxSize) return { kind: 'fault', rule: 'arrayMaxSize' };
  const entries: object[] = [];
  let left = VALUES_PER_STEP;
  for (const each of value) {
    const entry = plainToInstance(type(), each);
    if (validateSync(entry, JUDGED_STRICTLY).length > 0) return { kind: 'entry', at: entries.length };
    entries.push(entry);
    left = weighed(each, left);
    if (left >= 0) continue;
    left = VALUES_PER_STEP;
    yield;
  }
  return { kind: 'fine', entries };
}

/** The document as an instance of its class, and what is wrong with it, in the order of the library. */
export function* judgedDocument<T extends object>(
  type: ClassConstructor<T>,
  plain: object,
): Walk<{ readonly instance: T; readonly errors: readonly ValidationError[] }> {
  const judged = new Map<string, Judged>();
  const copy: Record<string, unknown> = { ...plain };
  for (const [name, list] of listsOf(type)) {
    const value = copy[name];
    if (!Array.isArray(value) || isPart(value)) continue;
    const found = yield* judge(list, value);
    judged.set(name, found);
    copy[name] = found.kind === 'fine' ? [] : [found.kind === 'fault' ? null : value[found.at]];
  }
  const instance = plainToInstance(type, copy);
  const errors = validateSync(instance, JUDGED_STRICTLY);
  for (const error of errors) place(error, judged.get(error.property), plain);
  for (const [property, found] of judged) if (found.kind === 'fine') Reflect.set(instance, property, found.entries);
  return { instance, errors };
}

/** Gives what is wrong with the copy the rule, the value and the place that it has in the document. */
function place(error: ValidationError, judged: Judged | undefined, plain: object): void {
  if (judged?.kind === 'fault') {
    error.constraints = { [judged.rule]: '' };
    error.value = Reflect.get(plain, error.property) as unknown;
  }
  const [entry] = error.children ?? [];
  if (judged?.kind === 'entry' && entry !== undefined) entry.property = String(judged.at);
}
