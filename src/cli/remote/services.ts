// `berth enable HOST...` and `berth disable HOST... --reason TEXT`.
import type { Schema } from '../../../client/src/routes.ts';
import type { CommandStreams } from '../command-context';
import { checkHosts } from './listed';
import type { Printing } from './printing';
import { printListing } from './printing';
import type { ServiceClient } from './service-client';

type Service = Schema<'Service'>;

/** Changes nothing if one of the hosts does not exist. A reason goes with the status it explains. */
export const setStatus =
  (status: Service['status']) =>
  async (
    client: ServiceClient,
    streams: CommandStreams,
    options: Printing & { readonly reason?: string },
    hosts: readonly string[],
  ): Promise<void> => {
    await checkHosts(client, hosts);
    const services: Service[] = [];
    for (const host of hosts) {
      const path = `/scheduler/services/${encodeURIComponent(host)}`;
      services.push(await client.patch<Service>(path, { status, disabled_reason: options.reason ?? null }));
    }
    printListing(streams, options, {
      document: services,
      columns: ['host', 'status', 'disabled_reason', 'state'],
      rows: services.map(({ host, status: now, disabled_reason, state }) => ({
        host,
        status: now,
        disabled_reason,
        state,
      })),
      name: 'host',
      empty: '',
    });
  };
