// From the wire form to the request spec, with defaults filled in. What the scheduler cannot honour is refused by name.

import { invalid, unsupported } from './request-refusal';
import type {
  Flavor,
  FlavorBody,
  IgnoredField,
  Image,
  ImageBody,
  RequestBody,
  RequestSpec,
  Scalar,
} from './request-spec';
import { refuseUnsupportedFields } from './unsupported-fields';
import type { ReadFields } from './unsupported-fields';

/** What the outside has to tell: fresh uuids for `num_instances`, and which fields the enabled parts read. */
export interface NormalizeEnvironment {
  readonly newUuid: () => string;
  readonly reads: ReadFields;
}

/**
 * Turns a body into a spec. A field the scheduler does not honour is refused by its path (`scheduler.unsupported`);
 * what is known and has no effect on the decision comes back in `ignored`.
 */
export function normalizeRequest(
  body: RequestBody,
  env: NormalizeEnvironment,
): { readonly spec: RequestSpec; readonly ignored: readonly IgnoredField[] } {
  const instanceUuids = instancesOf(body, env.newUuid);
  const spec: RequestSpec = {
    instanceUuid: instanceUuids[0] ?? '',
    instanceUuids,
    projectId: body.project_id,
    userId: body.user_id,
    flavor: flavorOf(body.flavor),
    image: imageOf(body.image ?? null),
    isBfv: body.is_bfv ?? false,
    schedulerHints: hintsOf(body.scheduler_hints ?? {}),
    ignoreHosts: [...(body.ignore_hosts ?? [])],
    forceHosts: [],
    forceNodes: [],
    availabilityZone: null,
    requestedDestination: null,
    instanceGroup: null,
    requestedResources: [],
    requestedNetworks: null,
    networkMetadata: null,
    numaTopology: null,
    pciRequests: [],
    retry: null,
    checkType: null,
    minCount: instanceUuids.length,
    rootRequired: [...(body.request_level_params?.root_required ?? [])],
    rootForbidden: [...(body.request_level_params?.root_forbidden ?? [])],
    sameSubtree: (body.request_level_params?.same_subtree ?? []).map((suffixes) => [...suffixes]),
  };
  const ignored = refuseUnsupportedFields(body, spec, env.reads);
  return { spec, ignored };
}

/** The instances' uuids in canonical (lower) case, or fresh ones; `min_count` may only ask for all of them. */
function instancesOf(body: RequestBody, newUuid: () => string): readonly string[] {
  const { instances, num_instances: count } = body;
  if (instances !== undefined && count !== undefined && count !== instances.length) {
    throw invalid('num_instances', `says ${count}, but ${instances.length} instances are listed`);
  }
  const uuids = instances?.map((uuid) => uuid.toLowerCase()) ?? Array.from({ length: count ?? 0 }, newUuid);
  if (uuids.length === 0) throw invalid('instances', 'give at least one instance, here or by num_instances');
  if (new Set(uuids).size !== uuids.length) throw invalid('instances', 'names an instance twice');
  if (typeof body.min_count === 'number' && body.min_count !== uuids.length) {
    throw unsupported('min_count', 'placing fewer instances than asked is not supported yet; leave it out');
  }
  return uuids;
}

function flavorOf(flavor: FlavorBody | string): Flavor {
  if (typeof flavor === 'string') {
    throw unsupported(
      'flavor',
      `the flavor '${flavor}' cannot be looked up: there is no registry of flavors yet; give the flavor itself`,
    );
  }
  return {
    name: flavor.name ?? null,
    vcpus: flavor.vcpus,
    memoryMb: flavor.memory_mb,
    rootGb: flavor.root_gb ?? 0,
    ephemeralGb: flavor.ephemeral_gb ?? 0,
    swapMb: flavor.swap ?? 0,
    extraSpecs: asTexts(flavor.extra_specs ?? {}),
  };
}

function imageOf(image: ImageBody | string | null): Image | null {
  if (image === null) return null;
  if (typeof image === 'string') {
    throw unsupported(
      'image',
      `the image '${image}' cannot be looked up: there is no registry of images yet; give the image itself`,
    );
  }
  return {
    id: image.id ?? null,
    name: image.name ?? null,
    diskFormat: image.disk_format ?? null,
    properties: asTexts(image.properties ?? {}),
  };
}

function asTexts(values: Readonly<Record<string, Scalar>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
}

/** Every hint becomes a list of texts; null is an absent hint. */
function hintsOf(hints: Readonly<Record<string, unknown>>): RequestSpec['schedulerHints'] {
  const lists: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(hints)) {
    if (value === null || value === undefined) continue;
    lists[name] = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map((item) => hintText(name, item));
  }
  return lists;
}

function hintText(name: string, item: unknown): string {
  if (typeof item === 'string') return item;
  if (typeof item === 'number' || typeof item === 'boolean') return String(item);
  throw invalid(`scheduler_hints.${name}`, 'a hint is a text or a list of texts');
}
