// What the words of a condition need of the hosts that fail it: gathered host by host, so that words about ten thousand hosts cost
// as little as words about one.

import type { Failure, RejectionParam } from './conditions';
import { isAbsent } from './conditions';

/** Words show the first of different texts, and that there are more. */
const TEXTS_KEPT = 2;

/** The smallest and the largest value of all hosts that have one. */
class Range {
  count = 0;
  least = 0;
  most = 0;

  add(value: RejectionParam | undefined): void {
    if (typeof value !== 'number') return;
    this.least = this.count === 0 ? value : Math.min(this.least, value);
    this.most = this.count === 0 ? value : Math.max(this.most, value);
    this.count += 1;
  }

  /** "2", or "2 to 4". */
  get text(): string {
    return this.least === this.most ? String(this.least) : `${this.least} to ${this.most}`;
  }
}

export class Figures {
  hosts = 0;
  /** Hosts that can never satisfy the condition. */
  never = 0;
  /** Hosts that do not have the class at all. */
  absent = 0;
  first: Failure | null = null;
  readonly lacking = new Range();
  readonly free = new Range();
  readonly capacity = new Range();
  /** Sentences of the filter. */
  readonly sentences = new Set<string>();
  /** Why hosts are disabled, and since when. */
  readonly disabled = new Set<string>();
  /** Host aggregates that admit other projects. */
  readonly aggregates = new Set<string>();

  static of(failure: Failure): Figures {
    const figures = new Figures();
    figures.add(failure);
    return figures;
  }

  add(failure: Failure): void {
    const { condition, code, params, isNever, message } = failure;
    this.hosts += 1;
    this.first ??= failure;
    if (isNever) this.never += 1;
    if (isAbsent(failure)) this.absent += 1;
    this.lacking.add(params['lacking']);
    this.free.add(params['free']);
    this.capacity.add(params['capacity']);
    if (this.sentences.size < TEXTS_KEPT) this.sentences.add(message ?? code);
    if (condition.kind === 'enabled' && this.disabled.size < TEXTS_KEPT) this.disabled.add(disabledText(failure));
    if (Array.isArray(params['aggregates'])) for (const name of params['aggregates']) this.aggregates.add(String(name));
  }

  get areAbsent(): boolean {
    return this.absent === this.hosts;
  }

  get areNever(): boolean {
    return this.never === this.hosts;
  }
}

const disabledText = ({ params: { disabled_reason: reason, disabled_since: since } }: Failure): string =>
  [reason, since === undefined || since === null ? null : `since ${String(since)}`].filter(Boolean).join(', ');
