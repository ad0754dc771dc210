// The query string, read strictly: UTF-8, `+` and percent-decoding, repeated parameters kept in order.
import { InvalidInput } from '../domain/errors';
import { QUERY_PREFIX } from '../domain/field-fault';
import { addTo } from '../domain/lists-by-key';

/** Parameters by name, each with all its values in the order sent. */
export class QueryParams {
  private constructor(private readonly values: ReadonlyMap<string, readonly string[]>) {}

  /** Throws InvalidInput for text that is not UTF-8 once decoded. */
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

  /** What schemas judge: the last value of each parameter. */
  lastValues(): Readonly<Record<string, string>> {
    // Without a prototype, as a parameter may have the name of something that objects have from theirs.
    const judged = Object.create(null) as Record<string, string>;
    for (const [name, values] of this.values) judged[name] = values.at(-1) ?? '';
    return judged;
  }
}

const ENCODED = /[%+]/;

function decode(text: string): string {
  if (!ENCODED.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // A single percent sign is text; bytes that are no UTF-8 are an error.
    const repaired = text.replaceAll('+', ' ').replaceAll(/%(?![0-9a-fA-F]{2})/g, '%25');
    try {
      return decodeURIComponent(repaired);
    } catch {
      throw new InvalidInput(`${QUERY_PREFIX} the query string is not UTF-8.`);
    }
  }
}
