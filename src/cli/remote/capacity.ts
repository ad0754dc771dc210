// `berth capacity --flavor F`: prints how many more instances fit.
import type { Schema } from '../../../client/src/routes.ts';
import { EXIT } from '../command-context';
import { renderTable } from '../table';
import type { RequestOptions } from './asked-request';
import { requestOf } from './asked-request';
import type { Action } from './printing';
import { printDocument } from './printing';
import { readable } from './readable';

type Capacity = Schema<'Capacity'>;

/** Exit code 1 if the service could not count them. */
export const showCapacity: Action<RequestOptions> = async (client, streams, options) => {
  const capacity = await client.post<Capacity>('/scheduler/capacity', await requestOf(client, options));
  const { when_full } = await client.get<Schema<'History'>>('/reports/history', { hours: '1' });
  const names = capacity.hosts.map(({ host }) => host);
  printDocument(streams, options, { ...capacity, when_full }, { text: () => textOf(capacity, when_full), names });
  return capacity.total === null ? EXIT.failed : EXIT.done;
};

function textOf(
  { total, at_least: atLeast, message, zones, blocked }: Capacity,
  [first]: readonly Schema<'WhenFull'>[],
): string {
  if (total === null) return `${message ?? 'It could not be counted.'}\n`;
  const when = first === undefined ? '' : `${first.resource_class}: ${first.sentence}.\n`;
  const sentence = `${atLeast ? 'At least ' : ''}${total} more ${total === 1 ? 'fits' : 'fit'}.\n${when}`;
  const where = zones.length === 0 ? '' : `\n${renderTable(['zone', 'hosts', 'instances'], zones)}`;
  if (blocked.count === 0) return sentence + where;
  const why = Object.entries(blocked.by_code).map(([reason, hosts]) => {
    const [example] = blocked.hosts.filter(({ stage, code }) => `${stage}.${code}` === reason);
    return { hosts, reason, as: example && `${example.host}: ${readable(example.message)}` };
  });
  const takers = blocked.count === 1 ? '1 host takes' : `${blocked.count} hosts take`;
  return `${sentence}${where}\n${takers} none:\n${renderTable(['hosts', 'reason', 'as'], why)}`;
}
