// `berth capacity --flavor F`: prints how many more instances fit.
import type { CommandStreams } from '../command-context';
import { EXIT } from '../command-context';
import { renderJson, renderTable } from '../table';
import type { Printing, RequestOptions } from './options';
import type { ServiceClient } from './service-client';

interface Capacity {
  readonly total: number | null;
  readonly at_least: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly zones: readonly { readonly zone: string; readonly hosts: number; readonly instances: number }[];
  readonly blocked: { readonly count: number; readonly by_code: Readonly<Record<string, number>> };
}

/** Exit code 1 if the service could not count them. */
export async function showCapacity(
  client: ServiceClient,
  { stdout }: CommandStreams,
  { flavor, image, zone, json }: RequestOptions & Printing,
): Promise<number> {
  const query = { flavor, image, availability_zone: zone };
  const capacity = await client.get<Capacity>('/scheduler/capacity', query);
  stdout(json ? renderJson(capacity) : textOf(capacity));
  return capacity.total === null ? EXIT.failed : EXIT.done;
}

function textOf({ total, at_least: atLeast, message, zones, blocked }: Capacity): string {
  if (total === null) return `${message ?? 'It could not be counted.'}\n`;
  const sentence = `${atLeast ? 'At least ' : ''}${total} more ${total === 1 ? 'fits' : 'fit'}.\n`;
  const where = zones.length === 0 ? '' : `\n${renderTable(['zone', 'hosts', 'instances'], zones)}`;
  if (blocked.count === 0) return sentence + where;
  const why = Object.entries(blocked.by_code).map(([reason, hosts]) => ({ reason, hosts }));
  return `${sentence}${where}\n${blocked.count} hosts take none:\n${renderTable(['reason', 'hosts'], why)}`;
}
