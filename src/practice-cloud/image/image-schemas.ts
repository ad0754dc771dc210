// JSON Schemas of images: those with which clients validate an image before they send it, and that of the service.
import { MAX_TEXT } from '../../compute/registry-schema';
import { MAX_INT } from '../../placement/domain/inventory';
import { HTTP_LIMITS } from '../../platform/config/limits/http';
import { PRACTICE_CLOUD_LIMITS } from '../../platform/config/limits/practice-cloud';
import { CompiledSchema } from '../../platform/http/schema-validator';
import type { SchemaNode } from '../../platform/microversion/versioned-schema';
import { PRINTABLE } from '../../platform/values/printable';
import type { Visibility } from './practice-image.entity';
import { VISIBILITIES } from './practice-image.entity';

const DISK_FORMATS = ['ami', 'ari', 'aki', 'vhd', 'vhdx', 'vmdk', 'raw', 'qcow2', 'vdi', 'ploop', 'iso'];
const CONTAINER_FORMATS = ['ami', 'ari', 'aki', 'bare', 'ovf', 'ova', 'docker', 'compressed'];

const TEXT_OR_NULL = { type: ['null', 'string'], maxLength: MAX_TEXT };
const COUNT_OR_NULL = { type: ['null', 'integer'], minimum: 0, maximum: MAX_INT };
const FLAG_OR_NULL = { type: ['null', 'boolean'] };
const SHOWN_TEXT = { type: 'string', readOnly: true };
const SHOWN_TEXT_OR_NULL = { type: ['null', 'string'], readOnly: true };
const SHOWN_INTEGER_OR_NULL = { type: ['null', 'integer'], readOnly: true };

/** Fields that a client writes. Null stands for the default. */
const WRITABLE_FIELDS: Readonly<Record<string, SchemaNode>> = {
  name: TEXT_OR_NULL,
  visibility: { enum: [null, ...VISIBILITIES] },
  protected: FLAG_OR_NULL,
  os_hidden: FLAG_OR_NULL,
  owner: TEXT_OR_NULL,
  container_format: { enum: [null, ...CONTAINER_FORMATS] },
  disk_format: { enum: [null, ...DISK_FORMATS] },
  min_disk: COUNT_OR_NULL,
  min_ram: COUNT_OR_NULL,
  tags: {
    type: ['null', 'array'],
    maxItems: PRACTICE_CLOUD_LIMITS.imageTags,
    items: { type: 'string', minLength: 1, maxLength: MAX_TEXT },
  },
};

/** Fields of an image by name. `readOnly` marks those that a client must not send. */
const IMAGE_FIELDS: Readonly<Record<string, SchemaNode>> = {
  ...WRITABLE_FIELDS,
  id: SHOWN_TEXT,
  status: { ...SHOWN_TEXT, enum: ['queued', 'active'] },
  size: SHOWN_INTEGER_OR_NULL,
  virtual_size: SHOWN_INTEGER_OR_NULL,
  checksum: SHOWN_TEXT_OR_NULL,
  os_hash_algo: SHOWN_TEXT_OR_NULL,
  os_hash_value: SHOWN_TEXT_OR_NULL,
  created_at: SHOWN_TEXT,
  updated_at: SHOWN_TEXT,
  self: SHOWN_TEXT,
  file: SHOWN_TEXT,
  schema: SHOWN_TEXT,
};

/** Fields of the Image API that are never shown. */
const NEVER_SHOWN = ['locations', 'direct_url', 'stores'];

/** Names of fields; every other name is that of a property. */
export const FIELD_NAMES: ReadonlySet<string> = new Set([...Object.keys(IMAGE_FIELDS), ...NEVER_SHOWN]);
export const isReadOnly = (name: string): boolean => FIELD_NAMES.has(name) && !(name in WRITABLE_FIELDS);

const { documentTextCharacters } = HTTP_LIMITS;
const PRINTED = { pattern: PRINTABLE.source };

/** The document that a client writes. Its patterns are not published: other languages do not read them. */
export const WRITTEN_IMAGE = new CompiledSchema(() => ({
  type: 'object',
  properties: {
    ...WRITABLE_FIELDS,
    name: { ...TEXT_OR_NULL, ...PRINTED },
    owner: { ...TEXT_OR_NULL, ...PRINTED },
    os_hidden: { enum: [null, false] },
    tags: { ...WRITABLE_FIELDS['tags'], items: { type: 'string', minLength: 1, maxLength: MAX_TEXT, ...PRINTED } },
  },
  propertyNames: {
    minLength: 1,
    maxLength: MAX_TEXT,
    ...PRINTED,
    not: { enum: Object.getOwnPropertyNames(Object.prototype) },
  },
  additionalProperties: { type: 'string', maxLength: documentTextCharacters, format: 'unicode' },
}));

/** A document that the schema accepts. */
export interface WrittenImage {
  readonly name?: string | null;
  readonly visibility?: Visibility | null;
  readonly protected?: boolean | null;
  readonly owner?: string | null;
  readonly container_format?: string | null;
  readonly disk_format?: string | null;
  readonly min_disk?: number | null;
  readonly min_ram?: number | null;
  readonly tags?: readonly string[] | null;
}

/** With which clients validate an image before they send it. */
export const IMAGE_SCHEMA = {
  name: 'image',
  properties: IMAGE_FIELDS,
  // The properties of the image.
  additionalProperties: { type: 'string' },
  links: [
    { rel: 'self', href: '{self}' },
    { rel: 'enclosure', href: '{file}' },
    { rel: 'describedby', href: '{schema}' },
  ],
};
