// What the hosts of one group have, summed. A host is put in, and taken out again when it is another. Pure.
import type { CloudHost } from '../cloud/cloud-host';
import { isUsable } from '../cloud/host-status';
import type { HostStatus } from '../cloud/host-status';
import { sumsOf } from '../cloud/tree-sums';
import type { StrandedOnHost, StrandedTally } from './stranded-capacity';

/** In units of the resource class. */
export interface GroupAmounts {
  readonly total: number;
  readonly reserved: number;
  readonly capacity: number;
  readonly used: number;
  readonly free: number;
  /** What is free on hosts that take something new. */
  readonly usable: number;
  /** The largest amount that can still be asked of one of those hosts in one piece. */
  readonly largestFree: number;
  /** Which of them that is; null: none has anything left. The first that was made of several. */
  readonly largestFreeHost: CloudHost | null;
}

/** A host as it was counted. */
export interface CountedHost {
  readonly host: CloudHost;
  readonly instances: number;
  readonly stranded: StrandedOnHost | undefined;
}

/** Classes by number, as they are met. */
export class ClassNumbers {
  readonly names: string[] = [];
  private readonly numbers = new Map<string, number>();

  of(name: string): number {
    let number = this.numbers.get(name);
    if (number === undefined) this.numbers.set(name, (number = this.names.push(name) - 1));
    return number;
  }
}

/**
 * What one host has, as plain numbers: it is added to each of the groups that it belongs to, and objects would take memory
 * anew with every sum that outgrows a small integer.
 */
export class HostAmounts {
  /** Of each class: its number, and the fields of SUMMED behind it. */
  readonly values: Float64Array;
  /** Of each class, the most that can be asked for; none where nothing may be placed. */
  readonly largest: Float64Array | null;
  readonly isUsable: boolean;

  constructor(
    readonly counted: CountedHost,
    numbers: ClassNumbers,
  ) {
    const { tree, status } = counted.host;
    const { classes, largest } = sumsOf(tree);
    this.isUsable = isUsable(status);
    this.values = new Float64Array(classes.size * (SUMMED + 1));
    this.largest = this.isUsable ? new Float64Array(classes.size) : null;
    let [at, number] = [0, 0];
    for (const [name, { total, reserved, capacity, used, free }] of classes) {
      const { values } = this;
      values[at] = numbers.of(name);
      // How many hosts have the class.
      values[at + 1] = 1;
      values[at + 2] = total;
      values[at + 3] = reserved;
      values[at + 4] = capacity;
      values[at + 5] = used;
      values[at + 6] = free;
      values[at + 7] = this.isUsable ? free : 0;
      if (this.largest !== null) this.largest[number] = largest.get(name) ?? 0;
      at += SUMMED + 1;
      number += 1;
    }
  }
}

/** Hosts with the class, total, reserved, capacity, used, free, usable. */
const SUMMED = 7;

/** Who had the largest amount of a class, and how much, before it was taken out. */
interface LostLargest {
  readonly rootId: number;
  readonly amount: number;
}

/** Between two searches for what is largest, a host is taken out once at most, and then put in once at most. */
export class GroupSums {
  hosts = 0;
  hostsUsable = 0;
  /** Hosts by status; none has 0. */
  readonly statuses = new Map<HostStatus, number>();
  /** Of hosts that are there for themselves: whoever uses what another shares is an instance of its own host already. */
  instances = 0;
  /** Room for whoever shows the group, to keep what it shows until something of it is another. */
  shown: object | null = null;
  /** Some amount is beyond what numbers hold exactly: what was put in cannot be taken out again. */
  isRough = false;
  /** By the number of the class: where its amounts stand. */
  private readonly slots = new Map<number, number>();
  private amounts = new Float64Array(SUMMED * 4);
  /** The largest amounts that hosts still give, and the hosts that do. */
  private most = new Float64Array(4);
  private readonly largestHosts: (CloudHost | undefined)[] = [];
  /** Classes, by number, whose largest amount has to be looked for among all hosts of the group. */
  private readonly lost = new Map<number, LostLargest>();

  constructor(readonly stranded: StrandedTally) {}

  get needsLargest(): boolean {
    return this.lost.size > 0;
  }

  put(host: HostAmounts): void {
    this.count(host, 1);
    this.offer(host);
    if (host.counted.stranded !== undefined) this.stranded.put(host.counted.stranded);
  }

  takeOut(host: HostAmounts): void {
    const { counted } = host;
    this.count(host, -1);
    if (counted.stranded !== undefined) this.stranded.takeOut(counted.stranded);
    const rootId = counted.host.tree.root.id;
    for (let at = 0; at < host.values.length; at += SUMMED + 1) {
      const number = host.values[at] ?? 0;
      const slot = this.slotOf(number);
      if (this.largestHosts[slot]?.tree.root.id !== rootId) continue;
      this.lost.set(number, { rootId, amount: this.most[slot] ?? 0 });
      this.most[slot] = 0;
      this.largestHosts[slot] = undefined;
    }
  }

  /** Looks at one of the hosts of the group for the largest amounts that it lacks; `endLooking` when it saw them all. */
  look(host: CloudHost, names: readonly string[]): void {
    if (!isUsable(host.status)) return;
    const { largest } = sumsOf(host.tree);
    for (const number of this.lost.keys()) {
      const amount = largest.get(names[number] ?? '') ?? 0;
      if (this.isLarger(number, amount, host.tree.root.id)) this.setLargest(number, amount, host);
    }
  }

  endLooking(): void {
    this.lost.clear();
  }

  /** Undefined: none of the hosts has any of it. */
  of(number: number): GroupAmounts | undefined {
    const slot = this.slots.get(number);
    if (slot === undefined) return undefined;
    const at = slot * SUMMED;
    const { amounts } = this;
    if (amounts[at] === 0) return undefined;
    return {
      total: amounts[at + 1] ?? 0,
      reserved: amounts[at + 2] ?? 0,
      capacity: amounts[at + 3] ?? 0,
      used: amounts[at + 4] ?? 0,
      free: amounts[at + 5] ?? 0,
      usable: amounts[at + 6] ?? 0,
      largestFree: this.most[slot] ?? 0,
      largestFreeHost: this.largestHosts[slot] ?? null,
    };
  }

  private count({ counted, values, isUsable: usable }: HostAmounts, sign: 1 | -1): void {
    const { host, instances } = counted;
    this.shown = null;
    this.hosts += sign;
    if (usable) this.hostsUsable += sign;
    const alike = (this.statuses.get(host.status) ?? 0) + sign;
    if (alike === 0) this.statuses.delete(host.status);
    else this.statuses.set(host.status, alike);
    if (host.status !== 'sharing') this.instances += sign * instances;
    for (let from = 0; from < values.length; from += SUMMED + 1) {
      const at = this.slotOf(values[from] ?? 0) * SUMMED;
      const { amounts } = this;
      for (let field = 0; field < SUMMED; field += 1) {
        const sum = (amounts[at + field] ?? 0) + sign * (values[from + 1 + field] ?? 0);
        amounts[at + field] = sum;
        if (Math.abs(sum) > Number.MAX_SAFE_INTEGER) this.isRough = true;
      }
    }
  }

  private offer({ counted, values, largest }: HostAmounts): void {
    if (largest === null) return;
    const rootId = counted.host.tree.root.id;
    for (let index = 0; index < largest.length; index += 1) {
      const number = values[index * (SUMMED + 1)] ?? 0;
      const amount = largest[index] ?? 0;
      if (!this.isLarger(number, amount, rootId)) continue;
      this.setLargest(number, amount, counted.host);
      const before = this.lost.get(number);
      // Nobody has more than the one that was taken out, so none of the others has more than this.
      if (before === undefined || amount < before.amount) continue;
      if (amount > before.amount || rootId <= before.rootId) this.lost.delete(number);
    }
  }

  /** Of several that have as much, the one that was made first. */
  private isLarger(number: number, amount: number, rootId: number): boolean {
    const slot = this.slotOf(number);
    const most = this.most[slot] ?? 0;
    if (amount === 0 || amount < most) return false;
    const largest = this.largestHosts[slot];
    return amount > most || largest === undefined || rootId < largest.tree.root.id;
  }

  private setLargest(number: number, amount: number, host: CloudHost): void {
    const slot = this.slotOf(number);
    this.shown = null;
    this.most[slot] = amount;
    this.largestHosts[slot] = host;
  }

  private slotOf(number: number): number {
    const known = this.slots.get(number);
    if (known !== undefined) return known;
    const slot = this.slots.size;
    this.slots.set(number, slot);
    this.largestHosts.push(undefined);
    if (slot === this.most.length) {
      this.amounts = grown(this.amounts);
      this.most = grown(this.most);
    }
    return slot;
  }
}

function grown(values: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(values.length * 2);
  larger.set(values);
  return larger;
}
