// JSON Schemas with which clients validate images before they send them.
import { MAX_TEXT } from '../../compute/registry-schema';
import type { SchemaNode } from '../../platform/microversion/versioned-schema';

const text = { type: ['null', 'string'] };
const readOnlyText = { ...text, readOnly: true };

/** Fields of an image by name. `readOnly` marks those that a client must not send. */
export const IMAGE_FIELDS: Readonly<Record<string, SchemaNode>> = {
  id: { type: 'string', readOnly: true },
  name: { ...text, maxLength: MAX_TEXT },
  status: { type: 'string', readOnly: true, enum: ['queued', 'active'] },
  visibility: { type: 'string', enum: ['community', 'public', 'private', 'shared'] },
  protected: { type: 'boolean' },
  os_hidden: { type: 'boolean' },
  owner: { ...text, maxLength: MAX_TEXT },
  container_format: text,
  disk_format: text,
  min_disk: { type: 'integer' },
  min_ram: { type: 'integer' },
  tags: { type: 'array', items: { type: 'string', maxLength: MAX_TEXT } },
  size: { type: ['null', 'integer'], readOnly: true },
  virtual_size: { type: ['null', 'integer'], readOnly: true },
  checksum: readOnlyText,
  os_hash_algo: readOnlyText,
  os_hash_value: readOnlyText,
  created_at: { type: 'string', readOnly: true },
  updated_at: { type: 'string', readOnly: true },
  self: { type: 'string', readOnly: true },
  file: { type: 'string', readOnly: true },
  schema: { type: 'string', readOnly: true },
};

export const READ_ONLY_FIELDS = Object.keys(IMAGE_FIELDS).filter((name) => IMAGE_FIELDS[name]?.['readOnly'] === true);

const IMAGE = {
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

const IMAGES = {
  name: 'images',
  properties: {
    images: { type: 'array', items: IMAGE },
    first: { type: 'string' },
    next: { type: 'string' },
    schema: { type: 'string' },
  },
  links: [
    { rel: 'first', href: '{first}' },
    { rel: 'next', href: '{next}' },
    { rel: 'describedby', href: '{schema}' },
  ],
};

/** Keyed by the last segment of the path. */
export const IMAGE_SCHEMAS: ReadonlyMap<string, object> = new Map<string, object>([
  ['image', IMAGE],
  ['images', IMAGES],
]);
