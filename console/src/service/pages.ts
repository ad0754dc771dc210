// Lists that are read page by page while the user scrolls.
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';

interface Page {
  readonly next_marker: string | null;
}

/** The query of such a list. The first word of the key is its topic. */
export const pagesOf = <P extends Page>(
  queryKey: readonly unknown[],
  read: (page: { readonly marker: string | undefined }, signal: AbortSignal) => Promise<P>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: marker, signal }) => read({ marker }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_marker: marker }) => marker ?? undefined,
    placeholderData: keepPreviousData,
  });

type Pages = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'isPlaceholderData' | 'fetchNextPage'>;

/** Reads the next page, unless it is being read. */
export const useMore = ({ hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage }: Pages) =>
  useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isPlaceholderData) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage]);
