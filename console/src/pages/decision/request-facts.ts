// The parsed request as readable lines. Fields that the client did not send have no line.
import { amountText, countOf, cutList } from '../../shown/amount';
import { withNames } from '../../shown/named-uuids';
import { pairTexts } from '../registries/pairs';
import type { UnderstoodRequest } from './decision-document';

interface Fact {
  readonly name: string;
  readonly text: string;
  /** Keys and values, for example extra specs and properties. */
  readonly pairs?: readonly string[];
}

/** `names`: names of host aggregates by uuid. */
export function factsOf(request: UnderstoodRequest, names: ReadonlyMap<string, string>): readonly Fact[] {
  const { flavor, image, instance_group: group, num_instances: count, min_count: least } = request;
  const level = request.request_level_params;
  const facts: readonly (Fact | undefined)[] = [
    { name: 'Instances', text: least === undefined ? String(count) : `${count}, at least ${least}` },
    { name: 'Project', text: request.project_id },
    request.user_id === request.project_id ? undefined : { name: 'User', text: request.user_id },
    {
      name: 'Flavor',
      text: [flavor.name ?? 'given inline', flavorText(flavor)].join(': '),
      pairs: pairTexts(flavor.extra_specs),
    },
    image === null
      ? undefined
      : {
          name: 'Image',
          text: [
            image.name ?? image.id ?? 'given inline',
            ...(image.disk_format === null ? [] : [image.disk_format]),
          ].join(', '),
          pairs: pairTexts(image.properties),
        },
    request.is_bfv ? { name: 'Boots from', text: 'a volume' } : undefined,
    request.availability_zone === null ? undefined : { name: 'Zone', text: request.availability_zone },
    group === null
      ? undefined
      : { name: 'Server group', text: `${group.policy}, ${countOf(group.members.length, 'member')}` },
    listFact('Hints', hintsText(request.scheduler_hints)),
    listFact('Ignored hosts', request.ignore_hosts),
    listFact('Forced hosts', request.force_hosts),
    listFact('Forced nodes', request.force_nodes),
    destinationFact(request.requested_destination, names),
    listFact('Root traits', [...level.root_required, ...level.root_forbidden.map((trait) => `not ${trait}`)]),
    listFact(
      'Resource groups',
      request.requested_resources.map(({ requester_id: id, resources }) => `${id}: ${amountsText(resources)}`),
    ),
    networksFact(request.requested_networks),
    request.numa_topology === null ? undefined : { name: 'NUMA', text: 'a topology of its own' },
    request.pci_requests.length === 0
      ? undefined
      : { name: 'PCI', text: countOf(request.pci_requests.length, 'request for devices', 'requests for devices') },
    request.retry === undefined ? undefined : { name: 'Attempt', text: String(request.retry.num_attempts) },
  ];
  return facts.filter((fact) => fact !== undefined);
}

type Flavor = UnderstoodRequest['flavor'];

/** For example `2 vCPU, 4 GiB memory, 20 GiB disk`. */
function flavorText(flavor: Pick<Flavor, 'vcpus' | 'memory_mb' | 'root_gb' | 'ephemeral_gb' | 'swap'>): string {
  return [
    `${flavor.vcpus} vCPU`,
    `${amountText('MEMORY_MB', flavor.memory_mb)} memory`,
    `${amountText('DISK_GB', flavor.root_gb)} disk`,
    ...(flavor.ephemeral_gb > 0 ? [`${amountText('DISK_GB', flavor.ephemeral_gb)} ephemeral`] : []),
    ...(flavor.swap > 0 ? [`${amountText('MEMORY_MB', flavor.swap)} swap`] : []),
  ].join(', ');
}

const hintsText = (hints: Readonly<Record<string, readonly string[]>>): readonly string[] =>
  Object.entries(hints).map(([name, values]) => `${name}=${values.join(', ')}`);

const amountsText = (resources: Readonly<Record<string, number>>): string =>
  Object.entries(resources)
    .map(([name, amount]) => `${name} ${amountText(name, amount)}`)
    .join(', ');

const listFact = (name: string, values: readonly string[]): Fact | undefined =>
  values.length === 0 ? undefined : { name, text: cutList(values, LISTED) };

const LISTED = 6;

function destinationFact(
  destination: UnderstoodRequest['requested_destination'],
  names: ReadonlyMap<string, string>,
): Fact | undefined {
  if (destination === null) return undefined;
  const { host, node, cell, aggregates, forbidden_aggregates: forbidden } = destination;
  const parts = [
    ...(host === null ? [] : [host]),
    ...(node === null || node === host ? [] : [`node ${node}`]),
    ...(cell === null ? [] : [`cell ${cell}`]),
    ...aggregates.map((set) => `in ${set.join(' or ')}`),
    ...forbidden.map((uuid) => `not in ${uuid}`),
  ];
  return parts.length === 0 ? undefined : { name: 'Destination', text: withNames(parts.join(', '), names) };
}

const networksFact = (networks: UnderstoodRequest['requested_networks']): Fact | undefined =>
  networks === null || networks.length === 0 ? undefined : { name: 'Networks', text: String(networks.length) };
