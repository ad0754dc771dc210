// Images as documents of the Image API: fixed fields and, on the same level, the properties that scheduling reads.
// Converts a body to the stored form and back. Pure.
import type { RegisteredImage } from '../../compute/images/image.entity';
import type { ImageDefinition } from '../../compute/images/images.service';
import { bodyFault, FIELD_RULES, shown } from '../../platform/values/field-fault';
import { isJsonObject } from '../../platform/values/json-object';
import { canonicalUuid } from '../../platform/values/uuid';
import { toTheSecond } from '../times';
import type { WrittenImage } from './image-schemas';
import { FIELD_NAMES, isReadOnly, WRITTEN_IMAGE } from './image-schemas';
import type { PracticeImage } from './practice-image.entity';

/** `record` is undefined if the image was not created through the Image API. */
export interface ShownImage extends RegisteredImage {
  readonly record: ImageRecord | undefined;
}

type ImageRecord = Omit<PracticeImage, 'imageUuid'>;

/** The stored form of an image: the part in the registry, and the part of the practice cloud. */
export interface StoredImage extends ImageDefinition {
  readonly record: ImageRecord;
}

/** Fields and properties of a document by name. */
export type ImageDocument = ReadonlyMap<string, unknown>;

const NO_RECORD: ImageRecord = {
  owner: null,
  visibility: 'public',
  containerFormat: null,
  minDiskGb: 0,
  minRamMb: 0,
  isProtected: false,
  tags: [],
  sizeBytes: null,
  md5: null,
  sha512: null,
};

export const imageRecordOf = ({ record }: ShownImage): ImageRecord => record ?? NO_RECORD;

/** An image of the Image API is queued until its data is uploaded. The data of other images is stored elsewhere. */
export const imageStatusOf = ({ record }: ShownImage): 'active' | 'queued' =>
  record?.sizeBytes === null ? 'queued' : 'active';

export function presentImageDocument(image: ShownImage): object {
  const { uuid, createdAtMs, updatedAtMs } = image;
  const { sizeBytes, md5, sha512 } = imageRecordOf(image);
  return Object.fromEntries([
    ...writableOf(image),
    ['id', uuid],
    ['status', imageStatusOf(image)],
    ['size', sizeBytes],
    ['virtual_size', null],
    ['checksum', md5],
    ['os_hash_algo', sha512 === null ? null : 'sha512'],
    ['os_hash_value', sha512],
    ['created_at', toTheSecond(createdAtMs)],
    ['updated_at', toTheSecond(updatedAtMs ?? createdAtMs)],
    ['self', `/v2/images/${uuid}`],
    ['file', `/v2/images/${uuid}/file`],
    ['schema', '/v2/schemas/image'],
  ]);
}

/** The part of an image that a client can change. A property with the name of a field is omitted. */
export function writableOf(image: ShownImage): ImageDocument {
  const { name, diskFormat, properties } = image;
  const { owner, visibility, containerFormat, minDiskGb, minRamMb, isProtected, tags } = imageRecordOf(image);
  return new Map<string, unknown>([
    ...Object.entries(properties).filter(([key]) => !FIELD_NAMES.has(key)),
    ['name', name],
    ['visibility', visibility],
    ['owner', owner],
    ['container_format', containerFormat],
    ['disk_format', diskFormat],
    ['min_disk', minDiskGb],
    ['min_ram', minRamMb],
    ['protected', isProtected],
    ['tags', tags],
    ['os_hidden', false],
  ]);
}

/** Parses the body of a POST and separates the `id`. Throws InvalidInput with the name of the field. */
export function createdDocument(body: unknown): { readonly id: string | undefined; readonly document: ImageDocument } {
  if (!isJsonObject(body)) throw bodyFault('', FIELD_RULES.type('object'));
  const document = new Map<string, unknown>(Object.entries(body));
  const id = document.get('id');
  document.delete('id');
  return { id: id === undefined ? undefined : uuidOf(id), document };
}

function uuidOf(value: unknown): string {
  const uuid = typeof value === 'string' ? canonicalUuid(value) : undefined;
  if (uuid === undefined) throw bodyFault('id', FIELD_RULES.uuid);
  return uuid;
}

/**
 * Converts a document to its stored form. Absent fields get their defaults; size and checksums of the data are kept, and
 * so are properties with the name of a field, which the Image API cannot show. Throws InvalidInput with the field.
 */
export function storedImage(document: ImageDocument, before: ShownImage | undefined): StoredImage {
  const readOnly = [...document.keys()].find(isReadOnly);
  if (readOnly !== undefined) throw bodyFault(readOnly, 'is read-only');
  const written = Object.fromEntries(document) as WrittenImage;
  const fault = WRITTEN_IMAGE.faultIn(written);
  if (fault !== undefined) throw bodyFault(shown(fault.path.join('.')), fault.rule);
  const shadowed = Object.entries(before?.properties ?? {}).filter(([key]) => FIELD_NAMES.has(key));
  const properties = [...document].filter(([key]) => !FIELD_NAMES.has(key));
  const { sizeBytes, md5, sha512 } = before === undefined ? NO_RECORD : imageRecordOf(before);
  return {
    name: written.name ?? null,
    diskFormat: written.disk_format ?? null,
    properties: Object.fromEntries([...shadowed, ...properties]) as Readonly<Record<string, string>>,
    record: {
      owner: written.owner ?? null,
      visibility: written.visibility ?? 'shared',
      containerFormat: written.container_format ?? null,
      minDiskGb: written.min_disk ?? 0,
      minRamMb: written.min_ram ?? 0,
      isProtected: written.protected ?? false,
      tags: [...new Set(written.tags)],
      sizeBytes,
      md5,
      sha512,
    },
  };
}
