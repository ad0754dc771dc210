// The matching hosts, loaded page by page while the user scrolls. A refresh reads all loaded pages again, so its
// interval grows with their number: at most one page per second.
import { pages } from '@berth/client';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { HostRow } from '../../service/reports';
import type { Service } from '../../service/service';
import { readWhole } from '../../service/whole';
import { useService } from '../../session/session';
import { REFRESH } from '../overview/age-text';
import type { HostFilters } from './host-query';
import { hostsQueryOf } from './host-query';

const PAGE = 500;
const LARGEST_PAGE = 5_000;
const RENEWS_EVERY_MS = 1_000;

/** The query of a list of hosts. */
interface HostList {
  readonly filters: HostFilters;
  readonly sort: string;
  readonly withStranded: boolean;
}

const questionOf = ({ reports }: Service, { filters, sort, withStranded }: HostList) =>
  infiniteQueryOptions({
    queryKey: ['hosts', 'pages', filters, sort, withStranded],
    queryFn: ({ pageParam, signal }) =>
      reports.hosts.list(
        { ...hostsQueryOf(filters), sort, limit: PAGE, marker: pageParam, ...(withStranded && { with: 'stranded' }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_marker }) => next_marker ?? undefined,
    staleTime: RENEWS_EVERY_MS,
  });

/** Prefetches the first page before the table requests it. */
export function useHostsAhead(): (list: HostList) => void {
  const service = useService();
  const queries = useQueryClient();
  return (list) => void queries.prefetchInfiniteQuery(questionOf(service, list));
}

export function useHostPages(list: HostList) {
  const service = useService();
  const queries = useQueryClient();
  const { filters, sort, withStranded } = list;
  const question = useMemo(
    () => questionOf(service, { filters, sort, withStranded }),
    [service, filters, sort, withStranded],
  );
  const { queryKey } = question;
  const held = queries.getQueryData(queryKey)?.pages.length ?? 0;
  const hosts = useInfiniteQuery({
    ...question,
    placeholderData: keepPreviousData,
    // A disabled query is not refetched on every change; the timer below does that.
    enabled: held <= 1,
    // The service computes stranded amounts in the background, so they arrive without a change event.
    refetchInterval: ({ state }) => withStranded && REFRESH(state.data?.pages[0]?.stranded ?? undefined),
  });

  const { refetch } = hosts;
  useEffect(() => {
    if (held <= 1) return undefined;
    const timer = setInterval(() => {
      const state = queries.getQueryState(queryKey);
      if (state?.isInvalidated === true && state.fetchStatus === 'idle') void refetch();
    }, held * RENEWS_EVERY_MS);
    return () => clearInterval(timer);
  }, [held, queries, queryKey, refetch]);

  const { data } = hosts;
  const rows = useMemo(() => distinct(data?.pages.flatMap((page) => page.hosts) ?? []), [data]);
  return { ...hosts, rows, count: data?.pages.at(-1)?.count ?? 0 };
}

/** A host that moved between two pages during the read keeps its first position. */
function distinct(rows: readonly HostRow[]): readonly HostRow[] {
  return [...new Map(rows.map((row) => [row.uuid, row])).values()];
}

/** All matching hosts, for a file or a list of targets. */
export async function readAllHosts(
  { scheduler }: Service,
  { filters, sort, withStranded }: HostList,
  signal?: AbortSignal,
): Promise<readonly HostRow[]> {
  const query = {
    ...hostsQueryOf(filters),
    sort,
    limit: LARGEST_PAGE,
    ...(withStranded && { with: 'stranded' as const }),
  };
  const found = pages(scheduler.reports.hosts.list, query, { signal });
  const { rows } = await readWhole(found, ({ hosts }) => hosts, Infinity);
  return distinct(rows);
}
