// Candidates from GET /allocation_candidates of a Placement service that runs elsewhere. It returns no reasons: why it
// does not offer a host is unknown.

import { Injectable } from '@nestjs/common';
import type { Candidate, GraphRows, InventoryRow, Provider, ResourceRequest } from '../../placement/candidate-search';
import { buildGraphInSteps } from '../../placement/candidate-search';
import { INVENTORY_DEFAULTS } from '../../placement/domain/inventory';
import { tasks } from '../../platform/event-loop/task-scheduler';
import { InvalidInput, Unavailable } from '../../platform/values/errors';
import type { JsonObject } from '../../platform/values/json-object';
import { isJsonObject } from '../../platform/values/json-object';
import type { ProviderSummaries } from '../../scheduling-rules/host-state/host-state';
import { queryString } from '../../scheduling-rules/request/query-string';
import type { CandidateAnswer, CandidateSource, SchedulerCaller, SearchBounds } from '../ports';
import { RemotePlacement } from './remote-placement';

@Injectable()
export class RemoteCandidates implements CandidateSource {
  constructor(private readonly placement: RemotePlacement) {}

  /** The `limit` bounds candidates, not hosts. `onlyRoots` is one host, of which candidates with providers of other trees can be missing. */
  async search(
    request: ResourceRequest,
    { perRoot, onlyRoots: [onlyRoot] = [] }: SearchBounds,
    caller?: SchedulerCaller,
  ): Promise<CandidateAnswer> {
    const path = `/allocation_candidates?${queryString(onlyRoot === undefined ? request : within(request, onlyRoot))}`;
    const { kind, status, json, detail } = await this.placement.ask({ method: 'GET', path });
    if (kind === 'invalid') throw new InvalidInput(detail);
    if (kind !== 'ok') throw new Unavailable(`Placement answers GET /allocation_candidates with ${status}: ${detail}`);
    const summaries = await summariesOf(json['provider_summaries'], caller);
    const found = listOf(json['allocation_requests']);
    const requests: Candidate[] = [];
    const counts = new Map<string, number>();
    const add = (each: unknown): void => {
      const candidate = candidateOf(each, summaries);
      const count = (counts.get(candidate.rootUuid) ?? 0) + 1;
      counts.set(candidate.rootUuid, count);
      if (count <= perRoot) requests.push(candidate);
    };
    await tasks.forEach(found, add, caller);
    const isLimited = request.limit !== null && found.length >= request.limit;
    return {
      requests,
      summaries,
      truncated: isLimited,
      hasFurtherOfHosts: isLimited || requests.length < found.length,
    };
  }
}

/** `in_tree` of one group confines the others: a candidate is of one tree. It excludes sharing providers of other trees. */
function within(request: ResourceRequest, root: string): ResourceRequest {
  const confined = Math.max(
    0,
    request.groups.findIndex(({ suffix }) => suffix === ''),
  );
  return {
    ...request,
    groups: request.groups.map((group, at) => (at === confined ? { ...group, inTree: root } : group)),
  };
}

/** The answer names providers by uuid only, and has no aggregates. */
async function summariesOf(document: unknown, caller: SchedulerCaller | undefined): Promise<ProviderSummaries> {
  const entries = Object.entries(objectOf(document));
  const ids = new Map(entries.map(([uuid], at) => [uuid, at + 1]));
  const idOf = (uuid: unknown): number => {
    const id = ids.get(textOf(uuid));
    if (id === undefined) throw malformed('a provider without its parent or root');
    return id;
  };
  const rows = {
    providers: [] as GraphRows['providers'][number][],
    inventories: [] as InventoryRow[],
    traits: [] as GraphRows['traits'][number][],
    aggregates: [],
  };
  const add = ([uuid, each]: readonly [string, unknown]): void => {
    const id = idOf(uuid);
    const { parent_provider_uuid: parent, root_provider_uuid: root, resources, traits } = objectOf(each);
    const parentId = parent === null ? null : idOf(parent);
    rows.providers.push({ id, uuid, name: uuid, parentId, rootId: idOf(root) });
    for (const trait of listOf(traits)) rows.traits.push({ providerId: id, trait: textOf(trait) });
    for (const [resourceClass, sums] of Object.entries(objectOf(resources))) {
      const { capacity, used } = objectOf(sums);
      const total = numberOf(capacity);
      rows.inventories.push({
        ...INVENTORY_DEFAULTS,
        id: rows.inventories.length + 1,
        providerId: id,
        resourceClass,
        capacity: total,
        total,
        used: numberOf(used),
        version: 0,
      });
    }
  };
  await tasks.forEach(entries, add, caller);
  const graph = await tasks.run(buildGraphInSteps(rows), caller);
  return new Map(entries.flatMap(([uuid]) => pairOf(uuid, graph.findProviderByUuid(uuid))));
}

const pairOf = (uuid: string, provider: Provider | undefined): readonly (readonly [string, Provider])[] => {
  if (provider === undefined) throw malformed('a provider that is not in the tree of its root');
  return [[uuid, provider]];
};

function candidateOf(document: unknown, summaries: ProviderSummaries): Candidate {
  const { allocations, mappings } = objectOf(document);
  const taken = Object.entries(objectOf(allocations)).map(([uuid, each]) => {
    const amounts = Object.entries(objectOf(objectOf(each)['resources']));
    return [
      uuid,
      { resources: Object.fromEntries(amounts.map(([name, amount]) => [name, numberOf(amount)])) },
    ] as const;
  });
  const served = Object.entries(objectOf(mappings)).map(
    ([suffix, uuids]) => [suffix, listOf(uuids).map(textOf)] as const,
  );
  const used = new Set([...taken.map(([uuid]) => uuid), ...served.flatMap(([, uuids]) => uuids)]);
  return {
    rootUuid: rootOf([...used], summaries),
    allocations: Object.fromEntries(taken),
    mappings: Object.fromEntries(served),
  };
}

/** The host is the root of the providers that do not share. If all share, it is the root of the first one. */
function rootOf(uuids: readonly string[], summaries: ProviderSummaries): string {
  const providers = uuids.map((uuid) => summaries.get(uuid));
  const own = providers.find((provider) => provider?.isSharing === false) ?? providers[0];
  if (own === undefined) throw malformed('a candidate whose provider has no summary');
  return own.rootUuid;
}

const malformed = (what: string): Unavailable => new Unavailable(`Placement answers with ${what}.`);

function objectOf(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw malformed('candidates in an unknown form');
  return value;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed('candidates in an unknown form');
  return value as readonly unknown[];
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw malformed('candidates in an unknown form');
  return value;
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number') throw malformed('candidates in an unknown form');
  return value;
}
