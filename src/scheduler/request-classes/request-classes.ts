// Keeps what was worked out about the hosts for the request classes that are asked often. A decision first asks again the
// hosts that changed since the class was last asked, so nothing is staler than without it.

import { LRUCache } from 'lru-cache';
import type { Candidate } from '../../placement/candidate-search';
import { MIB } from '../../platform/config/limits/units';
import { tasks } from '../../platform/event-loop/task-scheduler';
import type { DecisionLog } from '../../platform/logging/logger.token';
import { addTo } from '../../platform/values/lists-by-key';
import { seededRandom } from '../../platform/values/random';
import type { HostService, HostState } from '../../scheduling-rules/host-state/host-state';
import { withCandidates } from '../../scheduling-rules/host-state/host-state';
import { treesOfCandidates, withOwnCandidates } from '../../scheduling-rules/host-state/states-of-candidates';
import { ClassColumns } from '../../scheduling-rules/pipeline/class-columns';
import { ClassHosts } from '../../scheduling-rules/pipeline/class-hosts';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import type { SchedulerPipeline } from '../assemble/scheduler-pipeline';
import type { BatchPass } from '../claim/batch-pass';
import { BatchProgress } from '../claim/batch-progress';
import type { DecisionRun } from '../decide/decision-run';
import type { Asked } from '../decide/placement-search';
import type { CandidateSource, HostSource } from '../ports';
import { areKeptFor, classKeyOf, plainOf } from './class-key';
import { askingOf, ClassView } from './class-view';
import { differingPasses } from './differing-passes';

const CLASSES_KEPT = 500;
const BYTES_KEPT = 512 * MIB;
/** A class is kept from its second question within this time on, or from its first batch. */
const ASKED_AGAIN_MS = 60_000;
const ASKED_KEPT = 10_000;
/** Positions beyond twice the hosts of the largest class. */
const HOSTS_SPARE = 10_000;

class KeptClass {
  columns: ClassColumns | null = null;
  /** In the changes of the hosts, up to which the columns are as new. */
  position = -1;
  heartbeat = -1;
  usedAtMs = 0;
  /** The last update; the next one waits for it. */
  updated: Promise<void> = Promise.resolve();
}

export class RequestClasses {
  private readonly kept = new LRUCache<string, KeptClass>({
    max: CLASSES_KEPT,
    maxSize: BYTES_KEPT,
    sizeCalculation: ({ columns }) => 1_000 + (columns?.bytes ?? 0),
  });
  private readonly asked = new LRUCache<string, true>({ max: ASKED_KEPT, ttl: ASKED_AGAIN_MS });
  private allHosts = new ClassHosts();
  private readonly isPossible: boolean;
  /** Questions by how they were answered. */
  readonly counts = { kept: 0, anew: 0 };
  /** Answers of kept hosts that were compared with one that asked every host, by the result. */
  readonly checks = { same: 0, different: 0, changed: 0 };

  constructor(
    pipeline: SchedulerPipeline,
    private readonly from: {
      readonly candidates: Pick<CandidateSource, 'search'>;
      readonly hosts: Pick<HostSource, 'changes' | 'heartbeats' | 'serviceOf' | 'states' | 'expiresAtMs'>;
      readonly log: Pick<DecisionLog, 'error'> | null;
    },
  ) {
    this.isPossible = areKeptFor(pipeline);
  }

  get sizes(): { readonly classes: number; readonly bytes: number } {
    return { classes: this.kept.size, bytes: this.kept.calculatedSize };
  }

  /** Null: the hosts are asked anew. With `anew`, the first pass by asking every host, some answers are compared. */
  async viewFor(run: DecisionRun, asked: Asked, anew: () => Promise<BatchPass>): Promise<ClassView | null> {
    const plain = plainOf(asked);
    const kept = await this.updated(run, plain, asked.spec.instanceGroup);
    const columns = kept?.columns ?? null;
    this.counts[columns === null ? 'anew' : 'kept'] += 1;
    if (kept === null || columns === null) return null;
    const own = asked.spec.instanceUuids.length > 1 ? columns.copy() : columns;
    const view = new ClassView(run, own, plain.spec);
    const { verifySample: every } = run.pipeline.options;
    const isCompared = every > 0 && this.counts.kept % every === 0;
    return isCompared && !(await this.isRight(run, { asked, view, position: kept.position }, anew)) ? null : view;
  }

  /** False if a search that asks every host gives another answer; then all classes are forgotten. */
  private async isRight(
    { seed, command }: DecisionRun,
    { asked: { spec }, view, position }: { readonly asked: Asked; readonly view: ClassView; readonly position: number },
    anew: () => Promise<BatchPass>,
  ): Promise<boolean> {
    const kept = view.pass(new BatchProgress({ hosts: [], spec, unknown: [] }, seededRandom(seed)), 0);
    const difference = differingPasses(kept, await anew());
    // The search saw changes that came after the kept hosts were asked.
    const isChanged = this.from.hosts.changes?.position !== position;
    const result = difference === null ? 'same' : isChanged ? 'changed' : 'different';
    this.checks[result] += 1;
    if (result !== 'different') return true;
    this.kept.clear();
    const fields = { request_id: command.requestId, ...difference };
    this.from.log?.error(
      fields,
      'the kept hosts of a request class gave another answer than a search; they are forgotten',
    );
    return false;
  }

  private async updated(
    run: DecisionRun,
    asked: Asked,
    group: RequestSpec['instanceGroup'],
  ): Promise<KeptClass | null> {
    const key = this.isPossible && this.from.hosts.changes ? classKeyOf(run, asked, group) : null;
    if (key === null) return null;
    let known = this.kept.get(key);
    if (known === undefined) {
      const isAskedAgain = this.asked.has(key);
      this.asked.set(key, true);
      // A batch asks for each of its instances.
      const isBatch = asked.spec.instanceUuids.length > 1;
      if (!isBatch && (!isAskedAgain || this.isFullOfUsed(run.env.nowMs))) return null;
      this.kept.set(key, (known = new KeptClass()));
    }
    const mine = known;
    mine.usedAtMs = run.env.nowMs;
    const before = mine.columns;
    const update = mine.updated.then(() => this.update(mine, run, asked));
    mine.updated = update.catch(() => undefined);
    await update;
    if (mine.columns !== before && this.kept.peek(key) === mine) {
      // The cache measures an entry only when it is added.
      this.kept.delete(key);
      this.kept.set(key, mine);
    }
    return mine;
  }

  /** One more class would evict one that is in use: to fill both again and again costs more than to ask anew. */
  private isFullOfUsed(nowMs: number): boolean {
    const { size, calculatedSize } = this.kept;
    const hasRoom = size < CLASSES_KEPT && calculatedSize + calculatedSize / Math.max(1, size) <= BYTES_KEPT;
    const [oldest] = this.kept.rvalues();
    return !hasRoom && oldest !== undefined && nowMs - oldest.usedAtMs < ASKED_AGAIN_MS;
  }

  private async update(kept: KeptClass, run: DecisionRun, asked: Asked): Promise<void> {
    const { changes } = this.from.hosts;
    if (!changes) {
      kept.columns = null;
      return;
    }
    const { position } = changes;
    const heartbeat = this.from.hosts.heartbeats?.position ?? 0;
    const changed = kept.columns === null ? null : changes.since(kept.position);
    if (changed === null || kept.columns === null) kept.columns = await this.filled(run, asked);
    else {
      const late = await this.reported(kept.columns, kept.heartbeat, run, asked);
      const uuids = [...new Set([...changed, ...late, ...kept.columns.expired(run.env.nowMs)])];
      if (uuids.length > 0 && !(await this.fill(kept.columns, run, asked, uuids))) kept.columns = null;
    }
    kept.position = position;
    kept.heartbeat = heartbeat;
  }

  /** Takes over the times of the last reports. Returns the hosts that have to be asked for that. */
  private async reported(columns: ClassColumns, since: number, run: DecisionRun, asked: Asked): Promise<string[]> {
    const { hosts } = this.from;
    const asking = askingOf(run, asked.spec, 0);
    const late: string[] = [];
    const take = (uuid: string): void => {
      const [service, expiresAtMs] = [hosts.serviceOf({ uuid, name: '' }), hosts.expiresAtMs?.(uuid) ?? Infinity];
      if (!columns.reported(uuid, service, asking, expiresAtMs)) late.push(uuid);
    };
    await tasks.forEach(hosts.heartbeats?.since(since) ?? columns.uuids, take, run.command.caller);
    return late;
  }

  private serviceOf({ uuid, host: name, service }: HostState): HostService | null {
    const now = this.from.hosts.serviceOf({ uuid, name });
    return now === null || now.lastSeenUpMs === null ? service : now;
  }

  private async filled(run: DecisionRun, asked: Asked): Promise<ClassColumns | null> {
    const found = [...this.kept.values()].map(({ columns }) => columns?.found.hosts ?? 0);
    // Positions of deleted hosts are not used again.
    if (this.allHosts.size > 2 * Math.max(...found) + HOSTS_SPARE) this.allHosts = new ClassHosts();
    const { length } = run.pipeline.parts.weighers;
    const columns = new ClassColumns(length, this.allHosts, (state) => this.serviceOf(state));
    return (await this.fill(columns, run, asked)) ? columns : null;
  }

  /** Asks about all hosts or some. False: the search did not answer wholly. */
  private async fill(
    columns: ClassColumns,
    run: DecisionRun,
    { spec, plan: { request, perRoot } }: Asked,
    onlyRoots?: readonly string[],
  ): Promise<boolean> {
    const { candidates, hosts } = this.from;
    const { env, command } = run;
    const bounds = { perRoot, isReadNow: true, ...(onlyRoots && { onlyRoots }) };
    const answer = await candidates.search(request, bounds, command.caller);
    if (answer.truncated || answer.gaveUp === true) return false;
    const trees = treesOfCandidates(answer.requests, answer.summaries);
    const known = await hosts.states(trees, { ...env, caller: command.caller });
    const candidatesOf = new Map<string, Candidate[]>();
    for (const candidate of answer.requests) addTo(candidatesOf, candidate.rootUuid, candidate);
    const asking = askingOf(run, spec, 0);
    for (const uuid of onlyRoots ?? []) if (!candidatesOf.has(uuid)) columns.remove(uuid);
    await tasks.forEach(
      candidatesOf,
      ([uuid, all]) => {
        const state = known.get(uuid) ?? null;
        const isOfNova = env.novaCompat && state !== null;
        const candidates = isOfNova ? withOwnCandidates(withCandidates(state, all)).candidates : all;
        const name = answer.summaries.get(uuid)?.name ?? uuid;
        const expiresAtMs = hosts.expiresAtMs?.(uuid) ?? Number.POSITIVE_INFINITY;
        columns.ask({ uuid, name, state, candidates, expiresAtMs }, asking);
      },
      command.caller,
    );
    return true;
  }
}
