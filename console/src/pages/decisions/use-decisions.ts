// New decisions by polling, older ones page by page while the user scrolls.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useLive } from '../../service/live';
import { pagesOf, useMore } from '../../service/pages';
import { useAnswer } from '../../service/questions';
import { useSession } from '../../session/session';
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
  const { scheduler } = useSession().service;
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
    ...pagesOf(['fixed', 'older decisions', filter], (page, signal) => list({ ...page, limit: PAGE }, signal)),
    staleTime: Infinity,
  });
  const known: readonly KeptDecision[] = older.data?.pages.flatMap(({ decisions }) => decisions) ?? [];
  const { rows, hasGap } = mergeDecisions(newest.data?.decisions ?? [], known, NEWEST);
  const isAnswered = !newest.isPlaceholderData && !older.isPlaceholderData;
  useEffect(() => {
    if (hasGap && isAnswered) void queries.resetQueries({ queryKey: ['fixed', 'older decisions', filter] });
  }, [hasGap, isAnswered, queries, filter]);
  return { newest, rows, hasMore: older.hasNextPage, more: useMore(older) };
}
