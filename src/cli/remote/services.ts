// `berth enable HOST...` and `berth disable HOST... --reason TEXT`.
import type { Schema } from '../../../client/src/routes.ts';
import { checkHosts } from './listed';
import type { Action, Printing } from './printing';
import { printListing } from './printing';

type Service = Schema<'Service'>;

/** Changes nothing if one of the hosts does not exist. A reason goes with the status it explains. */
export const setStatus =
  (status: Service['status']): Action<Printing & { readonly reason?: string }> =>
  async (client, streams, options, hosts) => {
    await checkHosts(client, hosts);
    const services: Service[] = [];
    for (const host of hosts) {
      const path = `/scheduler/services/${encodeURIComponent(host)}`;
      services.push(await client.patch<Service>(path, { status, disabled_reason: options.reason ?? null }));
    }
    printListing(streams, options, {
      document: services,
      columns: ['host', 'status', 'disabled_reason', 'state'],
      rows: services.map((service) => ({ ...service })),
      name: 'host',
      empty: '',
    });
  };
