// Addresses of pages.

/** A path with its query, for example `/hosts?trait=HW_NUMA_ROOT`. */
export const pathTo = (path: string, query: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(query).toString()}`;

/** The page of a project. */
export const projectPath = (id: string): string => `/projects/${encodeURIComponent(id)}`;

/** The page of hosts, filtered by a part of their names. */
export const hostsNamedPath = (name: string): string => pathTo('/hosts', { name });

/** A new plan that drains these hosts. */
export const drainPath = (hosts: readonly string[]): string =>
  `/plans/new?${new URLSearchParams([['goal', 'drain'], ...hosts.map((host) => ['hosts', host])]).toString()}`;
