// The hosts of all request classes: one position for each, and their order by name.

import type { HostState } from '../host-state/host-state';
import { byKey } from './run-weighers';

export class ClassHosts {
  private readonly positions = new Map<string, number>();
  /** The last known state of each position, for its names; undefined: no host. */
  private readonly states: (HostState | undefined)[] = [];
  /** Positions of hosts, nearly in the order of their names. */
  private readonly named: number[] = [];
  private known: Uint32Array | null = null;
  private room = 0;
  /** Of the names. */
  version = 0;

  get size(): number {
    return this.states.length;
  }

  /** Entries for which a column has room; more than `size`, because a column of typed numbers grows by a copy. */
  get capacity(): number {
    if (this.room < this.size) this.room = Math.max(64, Math.ceil(this.size * 1.25));
    return this.room;
  }

  /** Undefined: no class knows the root. */
  find(uuid: string): number | undefined {
    return this.positions.get(uuid);
  }

  positionOf(uuid: string): number {
    let at = this.positions.get(uuid);
    if (at === undefined) this.positions.set(uuid, (at = this.states.push(undefined) - 1));
    return at;
  }

  name(at: number, state: HostState): void {
    const before = this.states[at];
    this.states[at] = state;
    if (before?.host === state.host && before.node === state.node) return;
    if (before === undefined) this.named.push(at);
    this.known = null;
    this.version += 1;
  }

  /** By position: the place among equal weights. */
  get ranks(): Uint32Array {
    if (this.known !== null) return this.known;
    // Nearly sorted, so this compares each name about once.
    const keyed = this.named.map((at) => ({ at, state: this.states[at] as HostState })).sort(byKey);
    const ranks = new Uint32Array(this.size);
    for (const [rank, { at }] of keyed.entries()) {
      ranks[at] = rank;
      this.named[rank] = at;
    }
    return (this.known = ranks);
  }
}
