// The live cloud as input of a simulation: read once, sent with every comparison.
import type { Body } from '@berth/client';
import { eachOf } from '../../service/each-of';
import type { ProviderNode } from '../../service/reports';
import type { Service } from '../../service/service';

type Simulation = Body<'/scheduler/simulate', 'post'>;

/** The limit exists because reading the cloud takes two requests per host. */
const HOSTS_AT_MOST = 1_000;

interface Cloud {
  readonly parts: Omit<Simulation, 'request' | 'config'>;
  readonly hosts: number;
}

/** Throws RangeError if the cloud has more than 1 000 hosts. */
export async function readCloud({ scheduler, reports }: Service, signal: AbortSignal): Promise<Cloud> {
  const options = { signal };
  const roots = await reports.hosts.list({ limit: HOSTS_AT_MOST }, { signal });
  if (roots.next_marker !== null) {
    throw new RangeError(
      `The cloud has ${roots.count.toLocaleString('en')} hosts; the console compares up to ` +
        `${HOSTS_AT_MOST.toLocaleString('en')}. Give berth simulate a document of the part that matters.`,
    );
  }
  const [known, aggregates, groups, flavors, images] = await Promise.all([
    scheduler.hosts.list({ limit: HOSTS_AT_MOST }, options),
    scheduler.hostAggregates.list({}, options),
    scheduler.serverGroups.list({}, options),
    scheduler.flavors.list({}, options),
    scheduler.images.list({}, options),
  ]);
  const trees = await eachOf(roots.hosts, async ({ uuid }) =>
    flattened((await reports.hosts.get(uuid, { signal })).tree),
  );
  const hosts = await eachOf(known.hosts, ({ host, node }) => scheduler.hosts.get(host, node, options));
  // The service's answers are valid input of a simulation, but their types are looser than the request types.
  const parts = {
    hosts,
    host_aggregates: aggregates.host_aggregates,
    server_groups: groups.server_groups,
    flavors: flavors.flavors,
    images: images.images,
    providers: trees.flat(),
  } as unknown as Cloud['parts'];
  return { parts, hosts: roots.hosts.length };
}

function flattened(node: ProviderNode): object[] {
  const classes = Object.entries(node.resource_classes);
  const inventories = classes.map(([name, figures]) => {
    const { total, reserved, min_unit, max_unit, step_size, allocation_ratio } = figures;
    return [name, { total, reserved, min_unit, max_unit, step_size, allocation_ratio }] as const;
  });
  return [
    {
      uuid: node.uuid,
      name: node.name,
      parent_uuid: node.parent_uuid,
      traits: node.traits,
      aggregates: node.aggregates,
      inventories: Object.fromEntries(inventories),
      used: Object.fromEntries(classes.map(([name, { used }]) => [name, used] as const)),
    },
    ...node.children.flatMap(flattened),
  ];
}
