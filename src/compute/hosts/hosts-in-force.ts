// Hosts of another source than the registry, in the form in which the registry is read.
import { byText } from '../../platform/values/text-order';
import type { HostFacts, ServiceFacts } from '../../scheduling-rules/host-state/host-facts';
import type { FactsSource } from '../facts-in-force';
import { matchesService, UNWRITTEN, zonesOf } from '../facts-in-force';
import type { Page, PageQuery } from '../registry-page';
import { pageIn } from '../registry-page.sql';
import type { Host, ReportedHostFilter } from './hosts.repository';

export function hostsIn(facts: FactsSource, filter: ReportedHostFilter, page: PageQuery): Page<Host> {
  const { services, aggregates } = facts.changesSince(0);
  const zones = zonesOf(aggregates);
  const { node, uuid, cell } = filter;
  const shown = [...services]
    .sort(byText(({ host }) => host))
    .flatMap((service) => service.hosts.map((host) => hostOf(service, host)));
  const isFound = (host: Host): boolean =>
    matchesService(host, host.service, zones, filter) &&
    [node ?? host.node, uuid ?? host.uuid, cell ?? host.cell].join() === [host.node, host.uuid, host.cell].join();
  return pageIn(shown, ({ id }) => String(id), page, isFound);
}

function hostOf({ id: serviceId, host, service }: ServiceFacts, facts: HostFacts): Host {
  const { report, ...node } = facts;
  const {
    hypervisorType: type,
    hypervisorVersion: version,
    hypervisorHostname: hostname,
    cpuInfo: _,
    ...rest
  } = report;
  // The scalars have the same names in a report, with underscores; the large fields stay with the source.
  const scalars = Object.entries(rest).flatMap(([name, value]) =>
    typeof value === 'object' ? [] : [[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value] as const],
  );
  return {
    ...node,
    serviceId,
    mirroredProviderId: null,
    reportDigest: '',
    createdAtMs: service.createdAtMs,
    ...UNWRITTEN,
    host,
    service,
    report: {
      ...Object.fromEntries(scalars),
      cell: node.cell,
      service_version: node.serviceVersion,
      hypervisor: { type, version, hostname },
    },
  };
}
