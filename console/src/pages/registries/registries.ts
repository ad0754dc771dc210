// The tabs of the Configuration page. The palette finds each by its name.

/** Keys in the address, names, and names in policies. */
const TABS = [
  ['aggregates', 'Host aggregates', 'host_aggregates'],
  ['zones', 'Availability zones', 'availability_zones'],
  ['groups', 'Server groups', 'server_groups'],
  ['flavors', 'Flavors', 'flavors'],
  ['images', 'Images', 'images'],
  ['services', 'Services', 'services'],
] as const;

export const REGISTRIES = TABS.map(([key, name, collection]) => ({
  key,
  name,
  rule: `berth:scheduler:${collection}:list`,
}));
