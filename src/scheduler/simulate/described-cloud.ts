// The hosts, aggregates and groups of a described cloud in the scheduler's types. Contradictions are refused with their
// path.
import { hostReportOf, problemOfReport } from '../../compute/hosts/host-report';
import { STANDARD_TRAITS } from '../../placement/domain/standard-traits';
import { bodyFault } from '../../platform/values/field-fault';
import { isCustomName } from '../../platform/values/names';
import type { HostAggregateFacts, HostReport } from '../../scheduling-rules/host-state/host-facts';
import { ZONE_KEY } from '../../scheduling-rules/host-state/host-state';
import type { InstanceGroup } from '../../scheduling-rules/request-spec/request-spec';
import { derivedUuid } from './derived-uuid';
import type { SimulatedHostDto, SimulationDto } from './simulation.schema';

/** A compute node and the uuid of its root provider. */
export interface DescribedPlace {
  readonly host: string;
  readonly node: string;
  readonly uuid: string;
  readonly described: SimulatedHostDto;
  readonly report: HostReport;
}

/** The root provider is the given one, otherwise the one with the node's name, otherwise one without a description. */
export function placesOf({ hosts = [], providers }: SimulationDto): readonly DescribedPlace[] {
  const named = new Map((providers ?? []).map(({ name, uuid }) => [name, uuid]));
  const [places, uuids] = [new Set<string>(), new Set<string>()];
  return hosts.map((described, at) => {
    const { host, node = host } = described;
    const report = hostReportOf(described);
    const problem = problemOfReport(report);
    if (problem !== undefined) throw bodyFault(`hosts.${at}.${problem.field}`, problem.why);
    const uuid = described.uuid ?? named.get(node) ?? derivedUuid('host', host, node);
    const place = JSON.stringify([host, node]);
    if (places.has(place)) throw bodyFault(`hosts.${at}`, `describes host ${host} with node ${node} again`);
    if (uuids.has(uuid)) throw bodyFault(`hosts.${at}.uuid`, `is ${uuid}, the root provider of another host`);
    places.add(place);
    uuids.add(uuid);
    return { host, node, uuid, described, report };
  });
}

export function describedAggregatesOf({
  host_aggregates: aggregates = [],
}: SimulationDto): readonly HostAggregateFacts[] {
  const zones = new Map<string, string>();
  const names = new Set<string>();
  return aggregates.map((aggregate, at) => {
    const { name, hosts = [] } = aggregate;
    const zone = aggregate.availability_zone ?? aggregate.metadata?.[ZONE_KEY];
    if (names.has(name)) throw bodyFault(`host_aggregates.${at}.name`, `is ${name}, as another host aggregate is`);
    names.add(name);
    for (const host of zone === undefined ? [] : hosts) {
      const other = zones.get(host);
      if (other !== undefined && other !== String(zone)) {
        throw bodyFault(`host_aggregates.${at}.hosts`, `names ${host}, which is in availability zone ${other} already`);
      }
      zones.set(host, String(zone));
    }
    const metadata = Object.fromEntries(
      Object.entries(aggregate.metadata ?? {}).map(([key, value]) => [key, String(value)]),
    );
    return {
      id: at + 1,
      uuid: aggregate.uuid ?? derivedUuid('host aggregate', name),
      name,
      metadata: zone === undefined ? metadata : { ...metadata, [ZONE_KEY]: String(zone) },
      hosts: [...new Set(hosts)],
    };
  });
}

/** The hosts of a group are those in its document and those that list one of its members. */
export function groupsOf(
  { server_groups: groups = [] }: SimulationDto,
  places: readonly DescribedPlace[],
): readonly (InstanceGroup & { readonly name: string })[] {
  return groups.map((group) => {
    const members = new Set(group.members);
    const running = places.filter(({ report }) => report.instances?.some(({ uuid }) => members.has(uuid)));
    return {
      uuid: group.uuid ?? derivedUuid('server group', group.name),
      name: group.name,
      policy: group.policy,
      maxServerPerHost: group.rules?.max_server_per_host ?? null,
      members,
      hosts: new Set([...(group.hosts ?? []), ...running.map(({ host }) => host)]),
    };
  });
}

const KNOWN_TRAITS: ReadonlySet<string> = new Set(STANDARD_TRAITS);

/** Throws InvalidInput for a trait that is neither standard nor custom. */
export function refuseUnknownTraits({ providers }: SimulationDto): void {
  for (const [at, { traits = [] }] of (providers ?? []).entries()) {
    const unknown = traits.find((name) => !KNOWN_TRAITS.has(name) && !isCustomName(name));
    if (unknown !== undefined)
      throw bodyFault(`providers.${at}.traits`, `names the trait ${unknown}, which does not exist`);
  }
}
