// Codec of nova's versioned objects: JSON objects with a name, a version and the fields that are set. Reading accepts
// unknown names, minor versions and fields. An absent field means "not loaded" and differs from null.

import type { JsonObject } from '../../platform/values/json-object';
import { isJsonObject } from '../../platform/values/json-object';
import { KNOWN_OBJECTS } from './known-objects';

/** Levels of nesting; a request spec has 10. */
const DEPTH_MAX = 40;
/** Values in one document. A request spec has 200 and an instance list of 1 000 instances has 200 000. */
const VALUES_MAX = 1_000_000;
/** Characters of a sender's text in an error message. */
const SHOWN_CHARACTERS = 60;

const NAME = 'nova_object.name';
const NAMESPACE = 'nova_object.namespace';
const VERSION = 'nova_object.version';
const DATA = 'nova_object.data';
const CHANGES = 'nova_object.changes';
/** Major version; a third part exists after a backport. */
const MAJOR = /^(\d+)\.\d+(\.\d+)?$/;

export type NovaValue = null | boolean | number | string | NovaObject | readonly NovaValue[] | NovaDictionary;
export interface NovaDictionary {
  readonly [key: string]: NovaValue;
}

export class NovaObject {
  constructor(
    readonly name: string,
    readonly version: string,
    /** The fields that are set. */
    readonly fields: NovaDictionary,
  ) {}
}

/** The document is no versioned object, has an unknown major version or exceeds a bound. */
export class NovaObjectError extends Error {
  override readonly name = 'NovaObjectError';
}

/** Decodes a value and all objects in it. */
export function readValue(value: unknown): NovaValue {
  return new ObjectReader().read(value, 0);
}

/** Decodes an object of this name and all objects in it. */
export function readObject(value: unknown, name: string): NovaObject {
  const read = readValue(value);
  if (read instanceof NovaObject && read.name === name) return read;
  const found = read instanceof NovaObject ? `the object ${shown(read.name)}` : 'a value that is no versioned object';
  throw new NovaObjectError(`Expected the versioned object ${name}, received ${found}.`);
}

/** Items of a list, of a `…List` object or of a single object. nova's methods accept all three. */
export function itemsOf(value: NovaValue | undefined): readonly NovaValue[] {
  if (value === undefined || value === null) return [];
  if (isList(value)) return value;
  if (value instanceof NovaObject && value.name.endsWith('List')) return itemsOf(value.fields['objects']);
  return [value];
}

export const isList = (value: NovaValue | undefined): value is readonly NovaValue[] => Array.isArray(value);

/** The document of an object, with all fields marked as changed. Dates, sets and nested objects must be encoded. */
export function writeObject(name: string, version: string, fields: JsonObject): JsonObject {
  return {
    [NAME]: name,
    [NAMESPACE]: 'nova',
    [VERSION]: version,
    [DATA]: fields,
    [CHANGES]: Object.keys(fields).sort(),
  };
}

class ObjectReader {
  private values = 0;

  read(value: unknown, depth: number): NovaValue {
    this.values += 1;
    if (depth > DEPTH_MAX) throw new NovaObjectError(`The document has more than ${DEPTH_MAX} levels.`);
    if (this.values > VALUES_MAX) throw new NovaObjectError(`The document has more than ${VALUES_MAX} values.`);
    if (Array.isArray(value)) return value.map((item) => this.read(item, depth + 1));
    if (!isJsonObject(value)) return value as null | boolean | number | string;
    return VERSION in value || NAME in value ? this.readObject(value, depth) : this.readFields(value, depth);
  }

  private readObject(document: JsonObject, depth: number): NovaObject {
    const { [NAME]: name, [VERSION]: version, [DATA]: data } = document;
    if (typeof name !== 'string' || typeof version !== 'string' || !isJsonObject(data)) {
      throw new NovaObjectError(`A versioned object needs the members ${NAME}, ${VERSION} and ${DATA}.`);
    }
    const known = KNOWN_OBJECTS.get(name);
    if (known === undefined) return new NovaObject(name, version, this.readFields(data, depth));
    if (MAJOR.exec(version)?.[1] !== String(known.major)) {
      throw new NovaObjectError(
        `Version ${shown(version)} of the versioned object ${name} is not supported. Supported: ${known.major}.x.`,
      );
    }
    return new NovaObject(name, version, this.readFields(data, depth, known.keeps));
  }

  private readFields(fields: JsonObject, depth: number, keeps?: readonly string[]): NovaDictionary {
    const kept = Object.entries(fields).filter(([name]) => keeps?.includes(name) !== false);
    return Object.fromEntries(kept.map(([name, value]) => [name, this.read(value, depth + 1)]));
  }
}

const shown = (text: string): string => `'${text.slice(0, SHOWN_CHARACTERS)}'`;
