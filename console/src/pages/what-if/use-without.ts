// Tries where the instances of some hosts would go without these hosts. Nothing is claimed or moved.
import type { Answer } from '@berth/client';
import { useQuery } from '@tanstack/react-query';
import type { HostRow } from '../../service/reports';
import type { Service } from '../../service/service';
import { useService } from '../../session/session';
import { filtersOf } from '../hosts/host-query';
import { readAllHosts } from '../hosts/use-host-pages';

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

export function useWithout(choice: WithoutChoice, isAsked: boolean) {
  const service = useService();
  return useQuery({
    queryKey: ['fixed', 'without', choice],
    queryFn: ({ signal }) => tryWithout(service, choice, signal),
    enabled: isAsked,
    staleTime: Infinity,
    retry: false,
  });
}

async function tryWithout(service: Service, choice: WithoutChoice, signal: AbortSignal): Promise<Outcome> {
  const rows = await hostsOf(service, choice, signal);
  const hosts = [...new Set(rows.map(({ host, name }) => host ?? name))];
  const trial = await service.scheduler.scheduler.withoutHosts({ hosts }, { signal });
  const all = rows.reduce((sum, { instances }) => sum + instances, 0);
  return { rows, hosts, trial, unknown: Math.max(0, all - trial.instances) };
}

async function hostsOf(service: Service, choice: WithoutChoice, signal: AbortSignal): Promise<readonly HostRow[]> {
  const found = new Map<string, HostRow>();
  const add = async (text: string): Promise<void> => {
    const params = new URLSearchParams(text);
    const filters = filtersOf({ get: (name) => params.get(name) ?? '', all: (name) => params.getAll(name) });
    const rows = await readAllHosts(service, { filters, sort: 'name', withStranded: false }, signal);
    const wanted = params.get('name');
    for (const row of rows) if (wanted === null || row.name === wanted || row.host === wanted) found.set(row.uuid, row);
  };
  const query = (name: string, value: string): string => new URLSearchParams({ [name]: value }).toString();
  for (const name of choice.hosts) await add(query('name', name));
  if (choice.aggregate !== '') await add(query('host_aggregate', choice.aggregate));
  if (choice.zone !== '') await add(query('availability_zone', choice.zone));
  return [...found.values()].filter(({ status }) => status !== 'sharing');
}
