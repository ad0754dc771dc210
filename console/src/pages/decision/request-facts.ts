// The parsed request as readable lines. Fields that the client did not send have no line.
import { amountText, countOf, cutList } from '../../shown/amount';
import { withNames } from '../../shown/uuid';
import { pairTexts } from '../registries/pairs';
import type { UnderstoodRequest } from './decision-document';

interface Fact {
  readonly name: string;
  readonly text: string;
  /** Keys and values, for example extra specs and properties. */
  readonly pairs: readonly string[];
}

type Line = readonly [name: string, text: string | null, pairs?: Fact['pairs']];

/** `names`: names of host aggregates by uuid. */
export function factsOf(request: UnderstoodRequest, names: ReadonlyMap<string, string>): readonly Fact[] {
  const { flavor, image, instance_group: group, num_instances: count, min_count: least, retry } = request;
  const { root_required: required, root_forbidden: forbidden } = request.request_level_params;
  const lines: readonly Line[] = [
    ['Instances', least === undefined ? String(count) : `${count}, at least ${least}`],
    ['Project', request.project_id],
    ['User', request.user_id === request.project_id ? null : request.user_id],
    ['Flavor', `${flavor.name ?? 'given inline'}: ${flavorText(flavor)}`, pairTexts(flavor.extra_specs)],
    image === null
      ? ['Image', null]
      : [
          'Image',
          [image.name ?? image.id ?? 'given inline', image.disk_format].filter((part) => part !== null).join(', '),
          pairTexts(image.properties),
        ],
    ['Boots from', request.is_bfv ? 'a volume' : null],
    ['Zone', request.availability_zone],
    ['Server group', group && `${group.policy}, ${countOf(group.members.length, 'member')}`],
    ['Hints', listText(hintsText(request.scheduler_hints))],
    ['Ignored hosts', listText(request.ignore_hosts)],
    ['Forced hosts', listText(request.force_hosts)],
    ['Forced nodes', listText(request.force_nodes)],
    ['Destination', destinationText(request.requested_destination, names)],
    ['Root traits', listText([...required, ...forbidden.map((trait) => `not ${trait}`)])],
    [
      'Resource groups',
      listText(
        request.requested_resources.map(({ requester_id: id, resources }) => `${id}: ${amountsText(resources)}`),
      ),
    ],
    ['Networks', countOrNull(request.requested_networks ?? [])],
    ['NUMA', request.numa_topology === null ? null : 'a topology of its own'],
    ['PCI requests', countOrNull(request.pci_requests)],
    ['Attempt', retry === undefined ? null : String(retry.num_attempts)],
  ];
  return lines.flatMap(([name, text, pairs = []]) => (text === null ? [] : [{ name, text, pairs }]));
}

const LISTED = 6;

const listText = (values: readonly string[]): string | null => (values.length === 0 ? null : cutList(values, LISTED));

const countOrNull = (list: readonly unknown[]): string | null => (list.length === 0 ? null : String(list.length));

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

function destinationText(
  destination: UnderstoodRequest['requested_destination'],
  names: ReadonlyMap<string, string>,
): string | null {
  if (destination === null) return null;
  const { host, node, cell, aggregates, forbidden_aggregates: forbidden } = destination;
  const parts = [
    ...(host === null ? [] : [host]),
    ...(node === null || node === host ? [] : [`node ${node}`]),
    ...(cell === null ? [] : [`cell ${cell}`]),
    ...aggregates.map((set) => `in ${set.join(' or ')}`),
    ...forbidden.map((uuid) => `not in ${uuid}`),
  ];
  return parts.length === 0 ? null : withNames(parts.join(', '), names);
}
