// The tabs of the Configuration page. The palette finds each by its name.

interface Registry {
  readonly key: string;
  readonly name: string;
  readonly rule: string;
}

const registry = (key: string, name: string, collection: string): Registry => ({
  key,
  name,
  rule: `berth:scheduler:${collection}:list`,
});

export const REGISTRIES: readonly Registry[] = [
  registry('aggregates', 'Host aggregates', 'host_aggregates'),
  registry('zones', 'Availability zones', 'availability_zones'),
  registry('groups', 'Server groups', 'server_groups'),
  registry('flavors', 'Flavors', 'flavors'),
  registry('images', 'Images', 'images'),
  registry('services', 'Services', 'services'),
];
