// A decision as a short headline: flavor and hosts. The summary sentence names the instances.
import { countText } from '../../shown/amount';
import { countBy } from '../../shown/count-by';
import type { Decision } from './decision-document';

type HeadlineFacts = Pick<Decision, 'outcome' | 'request' | 'passes' | 'passes_made'>;

const HOSTS_NAMED = 3;

export function headlineOf(decision: HeadlineFacts): string {
  const { outcome } = decision;
  const asked = askedOf(decision);
  if (outcome === 'placed') return `Placed ${asked} on ${placesOf(decision)}`;
  if (outcome === 'no_valid_host') return `No host for ${asked}${whereOf(decision)}`;
  return `${outcome === 'refused' ? 'Refused' : 'Failed'}: ${asked}${whereOf(decision)}`;
}

/** For example `3 × cutter (debian)`. */
function askedOf({ request }: HeadlineFacts): string {
  if (request === null) return 'a request that was not understood';
  const { flavor, image, num_instances: count } = request;
  const name = flavor.name ?? 'a flavor given inline';
  const of = image?.name ?? null;
  return `${count > 1 ? `${countText(count)} × ` : ''}${name}${of === null ? '' : ` (${of})`}`;
}

const whereOf = ({ request }: HeadlineFacts): string =>
  request === null || request.availability_zone === null ? '' : ` in zone ${request.availability_zone}`;

/** Hosts in the order of selection, each with its number of instances. */
function placesOf({ passes, passes_made: made }: HeadlineFacts): string {
  const selected = passes.filter(({ phase }) => phase === 'select').map((pass) => pass.selected);
  const counts = countBy(selected.flatMap((each) => each?.host ?? []));
  if (counts.size === 0) return 'hosts that the record does not name';
  const isIncomplete = selected.includes(null);
  const named = [...counts].map(([host, count]) => (count > 1 ? `${host} (${count})` : host));
  const isMore = named.length > HOSTS_NAMED || made > passes.length;
  return `${named.slice(0, HOSTS_NAMED).join(', ')}${isMore ? ' and more' : ''}${isIncomplete ? ', fewer than asked' : ''}`;
}
