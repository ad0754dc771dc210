// What keeps flavors from a host, as far as it is told: a class, a trait or another condition; and its sentences.

import type { RejectionParam, TreeCandidates } from '../../candidate-search';
import type { Room } from './hardware';
import type { PackingRooms, Taking } from './packing';

/**
 * `room`: too little is left of the classes. `class`: the host has none of it. `condition`: what no room would cure.
 * `nothing`: no flavor that the host takes asks for the class.
 */
export interface Hindrance {
  readonly kind: 'room' | 'class' | 'condition' | 'nothing';
  readonly name: string;
}

type Reason = NonNullable<TreeCandidates['reason']>;

/** Why the make has no way at all for a flavor. */
export function hindranceOf({ stage, code, params }: Reason): Hindrance {
  const first = (value: RejectionParam | undefined): string =>
    Array.isArray(value) ? value.join(', ') : String(value ?? '');
  switch (code) {
    case 'missing_trait':
      return { kind: 'condition', name: `trait ${first(params['trait'] ?? params['missing'] ?? params['required'])}` };
    case 'forbidden_trait':
      return {
        kind: 'condition',
        name: `no trait ${first(params['trait'] ?? params['present'] ?? params['forbidden'])}`,
      };
    case 'not_collectively_met':
      return { kind: 'condition', name: `traits ${first(params['missing'] ?? params['required'])}` };
    case 'no_inventory':
    case 'not_on_one_provider':
    case 'not_connected':
      return { kind: 'class', name: first(params['resource_classes']) };
    case 'below_min_unit':
    case 'no_multiple_of_step_size':
      return {
        kind: 'condition',
        name: `${code.replace('below_', '').replace('no_multiple_of_', '')} of ${first(params['resource_class'])}`,
      };
    default:
      return { kind: 'condition', name: stage === 'aggregates' ? 'aggregates' : code };
  }
}

/** Classes that the way asks more of than there is, ascending. */
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
export function strandedSentence(resourceClass: string, { kind, name }: Hindrance, hosts: number): string {
  const what = nounOf(resourceClass);
  const where = `on ${hostsText(hosts)}`;
  if (kind === 'nothing') return `${what} that no flavor asks for ${where}`;
  if (kind === 'room' && name === resourceClass) return `${what} left in amounts that no flavor takes ${where}`;
  return `${what} left without ${kind === 'condition' ? name : name.split(' and ').map(nounOf).join(' and ')} ${where}`;
}

/** "VCPU runs out first on 212 hosts". */
export function bindingSentence({ kind, name }: Hindrance, hosts: number): string {
  const many = hosts !== 1;
  switch (kind) {
    case 'room':
      return `${nounOf(name)} runs out first on ${hostsText(hosts)}`;
    case 'class':
      return `${hostsText(hosts)} ${many ? 'have' : 'has'} no ${nounOf(name)}`;
    case 'nothing':
    case 'condition':
      return name.startsWith('no ')
        ? `${hostsText(hosts)} ${many ? 'have' : 'has'} ${name.slice(3)}, which is forbidden`
        : `${hostsText(hosts)} ${many ? 'lack' : 'lacks'} ${name}`;
  }
}
