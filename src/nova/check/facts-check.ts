// Checks nova's databases, the hosts that they name, and what Placement has of these hosts.

import type { ProviderGraph } from '../../placement/candidate-search';
import type { HostAggregateFacts, ServiceFacts } from '../../scheduling-rules/host-state/host-facts';
import type { DatabaseStatus, NovaChanges, NovaStatus } from '../cells/nova-facts';
import type { Finding } from './finding';
import { bounded, failed, ok, warning } from './finding';
import { differencesFrom, releasesOf } from './novas-choice';

export function checkDatabases({ api, cells, leftOut, services }: NovaStatus): readonly Finding[] {
  return [
    databaseFinding('API database', api),
    ...cells.map((cell) => {
      const figures = `${cell.nodes} nodes, ${cell.instances} instances, ${cell.mappedHosts} mapped hosts`;
      return databaseFinding(`cell ${cell.name || cell.uuid}`, cell, figures);
    }),
    services === 0 ? failed('hosts', 'No host is known.') : ok('hosts', `${services} hosts are known.`),
    ...bounded(
      leftOut.map(({ host, node, reason, detail }) => {
        const name = node === null || node === host ? `Host ${host}` : `Node ${node} of host ${host}`;
        return warning('hosts', `${name} is left out: ${reason}${detail === null ? '' : ` (${detail})`}.`);
      }),
    ),
  ];
}

/** By the schemas of the cells: what to set to have nova's choice of hosts. */
export function checkChoice(
  { cells }: Pick<NovaStatus, 'cells'>,
  configured: number,
  pipeline: Parameters<typeof differencesFrom>[1],
): readonly Finding[] {
  const oldest = cells
    .flatMap((cell) => releasesOf(cell.schemaVersion) ?? [])
    .reduce<ReturnType<typeof releasesOf>>((low, each) => (low === null || each.first < low.first ? each : low), null);
  const { first, last } = oldest ?? { first: configured, last: configured };
  const release = Math.min(Math.max(configured, first), last);
  const found = first === last ? `${first}` : `${first} to ${last}`;
  return [
    ...(release === configured
      ? []
      : [
          warning(
            'configuration',
            `[nova] release is ${configured}, and the cells have the schema of release ${found}. Set it to ${release}.`,
          ),
        ]),
    ...differencesFrom(release, pipeline).map(({ group, name, value, novas, why }) =>
      warning(
        'choice',
        `[${group}] ${name} is ${value}: ${why}. For the choice of nova ${release}, set it to ${novas}.`,
      ),
    ),
  ];
}

function databaseFinding(subject: string, { state, reason, schemaVersion }: DatabaseStatus, figures = ''): Finding {
  if (state !== 'ready') return failed(subject, `It cannot be read: ${reason ?? state}`);
  return ok(subject, [`Readable, schema ${schemaVersion ?? 'unknown'}`, figures].filter(Boolean).join('; ') + '.');
}

/** The resource providers of one Placement service, by uuid. */
export interface ProvidersOfPlacement {
  has(provider: string): boolean;
  isIn(provider: string, aggregate: string): boolean;
}

export const providersIn = (graph: ProviderGraph): ProvidersOfPlacement => ({
  has: (provider) => graph.findProviderByUuid(provider) !== undefined,
  isIn: (provider, aggregate) => graph.findProviderByUuid(provider)?.aggregates.includes(aggregate) === true,
});

/** nova mirrors its host aggregates into Placement. Zones and isolation are searched there. */
export function checkMirror(
  { services, aggregates }: NovaChanges,
  placement: ProvidersOfPlacement,
): readonly Finding[] {
  const nodes = nodesByHost(services);
  return [
    ...bounded(withoutProvider(nodes, placement)),
    ...bounded(aggregates.flatMap((aggregate) => unmirrored(aggregate, nodes, placement))),
  ];
}

type NodesByHost = ReadonlyMap<string, readonly string[]>;

const nodesByHost = (services: readonly ServiceFacts[]): NodesByHost =>
  new Map(services.map(({ host, hosts }) => [host, hosts.flatMap(({ uuid }) => uuid ?? [])]));

const withoutProvider = (nodes: NodesByHost, placement: ProvidersOfPlacement): readonly Finding[] =>
  [...nodes].flatMap(([host, uuids]) =>
    uuids.flatMap((uuid) =>
      placement.has(uuid)
        ? []
        : warning('Placement', `Host ${host} has no resource provider ${uuid}, so it is not found.`),
    ),
  );

function unmirrored(
  { uuid, name, hosts }: HostAggregateFacts,
  nodes: NodesByHost,
  placement: ProvidersOfPlacement,
): readonly Finding[] {
  const missing = hosts.filter((host) =>
    (nodes.get(host) ?? []).some((node) => placement.has(node) && !placement.isIn(node, uuid)),
  );
  if (missing.length === 0) return [];
  const shown = `${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ', …' : ''}`;
  const text = `Aggregate ${name} lacks ${missing.length} ${missing.length === 1 ? 'host' : 'hosts'} in Placement (${shown}). Run nova-manage placement sync_aggregates.`;
  return [warning('aggregates', text)];
}
