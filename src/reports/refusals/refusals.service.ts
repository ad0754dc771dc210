// Why decisions placed nothing: an index of the database counts them, and the newest documents have the reasons.
// Reasons are cached, because documents never change and the report is requested often.
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { chunks } from '../../platform/database/sql';
import type { Caller } from '../../platform/event-loop/caller';
import { stopIfGone } from '../../platform/event-loop/caller';
import { DecisionStore } from '../../scheduler/decisions/decision-store';
import { OUTCOMES } from '../../scheduling-rules/pipeline/decision';
import type { RefusalReason } from './refusal-reasons';
import { reasonsOf } from './refusal-reasons';

/** Refused decisions whose reasons are read, the newest ones. All refused decisions are counted. */
const DECISIONS_READ = 1_000;
/** Documents per read, and decisions whose reasons are cached. */
const DOCUMENTS_PER_READ = 20;
const DECISIONS_REMEMBERED = 5_000;
const REASONS_SHOWN = 200;

/** A reason with its number of occurrences. */
interface CountedReason extends RefusalReason {
  /** Decisions that placed nothing and have this reason. */
  readonly refusals: number;
  /** The newest of them. */
  readonly last: string;
}

interface Remembered {
  readonly requestId: string;
  readonly reasons: readonly RefusalReason[];
}

const REFUSED = OUTCOMES.filter((outcome) => outcome !== 'placed');

@Injectable()
export class RefusalsService {
  private readonly remembered = new LRUCache<number, Remembered>({ max: DECISIONS_REMEMBERED });

  constructor(private readonly decisions: DecisionStore) {}

  /** Most refusals first. `isTruncated`: some documents were not read, or some reasons are not listed. */
  async since(sinceMs: number, caller: Caller) {
    const placed = await this.decisions.countOutcome('placed', sinceMs);
    const ids: number[] = [];
    let refused = 0;
    for (const outcome of REFUSED) {
      refused += await this.decisions.countOutcome(outcome, sinceMs);
      ids.push(...(await this.decisions.idsOfOutcome(outcome, { sinceMs, limit: DECISIONS_READ })));
    }
    const newest = ids.sort((one, other) => other - one).slice(0, DECISIONS_READ);
    const counted = new Map<string, CountedReason>();
    for (const decision of await this.read(newest, caller)) count(decision, counted);
    const reasons = [...counted.values()].sort(mostFirst);
    return {
      placed,
      refused,
      reasons: reasons.slice(0, REASONS_SHOWN),
      isTruncated: refused > newest.length || reasons.length > REASONS_SHOWN,
    };
  }

  /** In the order of the ids. */
  private async read(ids: readonly number[], caller: Caller): Promise<readonly Remembered[]> {
    const known = new Map<number, Remembered>();
    for (const id of ids) {
      const remembered = this.remembered.get(id);
      if (remembered !== undefined) known.set(id, remembered);
    }
    const unread = ids.filter((id) => !known.has(id));
    for (const part of chunks(unread, DOCUMENTS_PER_READ)) {
      stopIfGone(caller);
      for (const { id, requestId, document, ...said } of await this.decisions.documentsOf(part)) {
        const decision = { requestId, reasons: reasonsOf(document, said) };
        this.remembered.set(id, decision);
        known.set(id, decision);
      }
    }
    return ids.flatMap((id) => known.get(id) ?? []);
  }
}

/** The newest decision comes first, and its sentence is kept. */
function count({ requestId, reasons }: Remembered, counted: Map<string, CountedReason>): void {
  const own = new Set<string>();
  for (const reason of reasons) {
    const key = `${reason.name}.${reason.code}`;
    const known = counted.get(key) ?? { ...reason, hosts: 0, refusals: 0, last: requestId };
    const refusals = known.refusals + (own.has(key) ? 0 : 1);
    own.add(key);
    counted.set(key, { ...known, hosts: known.hosts + reason.hosts, refusals });
  }
}

const mostFirst = (one: CountedReason, other: CountedReason): number =>
  other.refusals - one.refusals ||
  other.hosts - one.hosts ||
  (`${one.name}.${one.code}` < `${other.name}.${other.code}` ? -1 : 1);
