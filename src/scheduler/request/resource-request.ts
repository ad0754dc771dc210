// From a request spec to the resource request: flavor, image and what the prefilters added become request groups.
// Entries a lenient reader would drop with a log line (an unknown class, a bad trait value, a group without resources)
// are refused by name instead.

import { isCustomName } from '../../domain/names';
import { STANDARD_RESOURCE_CLASSES } from '../../domain/standard-resource-classes';
import type { MergedAdditions } from '../pipeline/run-prefilters';
import { invalid } from './request-refusal';
import type { GroupPolicy, RequestGroup, ResourceRequest } from './request-group';
import type { Flavor, Image, RequestSpec } from './request-spec';

const STANDARD: ReadonlySet<string> = new Set(STANDARD_RESOURCE_CLASSES);
const EXTRA_SPEC_KEY = /^(resources|trait)([A-Za-z0-9_-]{1,64})?:(.*)$/;
const MAX_AMOUNT = 2_147_483_647;
const MIB_PER_GIB = 1024;

/** Hints that compare a host with instances; the answer may not be cut before they were looked at. */
const UNLIMITED_HINTS = ['group', 'same_host', 'different_host'];

interface DraftGroup {
  readonly resources: Map<string, number>;
  readonly required: Set<string>;
  readonly forbidden: Set<string>;
  memberOf: readonly (readonly string[])[];
  forbiddenAggregates: readonly string[];
}

/** Groups in the order they came up, and where each extra spec said so. */
class Draft {
  readonly groups = new Map<string, DraftGroup>();
  groupPolicy: GroupPolicy | null = null;

  group(suffix: string): DraftGroup {
    const known = this.groups.get(suffix);
    if (known !== undefined) return known;
    const fresh = {
      resources: new Map(),
      required: new Set<string>(),
      forbidden: new Set<string>(),
      memberOf: [],
      forbiddenAggregates: [],
    };
    this.groups.set(suffix, fresh);
    return fresh;
  }

  asksFor(resourceClass: string): boolean {
    return [...this.groups.values()].some(({ resources }) => resources.has(resourceClass));
  }
}

/**
 * The one resource request of a spec. Classes named by the flavor's extra specs replace the flavor's own amounts, an
 * amount of 0 included; groups are complete or the request is refused.
 */
export function buildResourceRequest(
  spec: RequestSpec,
  added: MergedAdditions,
  options: { readonly maxPlacementResults: number },
): ResourceRequest {
  const draft = new Draft();
  readExtraSpecs(draft, spec.flavor);
  readImageTraits(draft, spec.image);
  addFlavorAmounts(draft, spec);
  dropNothing(draft);
  addPrefilterGroups(draft, added);
  const groups = [...draft.groups].map(([suffix, group]) => finished(suffix, group));
  refuseIncomplete(groups);
  refuseMissingPolicy(groups, draft.groupPolicy);
  const rootRequired = [...new Set([...spec.rootRequired, ...added.rootRequired])].sort();
  const rootForbidden = [...new Set([...spec.rootForbidden, ...added.rootForbidden])].sort();
  return {
    groups,
    groupPolicy: draft.groupPolicy,
    sameSubtree: spec.sameSubtree,
    rootRequired,
    rootForbidden,
    limit: UNLIMITED_HINTS.some((hint) => (spec.schedulerHints[hint] ?? []).length > 0)
      ? null
      : options.maxPlacementResults,
  };
}

/** `resources[S]:CLASS=N`, `trait[S]:NAME=required|forbidden` and `group_policy`; anything else is not for placement. */
function readExtraSpecs(draft: Draft, { extraSpecs }: Flavor): void {
  for (const [key, value] of Object.entries(extraSpecs)) {
    const field = `flavor.extra_specs.${key}`;
    if (key === 'group_policy') {
      if (value !== 'none' && value !== 'isolate') throw invalid(field, `must be none or isolate, not '${value}'`);
      draft.groupPolicy = value;
      continue;
    }
    const [, kind, suffix = '', name = ''] = EXTRA_SPEC_KEY.exec(key) ?? [];
    if (kind === 'resources') draft.group(suffix).resources.set(resourceClass(field, name), amount(field, value));
    if (kind === 'trait') addTrait(draft.group(suffix), { field, name, value });
  }
}

/** `trait:NAME=required` and `=forbidden` of the image are conditions on the unsuffixed group. */
function readImageTraits(draft: Draft, image: Image | null): void {
  for (const [key, value] of Object.entries(image?.properties ?? {})) {
    if (!key.startsWith('trait:')) continue;
    addTrait(draft.group(''), { field: `image.properties.${key}`, name: key.slice('trait:'.length), value });
  }
}

function addTrait(
  group: DraftGroup,
  trait: { readonly field: string; readonly name: string; readonly value: string },
): void {
  const { field, name, value } = trait;
  if (name === '') throw invalid(field, 'names no trait');
  if (value !== 'required' && value !== 'forbidden')
    throw invalid(field, `must be required or forbidden, not '${value}'`);
  const [same, opposite] = value === 'required' ? [group.required, group.forbidden] : [group.forbidden, group.required];
  if (opposite.has(name)) throw invalid(field, `flavor and image disagree: ${name} is both required and forbidden`);
  same.add(name);
}

function resourceClass(field: string, name: string): string {
  if (STANDARD.has(name) || isCustomName(name)) return name;
  throw invalid(field, `'${name}' is no standard resource class and does not start with CUSTOM_`);
}

function amount(field: string, value: string): number {
  const number = /^\d+$/.test(value.trim()) ? Number(value) : Number.NaN;
  if (number <= MAX_AMOUNT) return number;
  throw invalid(field, `must be an integer from 0 to ${MAX_AMOUNT}, not '${value}'`);
}

/** The flavor's own amounts, for the classes that no group asks for. */
function addFlavorAmounts(draft: Draft, { flavor, isBfv }: RequestSpec): void {
  const { resources } = draft.group('');
  const disk = flavor.ephemeralGb + Math.ceil(flavor.swapMb / MIB_PER_GIB) + (isBfv ? 0 : flavor.rootGb);
  const asksCpus = draft.asksFor('VCPU') || draft.asksFor('PCPU');
  if (!asksCpus) resources.set('VCPU', flavor.vcpus);
  if (!draft.asksFor('MEMORY_MB')) resources.set('MEMORY_MB', flavor.memoryMb);
  if (disk > 0 && !draft.asksFor('DISK_GB')) resources.set('DISK_GB', disk);
}

/** Amounts of 0 go, and then groups that ask for nothing at all. */
function dropNothing(draft: Draft): void {
  for (const [suffix, { resources, required, forbidden }] of draft.groups) {
    for (const [name, number] of resources) if (number === 0) resources.delete(name);
    if (resources.size + required.size + forbidden.size === 0) draft.groups.delete(suffix);
  }
}

function addPrefilterGroups(draft: Draft, added: MergedAdditions): void {
  if (added.memberOf.length + added.forbiddenAggregates.length > 0) {
    const group = draft.group('');
    group.memberOf = added.memberOf;
    group.forbiddenAggregates = added.forbiddenAggregates;
  }
  for (const [suffix, traits] of Object.entries(added.groups)) {
    const group = draft.groups.get(suffix);
    for (const trait of group === undefined ? [] : traits) group?.required.add(trait);
  }
}

function finished(suffix: string, group: DraftGroup): RequestGroup {
  return {
    suffix,
    resources: new Map([...group.resources].sort(([one], [other]) => (one < other ? -1 : 1))),
    requiredTraits: [...group.required].sort().map((trait) => [trait]),
    forbiddenTraits: [...group.forbidden].sort(),
    memberOf: group.memberOf.map((set) => [...set].sort()),
    forbiddenAggregates: [...group.forbiddenAggregates].sort(),
    inTree: null,
  };
}

/** Placement refuses a group without resources, so it is named here, before the query. */
function refuseIncomplete(groups: readonly RequestGroup[]): void {
  if (groups.length === 0) throw invalid('flavor', 'asks for no resources at all');
  for (const { suffix, resources, requiredTraits, forbiddenTraits } of groups) {
    if (resources.size > 0) continue;
    const traits = [...requiredTraits.flat(), ...forbiddenTraits];
    const asks = traits.length > 0 ? `the traits ${traits.join(', ')}` : 'aggregates';
    if (suffix === '') throw invalid('flavor', `asks for ${asks} and no resources outside of its suffixed groups`);
    throw invalid(`flavor.extra_specs.trait${suffix}`, `group '${suffix}' asks for ${asks} and no resources`);
  }
}

function refuseMissingPolicy(groups: readonly RequestGroup[], policy: GroupPolicy | null): void {
  const suffixed = groups.filter(({ suffix }) => suffix !== '');
  if (suffixed.length < 2 || policy !== null) return;
  const names = suffixed.map(({ suffix }) => suffix).join(', ');
  throw invalid('flavor.extra_specs.group_policy', `must be given for the groups ${names}: none or isolate`);
}
