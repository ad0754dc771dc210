// An excerpt of a document for an event: the whole document if it is small, otherwise its beginning. Reads no more than
// it shows.

interface Excerpt {
  readonly content: unknown;
  readonly isCut: boolean;
}

/** JSON of about `characters` characters; long lists and objects end with the number of omitted entries. */
export function excerptOf(document: unknown, characters: number): Excerpt {
  const cutter = new Cutter(characters);
  const content = cutter.cut(document);
  return { content, isCut: cutter.isCut };
}

/** The size of quotes, colon and comma around a value; also that of a number or of brackets. */
const MARKS = 4;
const SCALAR_CHARACTERS = 8;

class Cutter {
  isCut = false;

  constructor(private left: number) {}

  cut(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    this.left -= SCALAR_CHARACTERS;
    if (Array.isArray(value)) return this.list(value);
    return typeof value === 'object' && value !== null ? this.object(value) : value;
  }

  private text(text: string): string {
    const room = Math.max(this.left, 0);
    this.left -= text.length + MARKS;
    if (text.length <= room) return text;
    this.isCut = true;
    return `${text.slice(0, room)}…`;
  }

  private list(entries: readonly unknown[]): readonly unknown[] {
    const shown: unknown[] = [];
    for (const entry of entries) {
      if (this.left <= 0) break;
      shown.push(this.cut(entry));
    }
    return shown.length === entries.length ? shown : [...shown, this.more(entries.length - shown.length)];
  }

  private object(object: object): object {
    const names = Object.keys(object);
    const shown: [string, unknown][] = [];
    for (const name of names) {
      if (this.left <= 0) break;
      this.left -= name.length + MARKS;
      shown.push([name, this.cut((object as Readonly<Record<string, unknown>>)[name])]);
    }
    const rest = names.length - shown.length;
    return Object.fromEntries(rest === 0 ? shown : [...shown, ['…', this.more(rest)]]);
  }

  private more(count: number): string {
    this.isCut = true;
    return `and ${count} more`;
  }
}
