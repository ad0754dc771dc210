// One sentence for many hosts: the params of their rejections become one set of params, so that the template that tells
// of one host tells of all of them. Equal values stay, numbers become a range, other values are listed up to a bound.

import type { RejectionParam, RejectionParams } from '../../candidate-search';

/** Different values of one param that a sentence lists. */
const VALUES_SHOWN = 3;

interface Seen {
  min: number;
  max: number;
  /** Texts of the first different values. */
  readonly texts: string[];
  /** There are more texts than are listed. */
  isFull: boolean;
  isNumeric: boolean;
  first: RejectionParam;
}

/** Gathers params one after the other, in time and memory that do not depend on how many hosts have the same. */
export class MergedParams {
  private readonly seen = new Map<string, Seen>();
  /** Those of `seen` in order: params of one code have the same names, so they are gone through without looking up. */
  private known: (readonly [string, Seen])[] = [];

  add(params: RejectionParams): void {
    let met = 0;
    for (const [name, seen] of this.known) {
      const value = params[name];
      if (value === undefined) continue;
      met += 1;
      if (value !== seen.first && !seen.isFull) widen(seen, value);
    }
    const names = Object.keys(params);
    if (met < names.length) this.addNew(params, names);
  }

  params(): RejectionParams {
    return Object.fromEntries(this.known.map(([name, seen]) => [name, mergedValue(seen)]));
  }

  private addNew(params: RejectionParams, names: readonly string[]): void {
    for (const name of names) {
      const value = params[name];
      if (value !== undefined && !this.seen.has(name)) this.seen.set(name, firstOf(value));
    }
    this.known = [...this.seen];
  }
}

function firstOf(value: RejectionParam): Seen {
  const number = typeof value === 'number' ? value : 0;
  return {
    min: number,
    max: number,
    texts: [textOf(value)],
    isFull: false,
    isNumeric: typeof value === 'number',
    first: value,
  };
}

function widen(seen: Seen, value: RejectionParam): void {
  if (typeof value === 'number' && seen.isNumeric) {
    seen.min = Math.min(seen.min, value);
    seen.max = Math.max(seen.max, value);
    return;
  }
  const text = textOf(value);
  if (seen.texts.includes(text)) return;
  seen.isNumeric = false;
  if (seen.texts.length < VALUES_SHOWN) seen.texts.push(text);
  else seen.isFull = true;
}

function mergedValue({ min, max, texts, isFull, isNumeric, first }: Seen): RejectionParam {
  if (isNumeric) return min === max ? first : `${min} to ${max}`;
  return texts.length === 1 ? first : `${texts.join(' or ')}${isFull ? ' or others' : ''}`;
}

const textOf = (value: RejectionParam): string => (Array.isArray(value) ? value.join(', ') : String(value));
