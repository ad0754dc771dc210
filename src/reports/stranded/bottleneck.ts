// The bottleneck that keeps flavors off a host: a class, a trait or another condition; and its sentences.

import type { RejectionParam, TreeCandidates } from '../../placement/candidate-search';
import type { Room } from './host-profile';
import type { PackingRooms, Taking } from './packing';

/**
 * `room`: too little of the classes is left. `class`: the host does not have the class. `condition`: the host fails a
 * condition at any capacity. `forbidden`: the host has a forbidden trait or aggregate. `nothing`: no flavor that the
 * host accepts requests the class.
 */
export interface Bottleneck {
  readonly kind: 'room' | 'class' | 'condition' | 'forbidden' | 'nothing';
  readonly name: string;
}

type Reason = NonNullable<TreeCandidates['reason']>;

/** The bottleneck that a rejection by placement names. */
export function bottleneckOf({ stage, code, params }: Reason): Bottleneck {
  switch (code) {
    case 'missing_trait':
      return { kind: 'condition', name: traitsText(params['trait'] ?? params['missing'] ?? params['required']) };
    case 'not_collectively_met':
      return {
        kind: 'condition',
        name: traitsText(isEmpty(params['missing']) ? params['required'] : params['missing']),
      };
    case 'forbidden_trait':
      return { kind: 'forbidden', name: traitsText(params['trait'] ?? params['present'] ?? params['forbidden']) };
    case 'no_inventory':
    case 'not_on_one_provider':
    case 'not_connected':
      return { kind: 'class', name: text(params['resource_classes']) };
    case 'below_min_unit':
      return { kind: 'condition', name: `a min_unit of ${text(params['resource_class'])} that is small enough` };
    case 'no_multiple_of_step_size':
      return { kind: 'condition', name: `a step_size of ${text(params['resource_class'])} that divides it` };
    case 'not_enough_left':
    case 'sum_does_not_fit':
      return { kind: 'room', name: text(params['resource_class'] ?? params['resource_classes']) };
    case 'above_max_unit':
      return {
        kind: 'condition',
        name: `a max_unit of ${nounOf(text(params['resource_class']))} that is large enough`,
      };
    case 'in_forbidden_aggregate':
    case 'root_in_forbidden_aggregate':
      return { kind: 'forbidden', name: 'an aggregate' };
    default:
      return { kind: 'condition', name: CONDITIONS[stage] ?? code.replaceAll('_', ' ') };
  }
}

const CONDITIONS: Readonly<Record<string, string>> = {
  aggregates: 'membership in a required aggregate',
  group_policy: 'enough different providers for groups that are kept apart',
  same_subtree: 'one subtree for groups that belong together',
  combine: 'providers that keep all rules together',
};

const text = (value: RejectionParam | undefined): string =>
  Array.isArray(value) ? value.join(', ') : String(value ?? '');

const isEmpty = (value: RejectionParam | undefined): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0);

const traitsText = (value: RejectionParam | undefined): string =>
  `${Array.isArray(value) && value.length > 1 ? 'traits' : 'trait'} ${text(value)}`;

/** Classes of which the placement takes more than is left, in ascending order. */
export function missingRoom(takes: readonly Taking[], rooms: readonly Room[], end: PackingRooms): readonly string[] {
  const missing = new Set<string>();
  for (const { at, amount } of takes) {
    const room = rooms[at];
    if (room !== undefined && amount > Math.min(end.left[at] ?? 0, end.most[at] ?? 0)) missing.add(room.resourceClass);
  }
  return [...missing].sort();
}

const NOUNS: Readonly<Record<string, string>> = { MEMORY_MB: 'memory', DISK_GB: 'disk', VCPU: 'VCPU', PCPU: 'PCPU' };

const nounOf = (resourceClass: string): string => NOUNS[resourceClass] ?? resourceClass;

const hostsText = (hosts: number): string => (hosts === 1 ? '1 host' : `${hosts} hosts`);

/** "memory left without VCPU on 212 hosts". */
export const strandedSentence = (resourceClass: string, bottleneck: Bottleneck, hosts: number): string =>
  `${strandedCause(resourceClass, bottleneck)} on ${hostsText(hosts)}`;

/** "memory left without VCPU". */
export function strandedCause(resourceClass: string, { kind, name }: Bottleneck): string {
  const what = nounOf(resourceClass);
  if (kind === 'nothing') return `${what} that no flavor asks for`;
  if (kind === 'forbidden') return `${what} left behind ${name}, which is forbidden,`;
  if (kind === 'room' && name === resourceClass) return `${what} left in amounts that no flavor takes`;
  return `${what} left without ${kind === 'condition' ? name : name.split(' and ').map(nounOf).join(' and ')}`;
}

/** For one host: the reason why a flavor does not fit there. */
export function hostSentence({ kind, name }: Bottleneck): string {
  switch (kind) {
    case 'room':
      return `too little ${name.split(', ').map(nounOf).join(', ')} left`;
    case 'class':
      return `no ${name.split(', ').map(nounOf).join(', ')}`;
    case 'forbidden':
      return `has ${name}, which is forbidden`;
    case 'nothing':
    case 'condition':
      return `lacks ${name}`;
  }
}

/** "VCPU runs out first on 212 hosts". */
export function bindingSentence({ kind, name }: Bottleneck, hosts: number): string {
  const [have, lack] = hosts === 1 ? ['has', 'lacks'] : ['have', 'lack'];
  switch (kind) {
    case 'room':
      return `${nounOf(name)} runs out first on ${hostsText(hosts)}`;
    case 'class':
      return `${hostsText(hosts)} ${have} no ${nounOf(name)}`;
    case 'forbidden':
      return `${hostsText(hosts)} ${have} ${name}, which is forbidden`;
    case 'nothing':
    case 'condition':
      return `${hostsText(hosts)} ${lack} ${name}`;
  }
}
