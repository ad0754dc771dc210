// New decisions by polling, older ones page by page while the user scrolls.
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useLive } from '../../service/live';
import { useAnswer } from '../../service/questions';
import { useService } from '../../session/session';
import type { DecisionOutcome } from '../decision/decision-document';
import type { KeptDecision } from './decision-list';
import { mergeDecisions, sinceOf } from './decision-list';

interface DecisionFilter {
  readonly outcome?: DecisionOutcome | undefined;
  readonly host?: string | undefined;
  readonly instance?: string | undefined;
  readonly project?: string | undefined;
  /** Period in hours, as text. */
  readonly hours: string;
}

const NEWEST = 50;
const PAGE = 200;

/** Polled, because the change stream has no event for a decision that places no instance. */
const LOOKED_FOR_EVERY_MS = 5_000;

export function useDecisions(filter: DecisionFilter) {
  const { scheduler } = useService();
  const queries = useQueryClient();
  const { state } = useLive();
  const list = useCallback(
    (page: { readonly limit: number; readonly marker?: string | undefined }, signal: AbortSignal) => {
      const { outcome, host, instance, project, hours } = filter;
      const since = sinceOf(hours, Date.now());
      return scheduler.scheduler.decisions.list(
        { ...page, outcome, host, instance, project_id: project, since },
        { signal },
      );
    },
    [scheduler, filter],
  );
  const newest = useAnswer('decisions', ['newest', filter], (_service, signal) => list({ limit: NEWEST }, signal), {
    ...(state !== 'paused' && { everyMs: LOOKED_FOR_EVERY_MS }),
  });
  const older = useInfiniteQuery({
    queryKey: ['fixed', 'older decisions', filter],
    queryFn: ({ pageParam, signal }) => list({ limit: PAGE, marker: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_marker: marker }) => marker ?? undefined,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  });
  const known: readonly KeptDecision[] = older.data?.pages.flatMap(({ decisions }) => decisions) ?? [];
  const { rows, hasGap } = mergeDecisions(newest.data?.decisions ?? [], known, NEWEST);
  const isAnswered = !newest.isPlaceholderData && !older.isPlaceholderData;
  useEffect(() => {
    if (hasGap && isAnswered) void queries.resetQueries({ queryKey: ['fixed', 'older decisions', filter] });
  }, [hasGap, isAnswered, queries, filter]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = older;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { newest, rows, hasMore: hasNextPage, more };
}
