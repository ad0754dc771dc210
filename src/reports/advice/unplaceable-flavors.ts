// Registered flavors of which not one more instance fits on any host.
import { bindingSentence } from '../stranded/bottleneck';
import type { FoundFlavor } from '../stranded/findings-cache';
import type { Advice } from './advice';
import { adviceOf } from './advice';

/** Flavors that the sentence names with their reasons. */
const NAMED = 3;

export function unplaceableFlavors(flavors: readonly FoundFlavor[]): readonly Advice[] {
  const found = flavors.filter(({ total }) => total !== null && total.count === 0 && total.isExact);
  const [first] = found;
  if (first === undefined) return [];
  const named = found.slice(0, NAMED).map(({ flavor, total, cause }) => {
    const [most] = total?.bottlenecks ?? [];
    const why = cause ?? (most && bindingSentence(most.bottleneck, most.hosts));
    return why === undefined ? flavor.name : `${flavor.name} (${why})`;
  });
  const more = found.length > NAMED ? ` and ${found.length - NAMED} more` : '';
  return [
    adviceOf({
      kind: 'unplaceable_flavor',
      severity: 'warning',
      sentence: `${found.length === 1 ? '1 flavor fits' : `${found.length} flavors fit`} on no host: ${named.join(', ')}${more}.`,
      subjects: found.map(({ flavor }) => ({ kind: 'flavor', id: flavor.id, name: flavor.name })),
      link: `map?flavor=${encodeURIComponent(first.flavor.name)}`,
    }),
  ];
}
