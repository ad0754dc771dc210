// The matching instances, loaded page by page. The first page follows the changes of the cloud; with more pages the list
// stays as it was read, because a refresh would read all of them again.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ListedInstance } from '../../service/reports';
import { useService } from '../../session/session';
import type { InstanceSearch } from './instance-search';

const PAGE = 200;
/** Pages that are refreshed. */
const REFRESHED_PAGES = 1;

export function useInstances(search: InstanceSearch) {
  const { reports } = useService();
  const question = useInfiniteQuery({
    queryKey: ['decisions', 'instances', search],
    queryFn: ({ pageParam, signal }) =>
      reports.instances.list({ ...search, limit: PAGE, marker: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_marker: marker }) => marker ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: (query) => ((query.state.data?.pages.length ?? 0) > REFRESHED_PAGES ? 'static' : 2_000),
  });
  const { data, hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage } = question;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isPlaceholderData) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage]);
  const rows: readonly ListedInstance[] = data?.pages.flatMap(({ instances }) => instances) ?? [];
  return { question, rows, hasMore: hasNextPage, more };
}
