// The matching hosts, loaded page by page while the user scrolls. A refresh reads all loaded pages again, so its
// interval grows with their number: at most one page per second.
import { pages } from '@berth/client';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { pagesOf, useMore } from '../../service/pages';
import type { HostRow, HostsQuery } from '../../service/reports';
import type { Service } from '../../service/service';
import { readWhole } from '../../service/whole';
import { useSession } from '../../session/session';
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

const queryOf = ({ filters, sort, withStranded }: HostList): HostsQuery => ({
  ...hostsQueryOf(filters),
  sort,
  ...(withStranded && { with: 'stranded' }),
});

/** `list` must be the same object until it changes. */
export function useHostPages(list: HostList) {
  const { reports } = useSession().service;
  const queries = useQueryClient();
  const question = useMemo(() => {
    const { filters, sort, withStranded } = list;
    return pagesOf(['hosts', 'pages', filters, sort, withStranded], (page, signal) =>
      reports.hosts.list({ ...queryOf(list), ...page, limit: PAGE }, { signal }),
    );
  }, [reports, list]);
  const { queryKey } = question;
  const held = queries.getQueryData(queryKey)?.pages.length ?? 0;
  const hosts = useInfiniteQuery({
    ...question,
    staleTime: RENEWS_EVERY_MS,
    // A disabled query is not refetched on every change; the timer below does that.
    enabled: held <= 1,
    // The service computes stranded amounts in the background, so they arrive without a change event.
    refetchInterval: ({ state }) => list.withStranded && REFRESH(state.data?.pages[0]?.stranded ?? undefined),
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
  return { question: hosts, rows, count: data?.pages.at(-1)?.count ?? 0, more: useMore(hosts) };
}

/** A host that moved between two pages during the read keeps its first position. */
function distinct(rows: readonly HostRow[]): readonly HostRow[] {
  return [...new Map(rows.map((row) => [row.uuid, row])).values()];
}

/** All matching hosts, for a file or a list of targets. */
export async function readAllHosts(
  { scheduler }: Service,
  list: HostList,
  signal?: AbortSignal,
): Promise<readonly HostRow[]> {
  const found = pages(scheduler.reports.hosts.list, { ...queryOf(list), limit: LARGEST_PAGE }, { signal });
  const { rows } = await readWhole(found, ({ hosts }) => hosts, Infinity);
  return distinct(rows);
}
