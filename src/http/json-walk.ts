// JSON text to a value, in turns. The engine's own parser works on parts of the text; what is done here is to find where
// a part ends. The result, and what is refused, are those of JSON.parse of the whole.
import { HTTP_LIMITS } from '../config/limits';
import type { Walk } from '../domain/walk';

/** Texts up to this length are parsed at once. */
const PART_CHARACTERS = 64 * 1_024;
/** Characters looked at between two chances to stop. */
const CHARACTERS_PER_STEP = 64 * 1_024;

/** Of a text with its quotes, where every character is escaped. */
const MOST_CHARACTERS = HTTP_LIMITS.documentTextCharacters * 6 + 2;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const isOpening = (code: number): boolean => code === 123 || code === 91;
const isClosing = (code: number): boolean => code === 125 || code === 93;
const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** Whether brackets are nested deeper than that. Whoever parses or judges the text may then do so recursively. */
export function* isNestedDeeper(text: string, levels: number): Walk<boolean> {
  let depth = 0;
  let nextPause = CHARACTERS_PER_STEP;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= nextPause) {
      nextPause = at + CHARACTERS_PER_STEP;
      yield;
    }
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (isOpening(code)) {
      depth += 1;
      if (depth > levels) return true;
    } else if (isClosing(code)) depth -= 1;
  }
  return false;
}

/** A text so long, or an object so wide, that merely to go through it would hold everybody up. */
export class BeyondBounds extends Error {
  override readonly name = 'BeyondBounds';
}

/** The value of the text. Throws SyntaxError where JSON.parse would, and BeyondBounds. */
export function* parseWalk(text: string): Walk<unknown> {
  return yield* valueOf(text, 0, text.length);
}

function* valueOf(text: string, from: number, to: number): Walk<unknown> {
  const [start, end] = trimmed(text, from, to);
  if (end - start <= PART_CHARACTERS || !isOpening(text.charCodeAt(start))) {
    yield;
    return JSON.parse(text.slice(start, end)) as unknown;
  }
  // Codes of a closing bracket and its opening one differ by two.
  if (text.charCodeAt(end - 1) !== text.charCodeAt(start) + 2) throw broken(end - 1);
  return text.charCodeAt(start) === 91
    ? yield* arrayOf(text, start + 1, end - 1)
    : yield* objectOf(text, start + 1, end - 1);
}

function* arrayOf(text: string, from: number, to: number): Walk<unknown[]> {
  const values: unknown[] = [];
  for (const [start, end] of yield* membersOf(text, from, to)) {
    if (end - start > PART_CHARACTERS) values.push(yield* valueOf(text, start, end));
    else {
      for (const value of JSON.parse(`[${text.slice(start, end)}]`) as unknown[]) values.push(value);
      yield;
    }
  }
  return values;
}

function* objectOf(text: string, from: number, to: number): Walk<object> {
  const found: Record<string, unknown> = {};
  let keys = 0;
  for (const [start, end] of yield* membersOf(text, from, to)) {
    if (keys > HTTP_LIMITS.jsonKeys) throw new BeyondBounds(`an object has more than ${HTTP_LIMITS.jsonKeys} keys`);
    if (end - start > PART_CHARACTERS) {
      const [keyStart] = trimmed(text, start, end);
      if (text.charCodeAt(keyStart) !== QUOTE) throw broken(keyStart);
      const keyEnd = endOfString(text, keyStart) + 1;
      const [colon] = trimmed(text, keyEnd, end);
      if (text.charCodeAt(colon) !== COLON) throw broken(colon);
      set(found, JSON.parse(text.slice(keyStart, keyEnd)) as string, yield* valueOf(text, colon + 1, end));
      keys += 1;
    } else {
      for (const [key, value] of Object.entries(JSON.parse(`{${text.slice(start, end)}}`) as object)) {
        set(found, key, value);
        keys += 1;
      }
      yield;
    }
  }
  return found;
}

/** As JSON.parse does: every key is a property of the object's own, whatever its name. */
function set(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
  } else object[key] = value;
}

type Range = readonly [start: number, end: number];

/** The members of a container: neighbours together as long as they are short, the commas between ranges left out. */
function* membersOf(text: string, from: number, to: number): Walk<readonly Range[]> {
  const ranges: Range[] = [];
  let depth = 0;
  let start = from;
  let lastComma = -1;
  let nextPause = from + CHARACTERS_PER_STEP;
  const close = (end: number): void => {
    const [first, last] = trimmed(text, start, end);
    if (first === last) throw broken(end);
    ranges.push([start, end]);
    start = end + 1;
  };
  for (let at = from; at <= to; at += 1) {
    if (at >= nextPause) {
      nextPause = at + CHARACTERS_PER_STEP;
      yield;
    }
    const code = at === to ? COMMA : text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (isOpening(code)) depth += 1;
    else if (isClosing(code)) depth -= 1;
    else if (code === COMMA && depth === 0) {
      // What came before this member would make it a part too long together with it.
      if (at - start > PART_CHARACTERS && lastComma >= start) close(lastComma);
      lastComma = at;
      if (at === to || at - start > PART_CHARACTERS) close(at);
    }
    if (depth < 0) throw broken(at);
  }
  // A text that is not closed runs past the end.
  if (depth !== 0 || start !== to + 1) throw broken(to);
  return ranges;
}

/** Where the string that begins there ends: at its closing quote, or behind the text. */
function endOfString(text: string, start: number): number {
  const last = Math.min(text.length, start + MOST_CHARACTERS);
  for (let at = start + 1; at < last; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  if (last === text.length) return last;
  throw new BeyondBounds(`a text has more than ${HTTP_LIMITS.documentTextCharacters} characters`);
}

function trimmed(text: string, from: number, to: number): Range {
  let [start, end] = [from, to];
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return [start, end];
}

const broken = (at: number): SyntaxError => new SyntaxError(`Unexpected token at position ${at}`);
