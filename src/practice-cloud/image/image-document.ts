// Images as documents of the Image API: fixed fields and, on the same level, the properties that scheduling reads.
// Converts a body to the stored form and back. Pure.
import type { RegisteredImage } from '../../compute/images/image.entity';
import type { ImageDefinition } from '../../compute/images/images.service';
import { MAX_TEXT } from '../../compute/registry-schema';
import { MAX_INT } from '../../placement/domain/inventory';
import { HTTP_LIMITS } from '../../platform/config/limits/http';
import { FACADE_LIMITS } from '../../platform/config/limits/practice-cloud';
import { isStorable } from '../../platform/http/schema-validator';
import { bodyFault, FIELD_RULES, shown } from '../../platform/values/field-fault';
import { isJsonObject } from '../../platform/values/json-object';
import { PRINTABLE } from '../../platform/values/printable';
import { canonicalUuid } from '../../platform/values/uuid';
import { toTheSecond } from '../times';
import type { FacadeImage } from './facade-image.entity';
import { VISIBILITIES } from './facade-image.entity';
import { IMAGE_FIELDS, READ_ONLY_FIELDS } from './image-schemas';

/** `record` is undefined if the image was not created through the Image API. */
export interface ShownImage extends RegisteredImage {
  readonly record: ImageRecord | undefined;
}

type ImageRecord = Omit<FacadeImage, 'imageUuid'>;

/** The stored form of an image: the part in the registry, and the part of the facade. */
export interface StoredImage extends ImageDefinition {
  readonly record: ImageRecord;
}

/** Fields and properties of a document by name. */
export type ImageDocument = ReadonlyMap<string, unknown>;

const CONTAINER_FORMATS = ['ami', 'ari', 'aki', 'bare', 'ovf', 'ova', 'docker', 'compressed'];
const DISK_FORMATS = ['ami', 'ari', 'aki', 'vhd', 'vhdx', 'vmdk', 'raw', 'qcow2', 'vdi', 'ploop', 'iso'];

/** Fields of the Image API that the facade never shows. */
const NEVER_SHOWN = ['locations', 'direct_url', 'stores'];

const FIELDS: ReadonlySet<string> = new Set([...Object.keys(IMAGE_FIELDS), ...NEVER_SHOWN]);
const ARE_READ_ONLY: ReadonlySet<string> = new Set([...READ_ONLY_FIELDS, ...NEVER_SHOWN]);

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
    ...Object.entries(properties).filter(([key]) => !FIELDS.has(key)),
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
 * Converts a document to its stored form. Absent fields get their defaults; size and checksums of the data are kept.
 */
export function storedImage(document: ImageDocument, before: ShownImage | undefined): StoredImage {
  const readOnly = [...document.keys()].find((key) => ARE_READ_ONLY.has(key));
  if (readOnly !== undefined) throw bodyFault(readOnly, 'is read-only');
  const read = new FieldReader(document);
  if (read.flag('os_hidden')) throw bodyFault('os_hidden', 'must be false: images cannot be hidden here');
  const { sizeBytes, md5, sha512 } = before === undefined ? NO_RECORD : imageRecordOf(before);
  return {
    name: read.text('name'),
    diskFormat: read.choice('disk_format', DISK_FORMATS),
    properties: { ...shadowed(before), ...propertiesOf(document) },
    record: {
      owner: read.text('owner'),
      visibility: read.choice('visibility', VISIBILITIES) ?? 'shared',
      containerFormat: read.choice('container_format', CONTAINER_FORMATS),
      minDiskGb: read.count('min_disk'),
      minRamMb: read.count('min_ram'),
      isProtected: read.flag('protected'),
      tags: tagsOf(document.get('tags')),
      sizeBytes,
      md5,
      sha512,
    },
  };
}

/** Properties with the name of a field. The Image API cannot show them; they are kept unchanged. */
const shadowed = (before: ShownImage | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(before?.properties ?? {}).filter(([key]) => FIELDS.has(key)));

const { documentTextCharacters } = HTTP_LIMITS;

function propertiesOf(document: ImageDocument): Readonly<Record<string, string>> {
  const properties = [...document].filter(([key]) => !FIELDS.has(key));
  for (const [key, value] of properties) refuseProperty(key, value);
  return Object.fromEntries(properties) as Readonly<Record<string, string>>;
}

function refuseProperty(key: string, value: unknown): void {
  if (key === '' || key.length > MAX_TEXT || key in Object.prototype || !PRINTABLE.test(key)) {
    throw bodyFault('', `has a property that cannot be called '${shown(key)}'`);
  }
  if (typeof value === 'string' && value.length <= documentTextCharacters && isStorable(value)) return;
  throw bodyFault(shown(key), `must be a text of at most ${documentTextCharacters} characters`);
}

/** Reads fields by name. A field that is absent or null has its default. */
class FieldReader {
  constructor(private readonly document: ImageDocument) {}

  text(name: string): string | null {
    const value = this.document.get(name) ?? null;
    if (value === null) return null;
    if (typeof value === 'string' && value.length <= MAX_TEXT && PRINTABLE.test(value)) return value;
    throw bodyFault(name, `must be a printable text of at most ${MAX_TEXT} characters`);
  }

  choice<const C extends string>(name: string, choices: readonly C[]): C | null {
    const value = this.document.get(name) ?? null;
    if (value === null) return null;
    const found = choices.find((each) => each === value);
    if (found === undefined) throw bodyFault(name, FIELD_RULES.oneOf(choices));
    return found;
  }

  flag(name: string): boolean {
    const value = this.document.get(name) ?? false;
    if (typeof value === 'boolean') return value;
    throw bodyFault(name, FIELD_RULES.type('boolean'));
  }

  count(name: string): number {
    const value = this.document.get(name) ?? 0;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_INT) return value;
    throw bodyFault(name, `must be an integer from 0 to ${MAX_INT}`);
  }
}

/** Without duplicates, in the given order. */
function tagsOf(value: unknown): readonly string[] {
  const tags: readonly unknown[] = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  const isTag = (tag: unknown): tag is string =>
    typeof tag === 'string' && tag !== '' && tag.length <= MAX_TEXT && PRINTABLE.test(tag);
  if (!tags.every(isTag) || (!Array.isArray(value) && tags.length > 0)) {
    throw bodyFault('tags', `must be a list of printable texts of 1 to ${MAX_TEXT} characters`);
  }
  const once = [...new Set(tags)];
  if (once.length > FACADE_LIMITS.imageTags)
    throw bodyFault('tags', FIELD_RULES.entries('most', FACADE_LIMITS.imageTags));
  return once;
}
