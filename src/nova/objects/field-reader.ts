// Typed reading of an object's fields. A field that is not set or null gives the default; another type is an error that
// names the field's path. Remembers the fields that were read, and so finds fields of newer minor versions.

import type { NovaDictionary, NovaValue } from './versioned-object';
import { isList, itemsOf, NovaObject, NovaObjectError } from './versioned-object';

type Texts = readonly string[];

export class FieldReader {
  private readonly namesRead = new Set<string>();
  private readonly nested: FieldReader[] = [];

  constructor(
    private readonly source: NovaObject,
    private readonly path: string,
    /** Names of fields without effect, by object. */
    private readonly withoutEffect: Readonly<Record<string, Texts>> = {},
  ) {}

  text(name: string): string | null {
    return this.scalar(name, 'a text', (value): value is string => typeof value === 'string');
  }

  number(name: string): number | null {
    return this.scalar(name, 'a number', (value): value is number => typeof value === 'number');
  }

  flag(name: string): boolean | null {
    return this.scalar(name, 'a boolean', (value): value is boolean => typeof value === 'boolean');
  }

  /** A list of texts in its order; empty if not set. */
  texts(name: string): Texts {
    return this.list(name).map((item) => this.textOf(name, item));
  }

  /** A set of texts, sorted, because senders write it in any order. */
  textSet(name: string): Texts {
    return [...this.texts(name)].sort();
  }

  numberSet(name: string): readonly number[] {
    const numbers = this.list(name).map((item) => (typeof item === 'number' ? item : this.refuse(name, 'numbers')));
    return numbers.sort((one, other) => one - other);
  }

  textLists(name: string): readonly Texts[] {
    return this.list(name).map((item) => this.listOf(name, item).map((text) => this.textOf(name, text)));
  }

  dictionaries(name: string): readonly NovaDictionary[] {
    return this.list(name).map((item) => this.dictionaryOf(name, item));
  }

  dictionary(name: string): NovaDictionary {
    const value = this.value(name);
    return value === null ? {} : this.dictionaryOf(name, value);
  }

  object(name: string): FieldReader | null {
    const value = this.value(name);
    return value === null ? null : this.nest(name, name, value);
  }

  /** The objects of a list or of a `…List` object; empty if not set. */
  objects(name: string): readonly FieldReader[] {
    return itemsOf(this.value(name)).map((item, index) => this.nest(name, `${name}[${index}]`, item));
  }

  /** All fields, for an object that is a table of properties. */
  all(): NovaDictionary {
    for (const name of Object.keys(this.source.fields)) this.namesRead.add(name);
    return this.source.fields;
  }

  /** Paths of the fields that are neither null, read nor without effect, of this object and of those read from it. */
  unknownFields(): Texts {
    const known = this.withoutEffect[this.source.name] ?? [];
    const own = Object.entries(this.source.fields)
      .filter(([name, value]) => value !== null && !this.namesRead.has(name) && !known.includes(name))
      .map(([name]) => this.pathOf(name));
    return [...own, ...this.nested.flatMap((reader) => reader.unknownFields())].sort();
  }

  private value(name: string): NovaValue {
    this.namesRead.add(name);
    return this.source.fields[name] ?? null;
  }

  private scalar<T extends NovaValue>(name: string, type: string, is: (value: NovaValue) => value is T): T | null {
    const value = this.value(name);
    if (value === null || is(value)) return value;
    return this.refuse(name, type);
  }

  private list(name: string): readonly NovaValue[] {
    const value = this.value(name);
    return value === null ? [] : this.listOf(name, value);
  }

  private listOf(name: string, value: NovaValue): readonly NovaValue[] {
    return isList(value) ? value : this.refuse(name, 'a list');
  }

  private textOf(name: string, value: NovaValue): string {
    return typeof value === 'string' ? value : this.refuse(name, 'texts');
  }

  private dictionaryOf(name: string, value: NovaValue): NovaDictionary {
    if (typeof value !== 'object' || value === null || isList(value) || value instanceof NovaObject) {
      return this.refuse(name, 'a dictionary');
    }
    return value;
  }

  private nest(name: string, path: string, value: NovaValue): FieldReader {
    if (!(value instanceof NovaObject)) return this.refuse(name, 'a versioned object');
    const reader = new FieldReader(value, this.pathOf(path), this.withoutEffect);
    this.nested.push(reader);
    return reader;
  }

  private pathOf(name: string): string {
    return `${this.path}.${name}`;
  }

  private refuse(name: string, type: string): never {
    throw new NovaObjectError(`Field ${this.pathOf(name)} must have ${type} as its value.`);
  }
}

/** The values of a dictionary as texts. Scalars that are no texts are written as JSON; others are left out. */
export function textValuesOf(dictionary: NovaDictionary): Readonly<Record<string, string>> {
  const entries = Object.entries(dictionary).flatMap(([key, value]) => {
    const text = scalarText(value);
    return text === null ? [] : [[key, text] as const];
  });
  return Object.fromEntries(entries);
}

/** The text of a text, number or boolean; null for other values. */
export function scalarText(value: NovaValue): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
