// Addresses of pages.

/** A path with its query, for example `/hosts?trait=HW_NUMA_ROOT`. */
export const pathTo = (path: string, query: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(query).toString()}`;

/** The page of a project. */
export const projectPath = (id: string): string => `/projects/${encodeURIComponent(id)}`;

/** The page of hosts, filtered by a part of their names. */
export const hostsNamedPath = (name: string): string => pathTo('/hosts', { name });

/** The trial of What if without these hosts. */
export const withoutPath = (hosts: readonly string[]): string =>
  `${pathTo('/what-if', { mode: 'without', try: '1' })}${hosts.map((host) => `&out_host=${encodeURIComponent(host)}`).join('')}`;
