// Merges the parameters of many rejections into one set, so one template describes all hosts. Equal values stay,
// numbers and times become a range, other values become a list of limited length.

import type { RejectionParam, RejectionParams } from '../../placement/candidate-search';

/** Different values of one parameter in a sentence. */
const VALUES_SHOWN = 3;

interface Seen {
  min: number;
  max: number;
  /** Texts of the first different values. */
  readonly texts: string[];
  /** There are more texts than the list holds. */
  isFull: boolean;
  isNumeric: boolean;
  /** Null: one of the values is no time. */
  firstTime: string | null;
  lastTime: string | null;
  first: RejectionParam;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** Merges parameters one by one. Time and memory do not depend on the number of hosts with equal values. */
export class MergedParams {
  private readonly seen = new Map<string, Seen>();
  /** The entries of `seen` in order: parameters of one code have the same names, so iteration needs no lookups. */
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
    firstTime: timeOf(value),
    lastTime: timeOf(value),
    first: value,
  };
}

function widen(seen: Seen, value: RejectionParam): void {
  if (typeof value === 'number' && seen.isNumeric) {
    seen.min = Math.min(seen.min, value);
    seen.max = Math.max(seen.max, value);
    return;
  }
  const time = timeOf(value);
  if (time === null || seen.firstTime === null) seen.firstTime = null;
  else {
    if (time < seen.firstTime) seen.firstTime = time;
    if (seen.lastTime === null || time > seen.lastTime) seen.lastTime = time;
    return;
  }
  const text = textOf(value);
  if (seen.texts.includes(text)) return;
  seen.isNumeric = false;
  if (seen.texts.length < VALUES_SHOWN) seen.texts.push(text);
  else seen.isFull = true;
}

function mergedValue({ min, max, texts, isFull, isNumeric, first, firstTime, lastTime }: Seen): RejectionParam {
  if (isNumeric) return min === max ? first : `${min} to ${max}`;
  if (firstTime !== null && lastTime !== null) return firstTime === lastTime ? first : `${firstTime} to ${lastTime}`;
  return texts.length === 1 ? first : `${texts.join(' or ')}${isFull ? ' or others' : ''}`;
}

const timeOf = (value: RejectionParam): string | null => (typeof value === 'string' && TIME.test(value) ? value : null);

const textOf = (value: RejectionParam): string => (Array.isArray(value) ? value.join(', ') : String(value));
