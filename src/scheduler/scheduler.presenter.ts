// What a client sees: selections, the decision document and the description of the scheduler. Pure; the only place where
// names become snake_case and long lists are cut. A cut list says so, counts stay exact.

import { SCHEDULER_LIMITS } from '../config/limits';
import type { Placed, Placement } from './claim/place-batch';
import { zoneOf } from './host-state/host-state';
import type { Bound } from './pipeline/bind';
import type { Decision, HostName, PassRecord, PlacementRecord } from './pipeline/decision';
import { REJECTIONS_SHOWN_IN_FULL } from './pipeline/limits';
import type { OptionDeclarations } from './pipeline/options';
import { DEFAULT_OPTION_GROUP } from './pipeline/options';
import { renderPlacementRejection } from './pipeline/placement-rejection';
import { countByCode } from './pipeline/run-filters';
import type { HostRejection, StageRecord } from './pipeline/run-filters';
import type { PrefilterRecord } from './pipeline/run-prefilters';
import type { WeigherRecord } from './pipeline/run-weighers';
import type { RequestSpec } from './request/request-spec';
import type { SchedulerPipeline } from './scheduler.pipeline';
import type { ExplainLevel } from './scheduler.schema';

/** The placement microversion that allocation requests belong to. */
export const ALLOCATION_REQUEST_VERSION = '1.36';

export interface SelectionsContext {
  readonly defaultAvailabilityZone: string;
}

/** One entry per instance, in the order of the request. */
export function presentSelections(placements: readonly Placement[], context: SelectionsContext): readonly object[] {
  return placements.map(({ instanceUuid, selected, alternates }) => ({
    instance_uuid: instanceUuid,
    selected: presentPlaced(selected, context),
    alternates: alternates.map((alternate) => presentPlaced(alternate, context)),
  }));
}

function presentPlaced({ state, weight, candidate }: Placed, context: SelectionsContext): object {
  return {
    host: state.host,
    node: state.node,
    uuid: state.uuid,
    cell: state.cell,
    availability_zone: zoneOf(state, context.defaultAvailabilityZone),
    weight,
    limits: {},
    allocation_request: { allocations: candidate.allocations, mappings: candidate.mappings },
    allocation_request_version: ALLOCATION_REQUEST_VERSION,
  };
}

/** How much of a decision is shown; `host` narrows every list to one host and leaves the counts alone. */
export interface DecisionView {
  readonly level: ExplainLevel;
  readonly host?: string | undefined;
}

/** The decision document. Below level `first` it holds counts only. */
export function presentDecision(decision: Decision, view: DecisionView): object {
  return {
    request_id: decision.requestId,
    at: decision.at,
    duration_ms: decision.durationMs,
    outcome: decision.outcome,
    code: decision.code,
    seed: decision.seed,
    driver: decision.driver,
    config_revision: null,
    request: decision.request === null ? null : { ...presentRequest(decision.request), ignored: decision.ignored },
    prefilters: decision.prefilters.map(presentPrefilter),
    placement: presentPlacement(decision, view),
    passes: decision.passes.map((pass) => presentPass(pass, view)),
    summary: {
      rejected: decision.summary.rejected,
      nearest_misses: decision.summary.nearestMisses,
      sentence: decision.summary.sentence,
      user_message: decision.summary.userMessage,
    },
  };
}

function presentRequest({ flavor, image, ...spec }: RequestSpec): object {
  return {
    instances: spec.instanceUuids,
    num_instances: spec.instanceUuids.length,
    project_id: spec.projectId,
    user_id: spec.userId,
    flavor: {
      name: flavor.name,
      vcpus: flavor.vcpus,
      memory_mb: flavor.memoryMb,
      root_gb: flavor.rootGb,
      ephemeral_gb: flavor.ephemeralGb,
      swap: flavor.swapMb,
      extra_specs: flavor.extraSpecs,
    },
    image:
      image === null
        ? null
        : { id: image.id, name: image.name, disk_format: image.diskFormat, properties: image.properties },
    is_bfv: spec.isBfv,
    scheduler_hints: spec.schedulerHints,
    ignore_hosts: spec.ignoreHosts,
    request_level_params: {
      root_required: spec.rootRequired,
      root_forbidden: spec.rootForbidden,
      same_subtree: spec.sameSubtree,
    },
  };
}

function presentPrefilter({ name, ran, whyNot, added, because, refused }: PrefilterRecord): object {
  return {
    name,
    ran,
    why_not: whyNot,
    added: {
      root_required: added.rootRequired,
      root_forbidden: added.rootForbidden,
      member_of: added.memberOf,
      forbidden_aggregates: added.forbiddenAggregates,
      groups: added.groups,
    },
    because,
    ...(refused !== null && { refused }),
  };
}

function presentPlacement({ placement }: Decision, view: DecisionView): object | null {
  if (placement === null) return null;
  const { notConsidered, rejections, ...shown } = placement;
  return {
    ...shown,
    not_considered: notConsidered,
    rejections: rejections === null ? null : presentPlacementRejections(rejections, view),
    fallback: null,
    if_empty: null,
  };
}

/** Roots go by their provider's name; sentences are made for those that are shown. */
function presentPlacementRejections(
  rejections: NonNullable<PlacementRecord['rejections']>,
  view: DecisionView,
): object {
  const named = rejections.map((rejection) => ({ ...rejection, host: rejection.name }));
  const { items, truncated } = cut(named, view, rejectionsShown(view));
  const hosts = items.map(({ host, uuid, group, stage, code, params, ...rejection }) => ({
    ...{ host, uuid, group, stage, code, params },
    message: renderPlacementRejection({ uuid, group, stage, code, params, name: rejection.name }),
  }));
  return { by_code: countByCode(rejections), hosts, truncated };
}

const rejectionsShown = ({ level }: DecisionView): number =>
  level === 'all' ? REJECTIONS_SHOWN_IN_FULL : SCHEDULER_LIMITS.rejectionsShown;

interface Cut<Item> {
  readonly items: readonly Item[];
  readonly truncated: boolean;
}

/** The part of a list that the view shows. */
function cut<Item extends Pick<HostName, 'host'>>(
  items: readonly Item[],
  view: DecisionView,
  limit: number,
): Cut<Item> {
  if (view.level === 'none' || view.level === 'summary') return { items: [], truncated: items.length > 0 };
  const wanted = view.host === undefined ? items : items.filter(({ host }) => host === view.host);
  return { items: wanted.slice(0, limit), truncated: wanted.length > limit };
}

function presentPass(pass: PassRecord, view: DecisionView): object {
  const ranking = cut(pass.ranking, view, SCHEDULER_LIMITS.rankingShown);
  const claims = cut(pass.claims, view, SCHEDULER_LIMITS.rankingShown);
  return {
    index: pass.index,
    instance_uuid: pass.instanceUuid,
    phase: pass.phase,
    stages: pass.stages.map((stage) => presentStage(stage, view)),
    passed_because: [],
    weighers: pass.weighers.map((weigher) => presentWeigher(weigher, view)),
    ranked: pass.ranking.length,
    ranking: ranking.items,
    ranking_truncated: ranking.truncated,
    drawn_from: pass.drawnFrom,
    claims_tried: countByCode(pass.claims.map(({ outcome }) => ({ code: outcome }))),
    claims: claims.items,
    claims_truncated: claims.truncated,
    selected: pass.selected,
    alternates: pass.alternates,
  };
}

function presentStage(stage: StageRecord, view: DecisionView): object {
  return {
    kind: stage.kind,
    name: stage.name,
    in: stage.in,
    out: stage.out,
    skipped: stage.skipped,
    rejections: presentRejections(stage.rejected, view),
    ...(view.level === 'all' && { also_rejects: presentRejections(stage.alsoRejects, view) }),
  };
}

function presentRejections(rejected: readonly HostRejection[], view: DecisionView): object {
  const hosts = cut(rejected, view, rejectionsShown(view));
  return { by_code: countByCode(rejected), hosts: hosts.items, truncated: hosts.truncated };
}

function presentWeigher(weigher: WeigherRecord, view: DecisionView): object {
  const hosts = cut(weigher.hosts, view, SCHEDULER_LIMITS.rankingShown);
  const shown = hosts.items.map(({ error, ...part }) => ({ ...part, ...(error !== null && { error }) }));
  return { name: weigher.name, hosts: shown, truncated: hosts.truncated };
}

/** GET /scheduler: what runs, with the options in force. */
export function presentScheduler({ parts, registry, options }: SchedulerPipeline): object {
  return {
    name: 'berth',
    version: options.version,
    driver: options.driver,
    drivers: [...registry.drivers.values()].map(({ part, source }) => ({
      name: part.name,
      summary: part.summary,
      source,
    })),
    prefilters: parts.prefilters.map((bound) => presentPart(bound, registry.prefilters)),
    filters: parts.filters.map((bound) => presentPart(bound, registry.filters)),
    weighers: parts.weighers.map((bound) => presentPart(bound, registry.weighers)),
    options: {
      max_attempts: options.maxAttempts,
      max_placement_results: options.maxPlacementResults,
      candidates_per_host: options.candidatesPerHost,
      host_subset_size: options.hostSubsetSize,
      shuffle_best_same_weighed_hosts: options.shuffleBestSameWeighedHosts,
    },
  };
}

interface DescribedPart {
  readonly name: string;
  readonly summary: string;
  readonly options: OptionDeclarations;
}

function presentPart(
  { part, values }: Bound<DescribedPart>,
  registered: ReadonlyMap<string, { readonly source: string }>,
): object {
  return {
    name: part.name,
    summary: part.summary,
    source: registered.get(part.name)?.source,
    options: Object.entries(part.options).map(([name, declaration]) => ({
      group: declaration.group ?? DEFAULT_OPTION_GROUP,
      name,
      value: values[name],
      default: declaration.default,
    })),
  };
}
