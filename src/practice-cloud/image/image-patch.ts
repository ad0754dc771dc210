// The body of a PATCH: a JSON patch of fields, properties, and single tags. Pure.
import { PRACTICE_CLOUD_LIMITS } from '../../platform/config/limits/practice-cloud';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { bodyFault, FIELD_RULES, shown } from '../../platform/values/field-fault';
import type { ImageDocument } from './image-document';

interface Operation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly field: string;
  /** The entry of a list; `-` means after the last entry. */
  readonly entry: string | undefined;
  readonly value: unknown;
}

/** Parses the operations. Throws InvalidInput that names the invalid one. */
export function patchOf(body: unknown): readonly Operation[] {
  if (!Array.isArray(body)) throw bodyFault('', FIELD_RULES.type('array'));
  if (body.length > SCHEDULER_LIMITS.keysPerDocument + PRACTICE_CLOUD_LIMITS.imageTags) {
    throw bodyFault('', 'has more operations than an image has fields');
  }
  return body.map((each: unknown, at) => operationOf(each, `${at}`));
}

function operationOf(value: unknown, path: string): Operation {
  if (typeof value !== 'object' || value === null) throw bodyFault(path, FIELD_RULES.type('object'));
  const fields = new Map<string, unknown>(Object.entries(value));
  const op = fields.get('op');
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    throw bodyFault(`${path}.op`, FIELD_RULES.oneOf(['add', 'replace', 'remove']));
  }
  if (op !== 'remove' && !fields.has('value')) throw bodyFault(path, FIELD_RULES.required('value'));
  const pointer = fields.get('path');
  const segments = typeof pointer === 'string' && pointer.startsWith('/') ? pointer.slice(1).split('/') : [];
  const [field, entry, ...deeper] = segments.map(unescaped);
  if (field === undefined || field === '' || deeper.length > 0 || (entry !== undefined && field !== 'tags')) {
    throw bodyFault(`${path}.path`, 'must name a field or property of the image');
  }
  return { op, field, entry, value: fields.get('value') };
}

/** Decodes a segment of a JSON pointer. */
const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

/** Applies the operations. A field that is replaced or removed must exist. Throws InvalidInput. */
export function patched(document: ImageDocument, operations: readonly Operation[]): ImageDocument {
  const after = new Map(document);
  for (const operation of operations) {
    const { op, field, entry, value } = operation;
    if (op !== 'add' && !after.has(field)) throw bodyFault(shown(field), 'is no field or property of the image');
    if (entry !== undefined) after.set(field, entryPatched(after.get(field), operation, entry));
    else if (op === 'remove') after.delete(field);
    else after.set(field, value);
  }
  return after;
}

function entryPatched(list: unknown, { op, field, value }: Operation, entry: string): readonly unknown[] {
  const entries: unknown[] = Array.isArray(list) ? [...(list as readonly unknown[])] : [];
  const at = entry === '-' ? entries.length : /^\d{1,6}$/.test(entry) ? Number(entry) : -1;
  if (at < 0 || at > entries.length - (op === 'add' ? 0 : 1)) throw bodyFault(field, `has no entry ${shown(entry)}`);
  entries.splice(at, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]));
  return entries;
}
