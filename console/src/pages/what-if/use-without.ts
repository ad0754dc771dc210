// Tries where the instances of some hosts would go without these hosts. Nothing is claimed or moved.
import type { Answer } from '@berth/client';
import { useAnswer } from '../../service/questions';
import type { HostRow } from '../../service/reports';
import type { Service } from '../../service/service';
import type { HostFilters } from '../hosts/host-query';
import { NO_FILTERS } from '../hosts/host-query';
import { distinct, readAllHosts } from '../hosts/use-host-pages';

interface WithoutChoice {
  readonly hosts: readonly string[];
  readonly aggregate: string;
  readonly zone: string;
}

type Trial = Answer<'/scheduler/without_hosts', 'post'>;
export type GroupOutcome = Trial['groups'][number];

export interface Outcome {
  readonly rows: readonly HostRow[];
  /** Names of the hosts of `rows`. */
  readonly hosts: readonly string[];
  readonly trial: Trial;
  /** Instances on the hosts whose requests Berth does not know. */
  readonly unknown: number;
}

export const useWithout = (choice: WithoutChoice, isAsked: boolean) =>
  useAnswer('fixed', ['without', choice], (service, signal) => tryWithout(service, choice, signal), {
    enabled: isAsked,
    keepsPrevious: false,
  });

async function tryWithout(service: Service, choice: WithoutChoice, signal: AbortSignal): Promise<Outcome> {
  const rows = await hostsOf(service, choice, signal);
  const hosts = [...new Set(rows.map(({ host, name }) => host ?? name))];
  const trial = await service.scheduler.scheduler.withoutHosts({ hosts }, { signal });
  const all = rows.reduce((sum, { instances }) => sum + instances, 0);
  return { rows, hosts, trial, unknown: Math.max(0, all - trial.instances) };
}

async function hostsOf(
  service: Service,
  { hosts, aggregate, zone }: WithoutChoice,
  signal: AbortSignal,
): Promise<readonly HostRow[]> {
  const read = (filter: Partial<HostFilters>): Promise<readonly HostRow[]> =>
    readAllHosts(service, { filters: { ...NO_FILTERS, ...filter }, sort: 'name', withStranded: false }, signal);
  const lists = await Promise.all([
    ...hosts.map(async (name) => (await read({ name })).filter((row) => row.name === name || row.host === name)),
    ...(aggregate === '' ? [] : [read({ host_aggregate: aggregate })]),
    ...(zone === '' ? [] : [read({ availability_zone: [zone] })]),
  ]);
  return distinct(lists.flat().filter(({ status }) => status !== 'sharing'));
}
