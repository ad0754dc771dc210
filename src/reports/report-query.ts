// Parses the query strings of reports: pages, repeated parameters and choices. Errors name the parameter.
import { knownQuery } from '../compute/registry-page';
import type { QueryParams } from '../platform/http/query-params';
import { chosen } from '../platform/http/query-params';
import { FIELD_RULES, queryFault } from '../platform/values/field-fault';

/** Rows of one page. */
const ROWS = { default: 1_000, most: 5_000 } as const;
/** Values that one query parameter may be given. */
const REPEATED_VALUES = 100;

export class ReportQuery {
  private readonly params: QueryParams;

  /** Throws InvalidInput for an unknown parameter. */
  constructor(queryText: string, known: readonly string[]) {
    this.params = knownQuery(queryText, known);
  }

  one(name: string): string | undefined {
    return this.givenOnce(name).last(name);
  }

  /** All values, each once. */
  all(name: string): readonly string[] {
    const values = [...new Set(this.params.all(name))];
    const most = REPEATED_VALUES;
    if (values.length > most) throw queryFault(name, FIELD_RULES.entries('most', most));
    return values;
  }

  choice<const C extends string>(name: string, choices: readonly C[]): C | undefined {
    return this.givenOnce(name).choice(name, choices);
  }

  choices<const C extends string>(name: string, choices: readonly C[]): readonly C[] {
    return this.all(name).map((text) => chosen(name, text, choices));
  }

  uuid(name: string): string | undefined {
    return this.givenOnce(name).uuid(name);
  }

  limit(rows: { readonly default: number; readonly most: number } = ROWS): number {
    return this.givenOnce('limit').amount('limit', rows.most) ?? rows.default;
  }

  /** Refuses a repeated parameter, because it is unclear which value counts. */
  private givenOnce(name: string): QueryParams {
    if (this.params.all(name).length > 1) throw queryFault(name, 'is given twice');
    return this.params;
  }
}
