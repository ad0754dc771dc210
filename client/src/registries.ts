// The scheduler's registries. Lists come in pages.
import type { Calls } from './calls.ts';
import type { CallOptions } from './session.ts';

export const hostsOf = (calls: Calls) => ({
  list: calls.list('/scheduler/hosts'),
  get: calls.plain('get', '/scheduler/hosts/{host}/{node}'),
  /** A host's report, and its heartbeat. */
  report: calls.write('put', '/scheduler/hosts/{host}/{node}', { repeatable: true }),
  delete: calls.plain('delete', '/scheduler/hosts/{host}/{node}'),
});

export const servicesOf = (calls: Calls) => ({
  list: calls.list('/scheduler/services'),
  get: calls.plain('get', '/scheduler/services/{host}'),
  change: calls.write('patch', '/scheduler/services/{host}'),
  delete: calls.plain('delete', '/scheduler/services/{host}'),
});

export const hostAggregatesOf = (calls: Calls) => ({
  list: calls.list('/scheduler/host_aggregates'),
  get: calls.plain('get', '/scheduler/host_aggregates/{uuid}'),
  create: calls.write('post', '/scheduler/host_aggregates'),
  put: calls.write('put', '/scheduler/host_aggregates/{uuid}'),
  change: calls.write('patch', '/scheduler/host_aggregates/{uuid}'),
  delete: calls.plain('delete', '/scheduler/host_aggregates/{uuid}'),
  addHost: calls.write('post', '/scheduler/host_aggregates/{uuid}/hosts'),
  removeHost: calls.plain('delete', '/scheduler/host_aggregates/{uuid}/hosts/{host}'),
  setMetadata: calls.write('patch', '/scheduler/host_aggregates/{uuid}/metadata'),
});

export const availabilityZonesOf = (calls: Calls) => ({
  list: calls.list('/scheduler/availability_zones'),
});

export const serverGroupsOf = (calls: Calls) => ({
  list: calls.list('/scheduler/server_groups'),
  get: calls.plain('get', '/scheduler/server_groups/{uuid}'),
  create: calls.write('post', '/scheduler/server_groups'),
  put: calls.write('put', '/scheduler/server_groups/{uuid}'),
  change: calls.write('patch', '/scheduler/server_groups/{uuid}'),
  delete: calls.plain('delete', '/scheduler/server_groups/{uuid}'),
});

export const flavorsOf = (calls: Calls) => ({
  list: calls.list('/scheduler/flavors'),
  get: calls.plain('get', '/scheduler/flavors/{id}'),
  create: calls.write('post', '/scheduler/flavors'),
  put: calls.write('put', '/scheduler/flavors/{id}'),
  change: calls.write('patch', '/scheduler/flavors/{id}'),
  delete: calls.plain('delete', '/scheduler/flavors/{id}'),
  setExtraSpecs: calls.write('patch', '/scheduler/flavors/{id}/extra_specs'),
});

export const imagesOf = (calls: Calls) => ({
  list: calls.list('/scheduler/images'),
  get: calls.plain('get', '/scheduler/images/{uuid}'),
  create: calls.write('post', '/scheduler/images'),
  put: calls.write('put', '/scheduler/images/{uuid}'),
  change: calls.write('patch', '/scheduler/images/{uuid}'),
  delete: calls.plain('delete', '/scheduler/images/{uuid}'),
});

/** Page after page of a list of the scheduler: `for await (const { flavors } of pages(client.flavors.list))`. */
export async function* pages<Q extends object, A extends { readonly next_marker: string | null }>(
  list: (query: Q & { marker?: string }, options?: CallOptions) => Promise<A>,
  query?: Q,
  options?: CallOptions,
): AsyncGenerator<A, void, undefined> {
  let asked: Q & { marker?: string } = { ...(query as Q) };
  for (;;) {
    const page = await list(asked, options);
    yield page;
    if (page.next_marker === null) return;
    asked = { ...asked, marker: page.next_marker };
  }
}
