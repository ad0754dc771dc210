// Tries where the instances of some hosts would go without these hosts. Nothing is claimed or moved.
import { NotFound, pages } from '@berth/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { HostRow } from '../../service/reports';
import type { Service } from '../../service/service';
import { readWhole } from '../../service/whole';
import { useService } from '../../session/session';
import { filtersOf } from '../hosts/host-query';
import { readAllHosts } from '../hosts/use-host-pages';
import type { RecordedInstance, RequestGroup } from './without-hosts';
import { groupsOf } from './without-hosts';

/** Instances whose requests are read; of more, the first ones. */
const INSTANCES_MAX = 500;
const READ_AT_ONCE = 4;

interface WithoutChoice {
  readonly hosts: readonly string[];
  readonly aggregate: string;
  readonly zone: string;
}

export interface GroupOutcome extends RequestGroup {
  /** Destinations with the number of instances; in the order of the decision. */
  readonly places: readonly (readonly [host: string, count: number])[];
  readonly placed: number;
  /** Why the others find no place; null if all do. */
  readonly reason: string | null;
}

interface Outcome {
  readonly rows: readonly HostRow[];
  readonly groups: readonly GroupOutcome[];
  /** Consumers on the hosts whose requests Berth does not know. */
  readonly unknown: number;
  readonly isCut: boolean;
}

export function useWithout(choice: WithoutChoice, isAsked: boolean) {
  const service = useService();
  const [progress, setProgress] = useState('');
  const question = useQuery({
    queryKey: ['fixed', 'without', choice],
    queryFn: ({ signal }) => tryWithout(service, choice, { signal, setProgress }),
    enabled: isAsked,
    staleTime: Infinity,
    retry: false,
  });
  return { question, progress };
}

interface Run {
  readonly signal: AbortSignal;
  readonly setProgress: (text: string) => void;
}

async function tryWithout(service: Service, choice: WithoutChoice, { signal, setProgress }: Run): Promise<Outcome> {
  setProgress('Reading the hosts…');
  const rows = await hostsOf(service, choice, signal);
  const hosts = rows.flatMap(({ host }) => host ?? []);
  const listed = [];
  let [unknown, isCut] = [0, false];
  for (const [at, { uuid, host }] of rows.entries()) {
    setProgress(`Reading the instances of host ${at + 1} of ${rows.length}…`);
    const document = await unlessGone(service.reports.hosts.get(uuid, { signal }));
    if (document === undefined) continue;
    unknown += document.consumers.filter(({ instance }) => instance === null).length;
    if (host === null) continue;
    const { rows: found } = await readWhole(
      pages(service.reports.instances.list, { host }, { signal }),
      ({ instances }) => instances,
      INSTANCES_MAX,
    );
    listed.push(...found);
    isCut ||= listed.length > INSTANCES_MAX;
    if (isCut) break;
  }
  const instances = await requestsOf(service, listed.slice(0, INSTANCES_MAX), { signal, setProgress });
  const groups: GroupOutcome[] = [];
  const asked = groupsOf(instances, hosts);
  for (const group of asked) {
    setProgress(`Trying request ${groups.length + 1} of ${asked.length}…`);
    groups.push(await outcomeOf(service, group, signal));
  }
  return { rows, groups, unknown, isCut };
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

type Listed = Pick<RecordedInstance, 'uuid' | 'name' | 'host'>;

async function requestsOf(
  { scheduler }: Service,
  listed: readonly Listed[],
  { signal, setProgress }: Run,
): Promise<readonly RecordedInstance[]> {
  const read: RecordedInstance[] = [];
  for (let at = 0; at < listed.length; at += READ_AT_ONCE) {
    setProgress(`Reading the request of instance ${at + 1} of ${listed.length}…`);
    const part = listed.slice(at, at + READ_AT_ONCE);
    const documents = await Promise.all(
      part.map(({ uuid }) => unlessGone(scheduler.scheduler.instances.get(uuid, { signal }))),
    );
    for (const [index, { uuid, name, host }] of part.entries()) {
      const document = documents[index];
      if (document !== undefined) read.push({ uuid, name, host, request: document.request ?? {} });
    }
  }
  return read;
}

/** Undefined: it was removed after it was listed. */
async function unlessGone<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

async function outcomeOf({ scheduler }: Service, group: RequestGroup, signal: AbortSignal): Promise<GroupOutcome> {
  const { decision, selections } = await scheduler.scheduler.explain({ ...group.body, min_count: 1 }, {}, { signal });
  const counts = new Map<string, number>();
  for (const { selected } of selections) {
    if (selected !== null) counts.set(selected.host, (counts.get(selected.host) ?? 0) + 1);
  }
  const placed = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const isWhole = placed === group.instances.length;
  return { ...group, places: [...counts], placed, reason: isWhole ? null : decision.summary.sentence };
}
