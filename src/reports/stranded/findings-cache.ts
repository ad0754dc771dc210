// Caches the stranded amounts of all hosts, for the registered flavors and for a few requested sets of them. A request
// for an expired result starts a computation, which yields to other work; one set is computed at a time. Meanwhile
// callers get the last result and its age.

import { Inject, Injectable, Optional } from '@nestjs/common';
import type { ResourceRequest, Tree } from '../../placement/candidate-search';
import { REPORT_LIMITS } from '../../platform/config/limits/reports';
import { tasks } from '../../platform/event-loop/task-scheduler';
import type { Newest } from '../../platform/event-loop/worked-out';
import { WorkedOut } from '../../platform/event-loop/worked-out';
import type { WarnLog } from '../../platform/logging/logger.token';
import { LOGGER } from '../../platform/logging/logger.token';
import { DomainError, TooManyRequests } from '../../platform/values/errors';
import { queryFault } from '../../platform/values/field-fault';
import type { Cloud } from '../../scheduler/cloud/cloud-reader';
import { CloudReader } from '../../scheduler/cloud/cloud-reader';
import { isUsable } from '../../scheduler/cloud/host-status';
import type { FlavorRequest } from '../../scheduler/decide/flavor-requests';
import { FlavorRequests } from '../../scheduler/decide/flavor-requests';
import { requestInForce } from '../fit/flavor-fits';
import type { CloudFindings, FlavorTotal } from './cloud-findings';
import { findingsOf } from './cloud-findings';
import { causeAgainst } from './flavor-cause';

/** The first flavors of a set, which are used in the computation. Further ones are ignored. */
const FLAVORS_COUNTED = 200;
/** Maximum number of allocation candidates of one flavor on one profile. More than a few hundred are rare. */
const CANDIDATES_OF_FLAVOR = 500;

export const STRANDED_MAX_AGE_SECONDS = Symbol('reports.StrandedMaxAgeSeconds');

/** A flavor with its total; null: its request is invalid. */
export interface FoundFlavor extends Pick<FlavorRequest, 'flavor' | 'error'> {
  readonly total: FlavorTotal | null;
  /** Why it fits on no host; null: it fits, or no single cause was found. */
  readonly cause: string | null;
}

interface Finding {
  readonly atMs: number;
  readonly cloud: CloudFindings;
  /** Hosts that accept no instances now. */
  readonly unusable: number;
  readonly flavors: readonly FoundFlavor[];
}

export interface NewestFinding extends Pick<Newest<Finding>, 'state'> {
  /** Null: no computation has finished yet. */
  readonly finding: Finding | null;
}

@Injectable()
export class FindingsCache {
  /** By the names of the flavors, the most recently used set last. */
  private readonly sets = new Map<string, WorkedOut<Finding>>();
  /** Resolves when no computation runs. */
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  constructor(
    private readonly clouds: CloudReader,
    private readonly requests: FlavorRequests,
    @Inject(STRANDED_MAX_AGE_SECONDS) private readonly maxAgeSeconds: number,
    @Optional() @Inject(LOGGER) private readonly log: WarnLog | null = null,
  ) {}

  /** For the flavors with these names or ids; empty: for all. Throws InvalidInput for an unknown name. */
  async newest(names: readonly string[] = []): Promise<NewestFinding> {
    const set = this.setOf([...names].sort());
    const bounds = { keptMs: this.maxAgeSeconds * 1000, firstWaitMs: REPORT_LIMITS.strandedWaitMs };
    const { state, last } = await set.newest(Date.now(), bounds, () => this.begin(names));
    return { state, finding: last };
  }

  /** For all flavors, not older than the configured age, unless its computation failed. */
  async upToDate(): Promise<Finding | null> {
    await this.newest();
    return this.setOf([]).settled();
  }

  private setOf(names: readonly string[]): WorkedOut<Finding> {
    const key = JSON.stringify(names);
    const set = this.sets.get(key) ?? new WorkedOut<Finding>();
    this.sets.delete(key);
    this.sets.set(key, set);
    // The set of all registered flavors is kept in addition.
    for (const [other, { isRunning }] of this.sets) {
      if (this.sets.size <= REPORT_LIMITS.flavorSetsKept + 1) break;
      if (other !== ALL && other !== key && !isRunning) this.sets.delete(other);
    }
    return set;
  }

  private begin(names: readonly string[]): Promise<Finding> {
    if (this.waiting >= REPORT_LIMITS.flavorSetsWaiting) {
      throw new TooManyRequests('Too many sets of flavors are being computed. Retry later.');
    }
    this.waiting += 1;
    const work = this.last.then(() => this.workOut(names)).finally(() => (this.waiting -= 1));
    // A waiting caller gets the error. Without one, the last result stays.
    this.last = work.catch((error: unknown) => {
      if (!(error instanceof DomainError)) this.log?.warn({ err: error }, 'stranded amounts could not be worked out');
    });
    return work;
  }

  private async workOut(names: readonly string[]): Promise<Finding> {
    const asked = names.length === 0 ? (await this.requests.all()).flavors : await this.named(names);
    const counted = asked.slice(0, FLAVORS_COUNTED);
    const seen = await this.clouds.current();
    const { graph, hosts, atMs } = seen;
    const requests: ResourceRequest[] = [];
    for (const query of counted) {
      if (query.request !== null) requests.push(await requestInForce(graph, query.request, query.fallback));
    }
    const all = hosts.filter(({ status }) => status !== 'sharing');
    const trees = all.filter(({ status }) => isUsable(status)).map(({ tree }) => tree);
    const cloud = await tasks.run(findingsOf(graph, { requests, trees, candidates: CANDIDATES_OF_FLAVOR }));
    const causes = await causesOf(seen, trees, { requests, totals: cloud.flavors });
    return { atMs, cloud, unusable: all.length - trees.length, flavors: foundFlavors(counted, cloud, causes) };
  }

  private async named(names: readonly string[]): Promise<readonly FlavorRequest[]> {
    const found = new Map<string, FlavorRequest>();
    for (const name of names) {
      const flavor = await this.requests.named(name);
      if (flavor === undefined) throw queryFault('flavor', `names no flavor: '${name}'`);
      found.set(flavor.flavor.id, flavor);
    }
    return [...found.values()];
  }
}

const ALL = '[]';

/** One for each request, in the same order; null after the first flavors that fit nowhere. */
async function causesOf(
  { graph, hostAggregates }: Cloud,
  trees: readonly Tree[],
  { requests, totals }: { readonly requests: readonly ResourceRequest[]; readonly totals: readonly FlavorTotal[] },
): Promise<readonly (string | null)[]> {
  const causes: (string | null)[] = requests.map(() => null);
  const nowhere = [...requests.entries()].filter(([at]) => totals[at]?.count === 0 && totals[at].isExact);
  const most = Math.max(1, Math.floor(REPORT_LIMITS.hostsCheckedForCauses / Math.max(1, trees.length)));
  for (const [at, request] of nowhere.slice(0, most)) {
    causes[at] = await tasks.run(causeAgainst(graph, request, { trees, hostAggregates }));
  }
  return causes;
}

/** Flavors with an invalid request have no total. */
function foundFlavors(
  flavors: readonly FlavorRequest[],
  { flavors: totals }: CloudFindings,
  causes: readonly (string | null)[],
): readonly FoundFlavor[] {
  let at = 0;
  return flavors.map(({ flavor, request, error }) => {
    if (request === null) return { flavor, error, total: null, cause: null };
    at += 1;
    return { flavor, error, total: totals[at - 1] ?? null, cause: causes[at - 1] ?? null };
  });
}
