// The variables of a case: `$host` is a uuid, `$FAST` a custom name, `$newest` the newest microversion, and kept values
// have the name given by the step. Every case has unique values, so cases can share a service.
import { createHash } from 'node:crypto';
import { MICROVERSIONS } from '../../src/placement/microversions';
import { Matcher } from './matchers';

const WORD = /\$(?:\$|\{(\w+)(?:\|(\w+))?\}|(\w+))/g;
const WHOLE_WORD = /^\$(?:\{(\w+)\}|(\w+))$/;

type Spelling = (value: string) => string;

/** Other spellings of a value: `${host|upper}`. */
const SPELLINGS: Readonly<Record<string, Spelling>> = {
  upper: (value) => value.toUpperCase(),
  bare: (value) => value.replaceAll('-', ''),
  braces: (value) => `{${value}}`,
  urn: (value) => `urn:uuid:${value}`,
  plus1: (value) => String(Number(value) + 1),
  minus1: (value) => String(Number(value) - 1),
  pad200: (value) => value.padEnd(200, 'A'),
  pad201: (value) => value.padEnd(201, 'A'),
  pad255: (value) => value.padEnd(255, 'A'),
  pad256: (value) => value.padEnd(256, 'A'),
};

const isName = (word: string): boolean => /^[A-Z]/.test(word);

export class Variables {
  private readonly values = new Map<string, unknown>([['newest', MICROVERSIONS.newest.text]]);

  /** Equal seeds give equal values, so a failing case can be repeated by hand. */
  constructor(private readonly seed: string) {}

  get(word: string): unknown {
    if (!this.values.has(word)) this.values.set(word, this.fresh(word));
    return this.values.get(word);
  }

  set(word: string, value: unknown): void {
    this.values.set(word, value);
  }

  /** The value with every variable replaced, including object keys. A text that is one variable keeps its type. */
  fill<T>(value: T): T {
    return this.filled(value) as T;
  }

  private filled(value: unknown): unknown {
    if (typeof value === 'string') return this.fillText(value);
    if (value instanceof Matcher) return new Matcher(value.kind, this.filled(value.operand));
    if (Array.isArray(value)) return value.map((item) => this.filled(item));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key), this.filled(item)]));
    }
    return value;
  }

  text(value: string): string {
    return value.replaceAll(WORD, (whole, inBraces?: string, spelling?: string, bare?: string) => {
      if (whole === '$$') return '$';
      const plain = String(this.get(inBraces ?? bare ?? ''));
      if (spelling === undefined) return plain;
      const spell = SPELLINGS[spelling];
      if (spell === undefined) throw new Error(`no spelling is called '${spelling}' (in ${value})`);
      return spell(plain);
    });
  }

  private fillText(value: string): unknown {
    const whole = WHOLE_WORD.exec(value);
    return whole === null ? this.text(value) : this.get(whole[1] ?? whole[2] ?? '');
  }

  private fresh(word: string): string {
    const hash = createHash('sha256').update(`${this.seed}\n${word}`).digest('hex');
    if (isName(word)) return `CUSTOM_${word.toUpperCase()}_${hash.slice(0, 8).toUpperCase()}`;
    return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  }
}
