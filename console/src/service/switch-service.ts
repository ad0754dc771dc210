// Disables or enables the compute service of a host.
import type { Body, Client, Schema } from '@berth/client';

/** With the generation that was read, a change by another user in the meantime refuses this one. */
export type KnownService = Pick<Schema<'Service'>, 'status' | 'disabled_reason'> & { readonly generation?: number };

/** Returns the function that reverts the change. */
export async function switchService(
  { services }: Pick<Client, 'services'>,
  host: string,
  { status, disabled_reason, generation: read }: KnownService,
  change: Body<'/scheduler/services/{host}', 'patch'>,
) {
  const { generation } = await services.change(host, { ...change, ...(read !== undefined && { generation: read }) });
  return () => services.change(host, { status, disabled_reason, generation });
}
