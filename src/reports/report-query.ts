// What the query strings of reports have in common: pages, repeated parameters and choices, each judged by name.
import { knownQuery, unknownMarker } from '../compute/registry-page';
import { REPORT_LIMITS } from '../config/limits';
import { FIELD_RULES, queryFault } from '../domain/field-fault';
import { canonicalUuid } from '../domain/uuid';
import type { QueryParams } from '../http/query-params';

export class ReportQuery {
  private readonly params: QueryParams;

  /** Throws InvalidInput for a parameter that is not known here. */
  constructor(queryText: string, known: readonly string[]) {
    this.params = knownQuery(queryText, known);
  }

  /** The one value; given twice it would be unclear which counts. */
  one(name: string): string | undefined {
    const values = this.params.all(name);
    if (values.length > 1) throw queryFault(name, 'is given twice');
    return values[0];
  }

  /** All values, each once. */
  all(name: string): readonly string[] {
    const values = [...new Set(this.params.all(name))];
    const most = REPORT_LIMITS.repeatedValues;
    if (values.length > most) throw queryFault(name, FIELD_RULES.entries('most', most));
    return values;
  }

  choice<const C extends string>(name: string, choices: readonly C[]): C | undefined {
    const text = this.one(name);
    return text === undefined ? undefined : chosen(name, text, choices);
  }

  choices<const C extends string>(name: string, choices: readonly C[]): readonly C[] {
    return this.all(name).map((text) => chosen(name, text, choices));
  }

  uuid(name: string): string | undefined {
    const text = this.one(name);
    if (text === undefined) return undefined;
    const uuid = canonicalUuid(text);
    if (uuid === undefined) throw queryFault(name, FIELD_RULES.uuid);
    return uuid;
  }

  limit(): number {
    const text = this.one('limit');
    if (text === undefined) return REPORT_LIMITS.listDefault;
    const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (limit >= 1 && limit <= REPORT_LIMITS.listMax) return limit;
    throw queryFault('limit', `must be an integer from 1 to ${REPORT_LIMITS.listMax}, not '${text}'`);
  }
}

function chosen<const C extends string>(name: string, text: string, choices: readonly C[]): C {
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw queryFault(name, `${FIELD_RULES.oneOf(choices)}, not '${text}'`);
  return choice;
}

/** The items behind the one that the marker names, as many as asked for; `next` is the key of the last of them, if more follow. */
export function pageBehind<T>(
  items: readonly T[],
  { limit, marker }: { readonly limit: number; readonly marker: string | undefined },
  keyOf: (item: T) => string,
): { readonly page: readonly T[]; readonly next: string | null } {
  const at = marker === undefined ? 0 : items.findIndex((item) => keyOf(item) === marker) + 1;
  if (marker !== undefined && at === 0) throw unknownMarker(marker);
  const page = items.slice(at, at + limit);
  const last = page.at(-1);
  return { page, next: last === undefined || at + limit >= items.length ? null : keyOf(last) };
}
