// Parses the query string strictly: UTF-8, `+` and percent-decoding, repeated parameters in order. Also converts
// parameter values.
import { InvalidInput } from '../values/errors';
import { FIELD_RULES, QUERY_PREFIX, queryFault } from '../values/field-fault';
import { addTo } from '../values/lists-by-key';
import type { Uuid } from '../values/uuid';
import { canonicalUuid } from '../values/uuid';

/** Parameters by name, each with all its values in the order sent. */
export class QueryParams {
  private constructor(private readonly values: ReadonlyMap<string, readonly string[]>) {}

  /** Throws InvalidInput if the decoded text is not UTF-8. */
  static parse(queryText: string): QueryParams {
    const values = new Map<string, string[]>();
    for (const part of queryText.split('&')) {
      if (part === '') continue;
      const at = part.indexOf('=');
      const name = decode(at < 0 ? part : part.slice(0, at));
      const value = decode(at < 0 ? '' : part.slice(at + 1));
      addTo(values, name, value);
    }
    return new QueryParams(values);
  }

  get names(): readonly string[] {
    return [...this.values.keys()];
  }

  all(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  first(name: string): string | undefined {
    return this.all(name)[0];
  }

  last(name: string): string | undefined {
    return this.all(name).at(-1);
  }

  /** This and the following methods convert the last value; undefined if the parameter is absent. */
  uuid(name: string): Uuid | undefined {
    const text = this.last(name);
    if (text === undefined) return undefined;
    const uuid = canonicalUuid(text);
    if (uuid === undefined) throw queryFault(name, FIELD_RULES.uuid);
    return uuid;
  }

  boolean(name: string): boolean | undefined {
    const text = this.last(name);
    if (text === undefined) return undefined;
    if (/^(true|1|yes)$/i.test(text)) return true;
    if (/^(false|0|no)$/i.test(text)) return false;
    throw queryFault(name, `must be true or false, not '${text}'`);
  }

  choice<const C extends string>(name: string, choices: readonly C[]): C | undefined {
    const text = this.last(name);
    return text === undefined ? undefined : chosen(name, text, choices);
  }

  /** An integer from 1 to `most`. */
  amount(name: string, most: number): number | undefined {
    const text = this.last(name);
    if (text === undefined) return undefined;
    const amount = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (amount >= 1 && amount <= most) return amount;
    throw queryFault(name, `must be an integer from 1 to ${most}, not '${text}'`);
  }

  /** The last value of each parameter, for validation by a schema. */
  lastValues(): Readonly<Record<string, string>> {
    // Without a prototype, because a parameter can have the name of an inherited property.
    const judged = Object.create(null) as Record<string, string>;
    for (const [name, values] of this.values) judged[name] = values.at(-1) ?? '';
    return judged;
  }
}

/** The value as one of the choices. */
export function chosen<const C extends string>(name: string, text: string, choices: readonly C[]): C {
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw queryFault(name, `${FIELD_RULES.oneOf(choices)}, not '${text}'`);
  return choice;
}

/** A percent sign without two hex digits is text; bytes that are not UTF-8 are an error. */
export const withLonePercentsEncoded = (text: string): string => text.replaceAll(/%(?![0-9a-fA-F]{2})/g, '%25');

const ENCODED = /[%+]/;

function decode(text: string): string {
  if (!ENCODED.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    try {
      return decodeURIComponent(withLonePercentsEncoded(text.replaceAll('+', ' ')));
    } catch {
      throw new InvalidInput(`${QUERY_PREFIX} the query string is not UTF-8.`);
    }
  }
}
