// Registered flavors that ask for dedicated CPUs while no filter checks that a host has them.
import type { FlavorRequest } from '../../scheduler/decide/flavor-requests';
import type { Advice } from './advice';
import { adviceOf } from './advice';

/** Flavors that the sentence names. */
const NAMED = 3;

/** `parts`: names of the enabled filters. A flavor with a second query for shared CPUs asks for dedicated ones. */
export function uncheckedPinning(
  flavors: readonly Pick<FlavorRequest, 'flavor' | 'fallback'>[],
  parts: ReadonlySet<string>,
): readonly Advice[] {
  const found = flavors.flatMap(({ flavor, fallback }) => (fallback === null ? [] : [flavor]));
  if (found.length === 0 || parts.has('NUMATopologyFilter')) return [];
  const more = found.length > NAMED ? ` and ${found.length - NAMED} more` : '';
  const names = found.slice(0, NAMED).map(({ name }) => name);
  const ask = found.length === 1 ? 'Flavor' : 'Flavors';
  return [
    adviceOf({
      kind: 'unchecked_pinning',
      severity: 'warning',
      sentence:
        `${ask} ${names.join(', ')}${more} ask${found.length === 1 ? 's' : ''} for dedicated CPUs and ` +
        'NUMATopologyFilter is off: instances can land on hosts that have only shared CPUs.',
      subjects: found.map(({ id, name }) => ({ kind: 'flavor', id, name })),
    }),
  ];
}
