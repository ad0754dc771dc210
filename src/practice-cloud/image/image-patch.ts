// The body of a PATCH: a JSON patch of fields, properties, and single tags. Pure.
import { PRACTICE_CLOUD_LIMITS } from '../../platform/config/limits/practice-cloud';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { CompiledSchema } from '../../platform/http/schema-validator';
import { bodyFault, shown } from '../../platform/values/field-fault';
import type { ImageDocument } from './image-document';

interface Operation {
  readonly op: 'add' | 'replace' | 'remove';
  /** A JSON pointer to a field, or to an entry of the tags; the entry `-` is after the last one. */
  readonly path: string;
  readonly value?: unknown;
}

const PATCH = new CompiledSchema(() => ({
  type: 'array',
  // The operations of an image whose fields and tags are all changed.
  maxItems: SCHEDULER_LIMITS.keysPerDocument + PRACTICE_CLOUD_LIMITS.imageTags,
  items: {
    type: 'object',
    properties: {
      op: { enum: ['add', 'replace', 'remove'] },
      path: { type: 'string', pattern: '^/([^/]+|tags/[^/]+)$' },
    },
    required: ['op', 'path'],
    if: { properties: { op: { enum: ['add', 'replace'] } } },
    then: { required: ['value'] },
  },
}));

/** Throws InvalidInput that names the invalid operation. */
export function patchOf(body: unknown): readonly Operation[] {
  const fault = PATCH.faultIn(body);
  if (fault !== undefined) throw bodyFault(fault.path.join('.'), fault.rule);
  return body as readonly Operation[];
}

/** Decodes a segment of a JSON pointer. */
const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

/** Applies the operations. A field that is replaced or removed must exist. Throws InvalidInput. */
export function patched(document: ImageDocument, operations: readonly Operation[]): ImageDocument {
  const after = new Map(document);
  for (const { op, path, value } of operations) {
    const [field = '', entry] = path.slice(1).split('/').map(unescaped);
    if (op !== 'add' && !after.has(field)) throw bodyFault(shown(field), 'is no field or property of the image');
    if (entry !== undefined) after.set(field, tagsPatched(after.get(field), entry, op, value));
    else if (op === 'remove') after.delete(field);
    else after.set(field, value);
  }
  return after;
}

function tagsPatched(tags: unknown, entry: string, op: Operation['op'], value: unknown): readonly unknown[] {
  const entries: unknown[] = Array.isArray(tags) ? [...(tags as readonly unknown[])] : [];
  const at = entry === '-' ? entries.length : /^\d{1,6}$/.test(entry) ? Number(entry) : -1;
  if (at < 0 || at > entries.length - (op === 'add' ? 0 : 1)) throw bodyFault('tags', `has no entry ${shown(entry)}`);
  entries.splice(at, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]));
  return entries;
}
