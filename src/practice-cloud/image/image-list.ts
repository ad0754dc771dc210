// Query of an image list. A parameter that the Image API does not define is compared with the property of that name.
import type { PageQuery } from '../../compute/registry-page';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { chosen, QueryParams } from '../../platform/http/query-params';
import { queryFault } from '../../platform/values/field-fault';
import type { PracticeCaller } from '../caller';
import { pageQueryOf } from '../practice-cloud-query';
import type { ShownImage } from './image-document';
import { imageRecordOf, presentImageDocument } from './image-document';
import { VISIBILITIES } from './practice-image.entity';

export interface ImageListQuery extends PageQuery {
  readonly matches: (image: ShownImage, caller: PracticeCaller) => boolean;
  readonly inOrder: (images: readonly ShownImage[]) => readonly ShownImage[];
}

/** `member_status`: accepted without effect, because images have no members. */
const NO_FIELDS = new Set(['limit', 'marker', 'sort', 'sort_key', 'sort_dir', 'visibility', 'tag', 'member_status']);
const UNKNOWN: ReadonlySet<string> = new Set(['size_min', 'size_max', 'created_at', 'updated_at']);
/** Fields that a list of values can be given for: `in:one,two`. */
const WITH_LISTS: ReadonlySet<string> = new Set(['id', 'name', 'status', 'container_format', 'disk_format']);
const SORTED_BY = [...WITH_LISTS, 'size', 'created_at', 'updated_at'];

export function imageListQueryOf(queryText: string): ImageListQuery {
  const query = QueryParams.parse(queryText);
  const unknown = query.names.find((name) => UNKNOWN.has(name));
  if (unknown !== undefined) throw queryFault(unknown, 'is nothing that images are listed by here');
  const others = query.names.filter((name) => !NO_FIELDS.has(name));
  const requiredProperties = others.map((name) => [name, query.last(name) ?? ''] as const);
  const visibility = query.choice('visibility', ['all', ...VISIBILITIES]);
  const tags = query.all('tag');
  return {
    ...pageQueryOf(query, SCHEDULER_LIMITS.listMax),
    inOrder: orderOf(query),
    matches: (image, caller) =>
      isOfVisibility(image, visibility, caller) &&
      tags.every((tag) => imageRecordOf(image).tags.includes(tag)) &&
      (requiredProperties.length === 0 || has(image, requiredProperties)),
  };
}

/** In the order of creation unless the query names keys; a key without a direction is descending. */
function orderOf(query: QueryParams): ImageListQuery['inOrder'] {
  const directions = query.all('sort_dir');
  const named = query.all('sort_key').map((key, at) => [key, directions[at] ?? directions[0]] as const);
  const listed = (query.last('sort') ?? '').split(',').map((text) => text.split(':', 2) as [string, string?]);
  const keys = [...named, ...listed.filter(([key]) => key !== '')].map(([key, direction = 'desc']) => ({
    key: chosen('sort_key', key, SORTED_BY),
    isDescending: chosen('sort_dir', direction, ['asc', 'desc']) === 'desc',
  }));
  if (keys.length === 0) return (images) => images;
  return (images) => {
    const documents = images.map((image) => [image, presentImageDocument(image) as Record<string, string>] as const);
    documents.sort(([, a], [, b]) => {
      const differing = keys.find(({ key }) => a[key] !== b[key]);
      if (differing === undefined) return 0;
      const { key, isDescending } = differing;
      return (a[key] ?? '') < (b[key] ?? '') === isDescending ? 1 : -1;
    });
    return documents.map(([image]) => image);
  };
}

/** Community images of other projects are listed only if the query names that visibility. */
function isOfVisibility(
  image: ShownImage,
  requestedVisibility: string | undefined,
  { projectId }: PracticeCaller,
): boolean {
  const { visibility, owner } = imageRecordOf(image);
  if (requestedVisibility === 'all') return true;
  if (requestedVisibility !== undefined) return visibility === requestedVisibility;
  return visibility !== 'community' || owner === projectId;
}

function has(image: ShownImage, requiredProperties: readonly (readonly [name: string, value: string])[]): boolean {
  const fields = new Map<string, unknown>(Object.entries(presentImageDocument(image)));
  return requiredProperties.every(([name, value]) => {
    const field = fields.get(name);
    if (WITH_LISTS.has(name) && value.startsWith('in:')) return value.slice(3).split(',').includes(String(field));
    if (typeof field === 'boolean') return String(field) === value.toLowerCase();
    return typeof field === 'string' ? field === value : JSON.stringify(field ?? '') === value;
  });
}
