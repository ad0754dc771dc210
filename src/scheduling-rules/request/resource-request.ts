// Builds the resource request from a request spec: flavor, image, external groups and the prefilters' additions become
// request groups, in the steps of the contract.

import type { GroupPolicy, RequestGroup, ResourceRequest } from '../../placement/candidate-search';
import { MIB_PER_GIB } from '../../placement/domain/inventory';
import type { MergedAdditions } from '../pipeline/run-prefilters';
import { invalid } from '../request-spec/request-refusal';
import type { IgnoredField, RequestedDestination, RequestSpec } from '../request-spec/request-spec';
import type { TargetNode } from '../request-spec/target-host';
import { targetEffect } from '../request-spec/target-host';
import { addCpuPolicy } from './cpu-resources';
import { readPlacementExtraSpecs } from './placement-extra-specs';
import { RequestDraft } from './request-draft';
import type { NovaRelease } from './traits-by-release';
import { isReportedBy, NEWEST_COMPUTES } from './traits-by-release';
import { addTranslations } from './translations';

/** Hints that compare a host with instances; Placement's answer must not be truncated before that comparison. */
const UNLIMITED_HINTS = ['group', 'same_host', 'different_host'];

export interface ResourceRequestOptions {
  /** Null: all hosts. */
  readonly maxPlacementResults: number | null;
  /** Entries that nova drops with a log line are dropped and reported instead of refused. */
  readonly novaCompat?: boolean;
  /** The oldest computes of the cloud. Default: the newest, which report every trait. */
  readonly computeRelease?: NovaRelease;
  /** The nodes that match the target of the request; null if they were not looked up. */
  readonly targets?: readonly TargetNode[] | null;
}

type DraftOptions = Pick<ResourceRequestOptions, 'novaCompat' | 'computeRelease'>;

export interface BuiltResourceRequest {
  readonly request: ResourceRequest;
  /** Settings without effect, and with `novaCompat` the dropped entries. */
  readonly ignored: readonly IgnoredField[];
  /** The spec's destination, completed with host and node if exactly one node matches. */
  readonly destination: RequestedDestination | null;
}

/**
 * The resource request of a spec. Classes in the flavor's extra specs replace the flavor's own amounts, even with an
 * amount of 0; groups must be complete, otherwise the request is refused.
 */
export function buildResourceRequest(
  spec: RequestSpec,
  added: MergedAdditions,
  options: ResourceRequestOptions,
): BuiltResourceRequest {
  return compose(spec, added, options, true);
}

/**
 * The second query for pinned CPUs, which requests VCPU and ignores CPU policies. Null if a group then has no
 * resources, because Placement would refuse the query.
 */
export function buildFallbackRequest(
  spec: RequestSpec,
  added: MergedAdditions,
  options: ResourceRequestOptions,
): ResourceRequest | null {
  const { request } = compose(spec, added, options, false);
  const isComplete = request.groups.length > 0 && request.groups.every(({ resources }) => resources.size > 0);
  return isComplete ? request : null;
}

function compose(
  spec: RequestSpec,
  added: MergedAdditions,
  options: ResourceRequestOptions,
  pinned: boolean,
): BuiltResourceRequest {
  const { draft, fromFlavor } = draftOf(spec, options, pinned);
  draft.dropNothing();
  addPrefilterGroups(draft, added);
  const target = targetEffect(spec, options.targets ?? null);
  confine(draft, {
    memberOf: [...(spec.requestedDestination?.aggregates ?? []), ...added.memberOf],
    forbiddenAggregates: [...(spec.requestedDestination?.forbiddenAggregates ?? []), ...added.forbiddenAggregates],
    inTree: target.inTree,
  });
  const groups = draft.finish();
  if (pinned) refuseIncomplete(groups, spec);
  return {
    request: {
      groups,
      groupPolicy: policyOf(groups, draft.groupPolicy, fromFlavor),
      sameSubtree: knownSubtrees(spec, groups),
      ...rootTraits(spec, added, options),
      nestedAware: true,
      limit: target.isUnlimited || comparesWithInstances(spec) ? null : options.maxPlacementResults,
    },
    ignored: draft.ignored,
    destination: target.destination,
  };
}

/** Required traits of all groups before the prefilters, for the comparison with isolated host aggregates. */
export function requiredTraitsOf(spec: RequestSpec, options: DraftOptions = {}): Set<string> {
  const { draft } = draftOf(spec, options);
  return new Set([...draft.groups.values()].flatMap(({ required }) => [...required]));
}

/** The fields that request a trait, by `<suffix> <trait>`, without the prefilters' additions. */
export function traitFieldsOf(spec: RequestSpec, options: DraftOptions = {}): ReadonlyMap<string, ReadonlySet<string>> {
  return draftOf(spec, options).draft.traitFields;
}

interface Drafted {
  readonly draft: RequestDraft;
  /** Number of suffixed groups of the flavor. */
  readonly fromFlavor: number;
}

/** Steps 2 to 8: the requirements of flavor, image and external groups. */
function draftOf(spec: RequestSpec, options: DraftOptions, pinned = true): Drafted {
  const draft = new RequestDraft(options.novaCompat ?? false, options.computeRelease ?? NEWEST_COMPUTES);
  const fromFlavor = readPlacementExtraSpecs(draft, spec.flavor, spec.image);
  if (pinned) addCpuPolicy(draft, spec);
  addOutsideGroups(draft, spec);
  addFlavorAmounts(draft, spec);
  addTranslations(draft, spec);
  return { draft, fromFlavor };
}

/** Groups of ports, accelerators and PCI requests; the suffix is the id of the requester. */
function addOutsideGroups(draft: RequestDraft, { requestedResources }: RequestSpec): void {
  for (const [at, given] of requestedResources.entries()) {
    const { suffix } = given;
    const field = `requested_resources.${at}`;
    if (draft.groups.has(suffix)) {
      throw invalid(`${field}.requester_id`, `is the suffix of another request group: '${suffix}'`);
    }
    const group = draft.group(suffix);
    for (const [name, amount] of given.resources) group.resources.set(name, amount);
    for (const name of given.requiredTraits.flat()) draft.addTrait(suffix, { name, kind: 'required', field });
    for (const name of given.forbiddenTraits) draft.addTrait(suffix, { name, kind: 'forbidden', field });
    group.memberOf = given.memberOf;
    group.forbiddenAggregates = given.forbiddenAggregates;
    group.inTree = given.inTree;
  }
}

/** The flavor's own amounts, for classes that no group requests. */
function addFlavorAmounts(draft: RequestDraft, { flavor, isBfv }: RequestSpec): void {
  const { resources } = draft.group('');
  const disk = flavor.ephemeralGb + Math.ceil(flavor.swapMb / MIB_PER_GIB) + (isBfv ? 0 : flavor.rootGb);
  if (!draft.asksFor('VCPU') && !draft.asksFor('PCPU')) resources.set('VCPU', flavor.vcpus);
  if (!draft.asksFor('MEMORY_MB')) resources.set('MEMORY_MB', flavor.memoryMb);
  if (disk > 0 && !draft.asksFor('DISK_GB')) resources.set('DISK_GB', disk);
}

function addPrefilterGroups(draft: RequestDraft, { groups }: MergedAdditions): void {
  for (const [suffix, traits] of Object.entries(groups)) {
    if (!draft.groups.has(suffix)) continue;
    const field = suffix === '' ? 'flavor' : `requested_resources.${suffix}`;
    for (const name of traits) draft.addTrait(suffix, { name, kind: 'required', field });
  }
}

interface Confinement {
  readonly memberOf: readonly (readonly string[])[];
  readonly forbiddenAggregates: readonly string[];
  readonly inTree: string | null;
}

/**
 * Steps 10 and 11. Conditions on the host go to the unsuffixed group. If the flavor moved all resources to suffixed
 * groups, they go to the first of those: all groups come from one tree, and a group without resources is refused.
 */
function confine(draft: RequestDraft, { memberOf, forbiddenAggregates, inTree }: Confinement): void {
  if (memberOf.length + forbiddenAggregates.length === 0 && inTree === null) return;
  const free = draft.suffixes().find((suffix) => draft.group(suffix).inTree === null);
  const group = draft.group(draft.groups.has('') ? '' : (free ?? draft.suffixes()[0] ?? ''));
  group.memberOf = [...group.memberOf, ...memberOf];
  group.forbiddenAggregates = [...group.forbiddenAggregates, ...forbiddenAggregates];
  group.inTree ??= inTree;
}

/** Root traits of the request and the prefilters; a trait that is both required and forbidden is an error. */
function rootTraits(
  spec: RequestSpec,
  added: MergedAdditions,
  { computeRelease = NEWEST_COMPUTES }: DraftOptions,
): Pick<ResourceRequest, 'rootRequired' | 'rootForbidden'> {
  const reported = added.rootRequired.filter((trait) => isReportedBy(computeRelease, trait));
  const rootRequired = [...new Set([...spec.rootRequired, ...reported])].sort();
  const rootForbidden = [...new Set([...spec.rootForbidden, ...added.rootForbidden])].sort();
  const both = rootRequired.find((trait) => rootForbidden.includes(trait));
  if (both === undefined) return { rootRequired, rootForbidden };
  const field = spec.rootRequired.includes(both) ? 'root_required' : 'root_forbidden';
  throw invalid(`request_level_params.${field}`, `names ${both}, which is both required and forbidden of the host`);
}

/** Placement refuses a subtree with an unknown group; here the refusal names the field. */
function knownSubtrees({ sameSubtree }: RequestSpec, groups: readonly RequestGroup[]): ResourceRequest['sameSubtree'] {
  const known = new Set(groups.map(({ suffix }) => suffix));
  for (const suffix of sameSubtree.flat()) {
    if (suffix === '' || !known.has(suffix)) {
      throw invalid('request_level_params.same_subtree', `names the request group '${suffix}', which does not exist`);
    }
  }
  return sameSubtree;
}

const comparesWithInstances = ({ schedulerHints, instanceGroup }: RequestSpec): boolean =>
  instanceGroup !== null || UNLIMITED_HINTS.some((hint) => (schedulerHints[hint] ?? []).length > 0);

/** Placement refuses a group without resources; here the refusal names the field before the query. */
function refuseIncomplete(groups: readonly RequestGroup[], { requestedResources }: RequestSpec): void {
  if (groups.every(({ resources }) => resources.size === 0)) throw invalid('flavor', 'asks for no resources at all');
  for (const { suffix, resources, requiredTraits, forbiddenTraits } of groups) {
    if (resources.size > 0) continue;
    const traits = [...requiredTraits.flat(), ...forbiddenTraits];
    const asks = traits.length > 0 ? `the traits ${traits.join(', ')}` : 'aggregates';
    if (suffix === '') throw invalid('flavor', `asks for ${asks} and no resources outside of its suffixed groups`);
    const outside = requestedResources.findIndex((group) => group.suffix === suffix);
    const field = outside < 0 ? `flavor.extra_specs.trait${suffix}` : `requested_resources.${outside}`;
    throw invalid(field, `asks for ${asks} and no resources in group '${suffix}'`);
  }
}

/**
 * Several groups need a policy. If the flavor has at most one of them it could not set one, so the policy is `none`.
 */
function policyOf(groups: readonly RequestGroup[], policy: GroupPolicy | null, fromFlavor: number): GroupPolicy | null {
  const suffixed = groups.filter(({ suffix }) => suffix !== '');
  if (suffixed.length < 2 || policy !== null) return policy;
  if (fromFlavor <= 1) return 'none';
  const names = suffixed.map(({ suffix }) => suffix).join(', ');
  throw invalid('flavor.extra_specs.group_policy', `must be given for the groups ${names}: none or isolate`);
}
