// Reads fields of NUMA and PCI documents: what is wrong is refused with the path of the field.

import { invalid } from '../request/request-refusal';

/** Counts and amounts; what is measured in pages may be larger. */
export const COUNT_MAX = 2_147_483_647;
export const PAGES_MAX = 2 ** 40;
const TEXT_MAX = 255;
/** CPUs of one list; the largest machines have some two thousand. */
const CPUS_MAX = 4_096;

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; one that is not among the known is refused. */
export function fieldsOf(value: unknown, path: string, known: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(path, 'must be an object');
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) throw invalid(`${path}.${name}`, `is unknown; known are ${known.join(', ')}`);
  }
  return value as Fields;
}

/** The items of a list, each with its path. An absent list is empty. */
export function itemsOf(value: unknown, path: string, max: number): readonly (readonly [unknown, string])[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw invalid(path, 'must be a list');
  if (value.length > max) throw invalid(path, `has ${value.length} items; at most ${max} are allowed`);
  return (value as readonly unknown[]).map((item, at) => [item, `${path}[${at}]`] as const);
}

export function integerOf(
  value: unknown,
  path: string,
  bounds: { readonly min?: number; readonly max?: number } = {},
): number {
  const { min = 0, max = COUNT_MAX } = bounds;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw invalid(path, `must be an integer from ${min} to ${max}`);
}

export const integerOr = (value: unknown, path: string, absent: number, max = COUNT_MAX): number =>
  value === undefined ? absent : integerOf(value, path, { max });

export const integerOrNull = (value: unknown, path: string): number | null =>
  value === undefined || value === null ? null : integerOf(value, path);

export function textOf(value: unknown, path: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= TEXT_MAX) return value;
  throw invalid(path, `must be a text of 1 to ${TEXT_MAX} characters`);
}

export const textOrNull = (value: unknown, path: string): string | null =>
  value === undefined || value === null ? null : textOf(value, path);

export function booleanOr(value: unknown, path: string, absent: boolean): boolean {
  if (value === undefined) return absent;
  if (typeof value === 'boolean') return value;
  throw invalid(path, 'must be true or false');
}

export function oneOf<Value extends string>(value: unknown, path: string, values: readonly Value[]): Value {
  const known = values.find((candidate) => candidate === value);
  if (known === undefined) throw invalid(path, `must be one of ${values.join(', ')}`);
  return known;
}

/** Numbers of CPUs, none of them twice; null counts as absent, as hosts write it. */
export function cpusOf(value: unknown, path: string): readonly number[] {
  const cpus = itemsOf(value ?? undefined, path, CPUS_MAX).map(([item, at]) => integerOf(item, at));
  const twice = cpus.find((cpu, at) => cpus.indexOf(cpu) !== at);
  if (twice !== undefined) throw invalid(path, `names CPU ${twice} twice`);
  return cpus;
}
