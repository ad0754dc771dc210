// The bottleneck that keeps flavors off a host: a condition that the host fails, or a class that no flavor asks for.

import type { ConditionKind, DescribedCondition, Failure } from '../../placement/candidate-search';
import { describeCondition, Figures, FORMS, isAbsent, PLAIN_WORDING } from '../../placement/candidate-search';
import type { Room } from './host-profile';
import type { PackingRooms, Taking } from './packing';

/** `nothing`: no flavor that the host accepts requests the class. */
export interface Bottleneck {
  readonly kind: ConditionKind | 'nothing';
  readonly name: string;
  /** A resource class that the host does not have. */
  readonly isAbsent: boolean;
}

export const bottleneckOf = (failure: Failure): Bottleneck => ({
  kind: failure.condition.kind,
  name: describeCondition(failure.condition, PLAIN_WORDING).what,
  isAbsent: isAbsent(failure),
});

/** Too little of the classes is left. */
export const roomBottleneck = (name: string): Bottleneck => ({ kind: 'resource', name, isAbsent: false });

/** Classes of which the placement takes more than is left, in ascending order. */
export function missingRoom(takes: readonly Taking[], rooms: readonly Room[], end: PackingRooms): readonly string[] {
  const missing = new Set<string>();
  for (const { at, amount } of takes) {
    const room = rooms[at];
    if (room !== undefined && amount > Math.min(end.left[at] ?? 0, end.most[at] ?? 0)) missing.add(room.resourceClass);
  }
  return [...missing].sort();
}

const NOUNS: Readonly<Record<string, string>> = { MEMORY_MB: 'memory', DISK_GB: 'disk' };

const nounsOf = (names: string): string =>
  names
    .split(' and ')
    .map((name) => NOUNS[name] ?? name)
    .join(' and ');

/** "memory left without VCPU on 212 hosts"; null: of one host, which the reader knows. */
export function strandedSentence(resourceClass: string, bottleneck: Bottleneck, hosts: number | null): string {
  const { kind, name, isAbsent: isMissing } = bottleneck;
  const what = nounsOf(resourceClass);
  const where = hosts === null ? '' : ` on ${hosts === 1 ? '1 host' : `${hosts} hosts`}`;
  if (kind === 'nothing') return `${what} that no flavor asks for${where}`;
  if (name === resourceClass && !isMissing) return `${what} left in amounts that no flavor takes${where}`;
  return kind === 'resource'
    ? `${what} left without ${nounsOf(name)}${where}`
    : `${what} left${where === '' ? ' on a host' : where} that ${lackText(bottleneck, hosts ?? 1)}`;
}

/** For one host: the reason why a flavor does not fit there. */
export const hostSentence = (bottleneck: Bottleneck): string => lackText(bottleneck, 1);

/** "VCPU runs out first on 212 hosts", "3 hosts lack trait X". */
export function bindingSentence(bottleneck: Bottleneck, hosts: number): string {
  const count = hosts === 1 ? '1 host' : `${hosts} hosts`;
  return bottleneck.kind === 'resource' && !bottleneck.isAbsent
    ? `${nounsOf(bottleneck.name)} runs out first on ${count}`
    : `${count} ${lackText(bottleneck, hosts)}`;
}

function lackText({ kind, name, isAbsent: isMissing }: Bottleneck, hosts: number): string {
  if (kind === 'nothing') return `${hosts === 1 ? 'has' : 'have'} nothing that a flavor asks for`;
  const of: DescribedCondition = { kind, what: name, names: [name], amount: null, groups: [], origins: [] };
  const code = isMissing ? 'no_inventory' : 'not_enough_left';
  return FORMS[kind].lack(of, hosts, Figures.of({ condition: { ...of, parts: [] }, code, params: {}, isNever: false }));
}
