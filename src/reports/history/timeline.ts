// The time line: equal changes of hosts together, refusals by flavor and code, and the use at both ends.
import type { DecisionRow } from '../../scheduler/decisions/decision.entity';
import type { HostEvent } from './host-events.repository';
import type { NewSample } from './samples.repository';

/** Equal changes of hosts are one entry if each is at most this long after the one before. */
const TOGETHER_MS = 600_000;
const HOSTS_NAMED = 5;

/** A change of hosts, or refusals; `decision`: the newest request that was refused. */
type Change = Pick<HostEvent, 'at' | 'fact' | 'was' | 'became'> & { readonly decision?: string | undefined };
export type TimelineEntry = Change & { firstAt: number; changes: number; readonly hosts: string[] };

/** Takes the events, and then the refusals, newest first. */
export class Timeline {
  private readonly found: TimelineEntry[] = [];
  private readonly open = new Map<string, TimelineEntry>();

  addEvent(event: HostEvent): void {
    this.add(event, `${event.fact} ${event.was} ${event.became}`, TOGETHER_MS);
  }

  addRefusal({ flavor, code, sentence: became, requestId: decision, atMs: at }: DecisionRow): void {
    const fact = `refusals of ${flavor ?? 'requests without a flavor'}`;
    this.add({ at, fact, was: null, became, decision }, `${fact} ${code}`, Infinity);
  }

  /** Newest first. */
  get entries(): readonly TimelineEntry[] {
    return this.found.sort((one, other) => other.at - one.at);
  }

  private add(change: Change & { readonly name?: string }, key: string, withinMs: number): void {
    let entry = this.open.get(key);
    if (entry === undefined || entry.firstAt - change.at > withinMs) {
      const { fact, was, became, at, decision } = change;
      entry = { fact, was, became, at, decision, firstAt: at, changes: 0, hosts: [] };
      this.open.set(key, entry);
      this.found.push(entry);
    }
    entry.firstAt = change.at;
    entry.changes += 1;
    const { name } = change;
    if (name && entry.hosts.length < HOSTS_NAMED && !entry.hosts.includes(name)) entry.hosts.push(name);
  }
}

/** An entry for each resource class whose use or capacity differs between the samples. */
export function changedUse(first: NewSample, last: NewSample): readonly TimelineEntry[] {
  const textOf = ({ document: { classes } }: NewSample, name: string): string | null =>
    classes[name] ? `${classes[name].used} of ${classes[name].capacity}` : null;
  const times = { at: last.sampledAtMs, firstAt: first.sampledAtMs, changes: 1, hosts: [] };
  return Object.keys(last.document.classes)
    .map((name) => ({ fact: `use of ${name}`, was: textOf(first, name), became: textOf(last, name), ...times }))
    .filter(({ was, became }) => was !== became);
}
