// Checks nova's databases, the hosts that they name, and what Placement has of these hosts.

import type { ProviderGraph } from '../../placement/candidate-search';
import type { HostAggregateFacts, ServiceFacts } from '../../scheduling-rules/host-state/host-facts';
import type { DatabaseStatus, NovaChanges, NovaStatus } from '../cells/nova-facts';
import type { Finding } from './finding';
import { bounded, failed, ok, warning } from './finding';

export function checkDatabases({ api, cells, leftOut, services }: NovaStatus): readonly Finding[] {
  return [
    databaseFinding('API database', api),
    ...cells.map((cell) => {
      const figures = `${cell.nodes} nodes, ${cell.instances} instances, ${cell.mappedHosts} mapped hosts`;
      return databaseFinding(`cell ${cell.name || cell.uuid}`, cell, figures);
    }),
    services === 0 ? failed('hosts', 'No host can be chosen.') : ok('hosts', `${services} hosts can be chosen.`),
    ...bounded(
      leftOut.map(({ host, node, reason, detail }) => {
        const name = node === null || node === host ? `Host ${host}` : `Node ${node} of host ${host}`;
        return warning('hosts', `${name} is left out: ${reason}${detail === null ? '' : ` (${detail})`}.`);
      }),
    ),
  ];
}

function databaseFinding(subject: string, { state, reason, schemaVersion }: DatabaseStatus, figures = ''): Finding {
  if (state !== 'ready') return failed(subject, `It cannot be read: ${reason ?? state}`);
  return ok(subject, [`Readable, schema ${schemaVersion ?? 'unknown'}`, figures].filter(Boolean).join('; ') + '.');
}

/** nova mirrors its host aggregates into Placement. Zones and isolation are searched there. */
export function checkMirror({ services, aggregates }: NovaChanges, graph: ProviderGraph): readonly Finding[] {
  const nodes = nodesByHost(services);
  return [
    ...bounded(withoutProvider(nodes, graph)),
    ...bounded(aggregates.flatMap((aggregate) => unmirrored(aggregate, nodes, graph))),
  ];
}

const nodesByHost = (services: readonly ServiceFacts[]): ReadonlyMap<string, readonly string[]> =>
  new Map(services.map(({ host, hosts }) => [host, hosts.flatMap(({ uuid }) => uuid ?? [])]));

const withoutProvider = (nodes: ReturnType<typeof nodesByHost>, graph: ProviderGraph): readonly Finding[] =>
  [...nodes].flatMap(([host, uuids]) =>
    uuids.flatMap((uuid) =>
      graph.findProviderByUuid(uuid) === undefined
        ? warning('Placement', `Host ${host} has no resource provider ${uuid}, so it is not found.`)
        : [],
    ),
  );

function unmirrored(
  { uuid, name, hosts }: HostAggregateFacts,
  nodes: ReturnType<typeof nodesByHost>,
  graph: ProviderGraph,
): readonly Finding[] {
  const missing = hosts.filter((host) =>
    (nodes.get(host) ?? []).some((node) => graph.findProviderByUuid(node)?.aggregates.includes(uuid) === false),
  );
  if (missing.length === 0) return [];
  const shown = `${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ', …' : ''}`;
  const text = `Aggregate ${name} lacks ${missing.length} hosts in Placement (${shown}). Run nova-manage placement sync_aggregates.`;
  return [warning('aggregates', text)];
}
