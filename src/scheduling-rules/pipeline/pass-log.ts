// The passes of one decision: the first ones in full, the last one, and totals. A batch of thousands of instances has
// as many passes, too many to keep.

import type { HostName, PassRecord } from './decision';
import { PASSES_KEPT, PASSES_SHOWN_IN_FULL, RANKING_KEPT } from './limits';
import { rejectionsByCode } from './run-filters';

/** An instance and its host. */
interface PlacedOn extends HostName {
  readonly instanceUuid: string;
}

/** Totals of the passes that placed or tried to place an instance. */
export interface PassTotals {
  readonly selects: number;
  readonly placed: number;
  readonly firstPlaced: readonly PlacedOn[];
  /** The instance without a host; only the last one can be. */
  readonly withoutHost: string | null;
  readonly last: PassRecord | null;
  /** Hosts by `filter.code`. */
  readonly rejected: Readonly<Record<string, number>>;
}

/** Placements listed in a sentence. */
const FIRST_PLACED = 10;

export class PassLog {
  private readonly first: PassRecord[] = [];
  private readonly positions = new Map<string, number>();
  private readonly hosts = new Set<string>();
  private readonly chosen = new Set<string>();
  private readonly firstPlaced: PlacedOn[] = [];
  private readonly rejected: Record<string, number> = {};
  /** The last pass, if it is not among the first ones. */
  private latest: PassRecord | null = null;
  private lastSelect: PassRecord | null = null;
  private withoutHost: string | null = null;
  private count = 0;
  private selects = 0;
  private placed = 0;

  /** The truncated pass, if `ahead` others precede it. Data that no document shows would waste memory. */
  cut(pass: PassRecord, ahead = 0): PassRecord {
    const isLate = this.count + ahead >= PASSES_SHOWN_IN_FULL;
    const shorter = isLate ? { weighers: [], ranking: pass.ranking.slice(0, RANKING_KEPT) } : {};
    return { ...pass, ranked: pass.ranked ?? pass.ranking.length, ...shorter };
  }

  add(whole: PassRecord): void {
    const pass = this.cut(whole);
    this.count += 1;
    if (this.first.length < PASSES_KEPT) {
      if (pass.phase === 'select') this.positions.set(pass.instanceUuid, this.first.length);
      this.first.push(pass);
    } else this.latest = pass;
    for (const { host } of pass.claims) this.hosts.add(host);
    if (pass.selected !== null) this.hosts.add(pass.selected.host);
    if (pass.phase === 'select') this.addSelect(pass);
  }

  private addSelect(pass: PassRecord): void {
    const { instanceUuid, selected, stages } = pass;
    this.selects += 1;
    this.lastSelect = pass;
    if (selected === null) this.withoutHost = instanceUuid;
    else {
      this.placed += 1;
      this.chosen.add(selected.host);
      if (this.firstPlaced.length < FIRST_PLACED) this.firstPlaced.push({ instanceUuid, ...selected });
    }
    for (const stage of stages) {
      for (const [code, hosts] of Object.entries(rejectionsByCode(stage))) {
        const key = `${stage.name}.${code}`;
        this.rejected[key] = (this.rejected[key] ?? 0) + hosts;
      }
    }
  }

  /** Alternates are determined after their pass. */
  offered(instanceUuid: string, alternates: readonly HostName[]): void {
    const at = this.positions.get(instanceUuid);
    const pass = at === undefined ? undefined : this.first[at];
    if (at !== undefined && pass !== undefined) this.first[at] = { ...pass, alternates };
    if (this.latest?.phase === 'select' && this.latest.instanceUuid === instanceUuid) {
      this.latest = { ...this.latest, alternates };
    }
  }

  get made(): number {
    return this.count;
  }

  get kept(): readonly PassRecord[] {
    return this.latest === null ? [...this.first] : [...this.first, this.latest];
  }

  get hostsTried(): readonly string[] {
    return [...this.hosts];
  }

  get hostsChosen(): readonly string[] {
    return [...this.chosen];
  }

  get totals(): PassTotals {
    const { selects, placed, firstPlaced, withoutHost, lastSelect: last, rejected } = this;
    return { selects, placed, firstPlaced: [...firstPlaced], withoutHost, last, rejected: { ...rejected } };
  }
}
