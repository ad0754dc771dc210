// `berth enable HOST...` and `berth disable HOST... --reason TEXT`.
import type { CommandStreams } from '../command-context';
import { hostNames, unknownName } from './listed';
import type { Printing } from './printing';
import { printListing } from './printing';
import type { ServiceClient } from './service-client';

interface Service {
  readonly host: string;
  readonly status: string;
  readonly disabled_reason: string | null;
  readonly state: string;
}

/** Changes nothing if one of the hosts does not exist. A reason goes with the status it explains. */
export async function setStatus(
  client: ServiceClient,
  streams: CommandStreams,
  hosts: readonly string[],
  { status, reason, output }: { readonly status: 'enabled' | 'disabled'; readonly reason?: string } & Printing,
): Promise<void> {
  const known = await hostNames(client);
  for (const host of hosts) if (!known.includes(host)) throw unknownName('Host', host, known);
  const services: Service[] = [];
  for (const host of hosts) {
    const path = `/scheduler/services/${encodeURIComponent(host)}`;
    services.push(await client.patch<Service>(path, { status, disabled_reason: reason ?? null }));
  }
  printListing(
    streams,
    { output },
    {
      document: services,
      columns: ['host', 'status', 'disabled_reason', 'state'],
      rows: services.map(({ host, status: now, disabled_reason: why, state }) => ({
        host,
        status: now,
        disabled_reason: why,
        state,
      })),
      name: 'host',
      empty: '',
    },
  );
}
