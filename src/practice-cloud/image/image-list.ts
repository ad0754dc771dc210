// Query of an image list. A parameter that the Image API does not define is compared with the property of that name.
import type { ImageFilter } from '../../compute/images/images.service';
import type { PageQuery } from '../../compute/registry-page';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { QueryParams } from '../../platform/http/query-params';
import { queryFault } from '../../platform/values/field-fault';
import type { FacadeCaller } from '../caller';
import { pageQueryOf } from '../facade-query';
import type { ShownImage } from './image-document';
import { imageRecordOf, presentImageDocument } from './image-document';

export interface ImageListQuery extends PageQuery {
  /** The filter that the registry applies. */
  readonly filter: ImageFilter;
  readonly matches: (image: ShownImage, caller: FacadeCaller) => boolean;
}

/** Accepted without effect: lists are always in the order of creation, and images have no members. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['sort', 'sort_key', 'sort_dir', 'member_status']);
const UNKNOWN: ReadonlySet<string> = new Set(['size_min', 'size_max', 'created_at', 'updated_at']);
const TAKEN_APART: ReadonlySet<string> = new Set(['limit', 'marker', 'name', 'disk_format', 'visibility', 'tag']);

export function imageListQueryOf(queryText: string): ImageListQuery {
  const query = QueryParams.parse(queryText);
  const unknown = query.names.find((name) => UNKNOWN.has(name));
  if (unknown !== undefined) throw queryFault(unknown, 'is nothing that images are listed by here');
  const others = query.names.filter((name) => !TAKEN_APART.has(name) && !WITHOUT_EFFECT.has(name));
  const requiredProperties = others.map((name) => [name, query.last(name) ?? ''] as const);
  const visibility = query.last('visibility');
  const tags = query.all('tag');
  return {
    ...pageQueryOf(query, SCHEDULER_LIMITS.listMax),
    filter: { name: query.last('name'), diskFormat: query.last('disk_format') },
    matches: (image, caller) =>
      isOfVisibility(image, visibility, caller) &&
      tags.every((tag) => imageRecordOf(image).tags.includes(tag)) &&
      (requiredProperties.length === 0 || has(image, requiredProperties)),
  };
}

/** Community images of other projects are listed only if the query names that visibility. */
function isOfVisibility(
  image: ShownImage,
  requestedVisibility: string | undefined,
  { projectId }: FacadeCaller,
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
    if (typeof field === 'boolean') return String(field) === value.toLowerCase();
    return typeof field === 'string' ? field === value : JSON.stringify(field ?? '') === value;
  });
}
