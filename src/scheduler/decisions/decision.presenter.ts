// Presents the decision document. Pure; the only place where names become snake_case and long lists are cut. A cut list
// is marked, counts stay exact.

import { flavorBody } from '../../compute/flavors/flavors.responses';
import type { Wording } from '../../placement/candidate-search';
import { describeRefusal, failuresText } from '../../placement/candidate-search';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import type { Decision, HostName, PassRecord, PlacementRecord } from '../../scheduling-rules/pipeline/decision';
import { PASSES_SHOWN_IN_FULL, REJECTIONS_SHOWN_IN_FULL } from '../../scheduling-rules/pipeline/limits';
import { placementCode } from '../../scheduling-rules/pipeline/refused-hosts';
import type { HostNote, HostRejection, StageRecord } from '../../scheduling-rules/pipeline/run-filters';
import { countByCode, rejectionsByCode } from '../../scheduling-rules/pipeline/run-filters';
import type { PrefilterRecord } from '../../scheduling-rules/pipeline/run-prefilters';
import type { HostWeight, WeigherRecord } from '../../scheduling-rules/pipeline/run-weighers';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import { destinationBody, imageBody } from '../decide/placement-documents';
import { instanceTopologyDocument } from '../request/numa-and-pci';
import { pciRequestDocument } from '../request/numa-and-pci';
import type { ExplainLevel } from '../request/request.schema';
import type { DecisionFixes } from './request-fixes';

/** Hosts listed per weigher and in the ranking of a decision document. */
const RANKING_SHOWN = 100;

/** How much of a decision is shown; `host` narrows every list to one host without effect on the counts. */
export interface DecisionView {
  readonly level: ExplainLevel;
  readonly host?: string | undefined;
  /** Maximum length of every list of hosts, at any level. */
  readonly listsMax?: number | undefined;
}

type PresentedPass = ReturnType<typeof presentPass>;

/** The type of the document, for its readers. */
export type DecisionDocument = ReturnType<typeof presentDecision>;

/** The decision document, the summary first. Below level `first` it holds counts only. `passes`: already presented. */
export function presentDecision(
  decision: Decision,
  view: DecisionView,
  passes: PresentedPass[] = decision.passes.map((pass) => presentPass(pass, view)),
) {
  return {
    summary: presentSummary(decision),
    request_id: decision.requestId,
    at: decision.at,
    duration_ms: decision.durationMs,
    outcome: decision.outcome,
    code: decision.code,
    seed: decision.seed,
    driver: decision.driver,
    config_revision: decision.configRevision,
    request: decision.request === null ? null : { ...presentRequest(decision.request), ignored: decision.ignored },
    prefilters: decision.prefilters.map(presentPrefilter),
    placement: presentPlacement(decision, view),
    passes,
    passes_made: decision.passesMade,
    passes_truncated: decision.passes.length < decision.passesMade,
  };
}

/** The sentence comes first, because readers see only the beginning of a long log line. */
function presentSummary({ summary: { sentence, userMessage, refusal, rejected }, wording }: Decision) {
  return {
    sentence,
    user_message: userMessage,
    ...(refusal === null ? NOT_REFUSED : describeRefusal(refusal, wording)),
    // Worked out when the decision is first read.
    fixes: null as DecisionFixes | null,
    rejected,
  };
}

const NOT_REFUSED = { hosts: null, counts: [], cause: [], nearest: [] };

/** The request as understood, in the form of a request, so it can be sent again. */
function presentRequest({ flavor, image, ...spec }: RequestSpec): object {
  const { instanceGroup: group, retry } = spec;
  return {
    instances: spec.instanceUuids,
    num_instances: spec.instanceUuids.length,
    ...(spec.minCount !== spec.instanceUuids.length && { min_count: spec.minCount }),
    project_id: spec.projectId,
    user_id: spec.userId,
    flavor: flavorBody(flavor),
    image: image === null ? null : imageBody(image),
    is_bfv: spec.isBfv,
    availability_zone: spec.availabilityZone,
    scheduler_hints: spec.schedulerHints,
    ignore_hosts: spec.ignoreHosts,
    force_hosts: spec.forceHosts,
    force_nodes: spec.forceNodes,
    requested_destination: spec.requestedDestination && destinationBody(spec.requestedDestination),
    instance_group: group && {
      uuid: group.uuid,
      policy: group.policy,
      rules: group.maxServerPerHost === null ? {} : { max_server_per_host: group.maxServerPerHost },
      members: [...group.members],
      hosts: [...group.hosts],
    },
    requested_resources: spec.requestedResources.map((each) => ({
      requester_id: each.suffix,
      resources: Object.fromEntries(each.resources),
      required_traits: each.requiredTraits.flat(),
      forbidden_traits: each.forbiddenTraits,
      aggregates: each.memberOf,
      forbidden_aggregates: each.forbiddenAggregates,
      in_tree: each.inTree,
    })),
    request_level_params: {
      root_required: spec.rootRequired,
      root_forbidden: spec.rootForbidden,
      same_subtree: spec.sameSubtree,
    },
    requested_networks:
      spec.requestedNetworks?.map((network) => ({
        network_id: network.networkId,
        port_id: network.portId,
        vnic_type: network.vnicType,
        ...(network.aggregates !== undefined && { aggregates: network.aggregates }),
      })) ?? null,
    network_metadata: spec.networkMetadata,
    numa_topology: spec.numaTopology && instanceTopologyDocument(spec.numaTopology),
    pci_requests: spec.pciRequests.map(pciRequestDocument),
    ...(retry !== null && { retry: { num_attempts: retry.numAttempts, hosts: retry.hosts } }),
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

function presentPlacement(decision: Decision, view: DecisionView) {
  const { placement } = decision;
  if (placement === null) return null;
  const { notConsidered, rejections, gaveUp, ...shown } = placement;
  return {
    ...shown,
    gave_up: gaveUp,
    not_considered: notConsidered,
    rejections: rejections === null ? null : presentPlacementRejections(rejections, decision.wording, view),
  };
}

/** Roots by the name of their provider; sentences are rendered only for those that are shown. */
function presentPlacementRejections(
  rejections: NonNullable<PlacementRecord['rejections']>,
  wording: Wording,
  view: DecisionView,
) {
  const { items, truncated } = cut(rejections, view, rejectionsShown(view), ({ root }) => root.name);
  const hosts = items.map((host) => ({
    host: host.root.name,
    uuid: host.root.uuid,
    ...placementCode(host),
    message: failuresText(host.failures, wording),
  }));
  return { by_code: countByCode(rejections.map(placementCode)), hosts, truncated };
}

const rejectionsShown = ({ level }: DecisionView): number =>
  level === 'all' ? REJECTIONS_SHOWN_IN_FULL : SCHEDULER_LIMITS.rejectionsShown;

interface Cut<Item> {
  readonly items: readonly Item[];
  readonly truncated: boolean;
}

/** The part of a list that the view includes. */
function cut<Item>(
  items: readonly Item[],
  view: DecisionView,
  limit: number,
  hostOf: (item: Item) => string,
): Cut<Item> {
  if (view.level === 'none' || view.level === 'summary') return { items: [], truncated: items.length > 0 };
  const wanted = view.host === undefined ? items : items.filter((item) => hostOf(item) === view.host);
  const shown = Math.min(limit, view.listsMax ?? limit);
  return { items: wanted.slice(0, shown), truncated: wanted.length > shown };
}

const hostOf = ({ host }: Pick<HostName, 'host'>): string => host;

/** The later passes of a large batch show counts and choices only. */
export function presentPass(pass: PassRecord, asked: DecisionView) {
  const isLate = pass.index >= PASSES_SHOWN_IN_FULL;
  const view: DecisionView = isLate && asked.level !== 'all' ? { ...asked, level: 'summary' } : asked;
  const claims = cut(pass.claims, view, RANKING_SHOWN, hostOf);
  const notes = cut(pass.notes, view, SCHEDULER_LIMITS.rejectionsShown, hostOf);
  const ranked = pass.ranked ?? pass.ranking.length;
  const ranking = rankingShown(pass.ranking, view);
  return {
    index: pass.index,
    instance_uuid: pass.instanceUuid,
    phase: pass.phase,
    stages: pass.stages.map((stage) => presentStage(stage, view)),
    passed_because: notes.items.map(presentNote),
    passed_because_truncated: notes.truncated,
    weighers: pass.weighers.map((weigher) => presentWeigher(weigher, ranking)),
    ranked,
    ranking: ranking.map(({ state: { host, node }, weight }) => ({ host, node, weight })),
    ranking_truncated: view.host === undefined && ranking.length < ranked,
    drawn_from: pass.drawnFrom,
    claims_tried: pass.claimCounts ?? countByCode(pass.claims.map(({ outcome }) => ({ code: outcome }))),
    claims: claims.items,
    claims_truncated: claims.truncated || pass.claimCounts !== undefined,
    selected: pass.selected,
    alternates: pass.alternates,
  };
}

const presentNote = ({ filter, host, node, code, params, message }: HostNote): object => ({
  filter,
  host,
  node,
  code,
  params,
  message,
});

/** The best hosts, or the requested one. */
function rankingShown(
  ranking: readonly HostWeight[],
  { level, host, listsMax = RANKING_SHOWN }: DecisionView,
): readonly HostWeight[] {
  if (level === 'none' || level === 'summary') return [];
  const wanted = host === undefined ? ranking : ranking.filter(({ state }) => state.host === host);
  return wanted.slice(0, Math.min(RANKING_SHOWN, listsMax));
}

function presentStage(stage: StageRecord, view: DecisionView) {
  return {
    kind: stage.kind,
    name: stage.name,
    in: stage.in,
    out: stage.out,
    skipped: stage.skipped,
    rejections: presentRejections(stage.rejected, view, rejectionsByCode(stage)),
    ...(view.level === 'all' && { also_rejects: presentRejections(stage.alsoRejects, view) }),
  };
}

function presentRejections(rejected: readonly HostRejection[], view: DecisionView, byCode = countByCode(rejected)) {
  const hosts = cut(rejected, view, rejectionsShown(view), hostOf);
  const all = Object.values(byCode).reduce((sum, count) => sum + count, 0);
  return { by_code: byCode, hosts: hosts.items, truncated: hosts.truncated || rejected.length < all };
}

/** For the hosts whose rank is shown. */
function presentWeigher(weigher: WeigherRecord, ranking: readonly HostWeight[]): object {
  const parts = weigher.partsOf(ranking.map(({ state }) => state));
  return {
    name: weigher.name,
    hosts: parts.map(({ error, ...part }) => ({ ...part, ...(error !== null && { error }) })),
  };
}
