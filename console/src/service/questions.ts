// Queries of the pages. Each has one key, so pages share answers and live updates find them. The first word of a key is
// the topic that invalidates the answer; see live.tsx.
import type { QueryKey, UseQueryResult } from '@tanstack/react-query';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session';
import type { CapacityReport } from './reports';
import type { Service } from './service';

/** Kinds of data that an answer depends on. `hosts` covers changes of providers, usage and hosts. */
export type Topic = 'hosts' | 'registries' | 'decisions' | 'slow' | 'fixed';

interface Settings<T> {
  readonly enabled?: boolean;
  /** Nothing is asked if the policies do not grant this rule to the user. */
  readonly rule?: string;
  /** Keeps the previous answer visible while the next one loads. */
  readonly keepsPrevious?: boolean;
  /** Poll interval; a function can shorten it while the service still computes an answer. */
  readonly everyMs?: number | ((answer: T | undefined) => number) | undefined;
}

/**
 * One query. `key` contains all its parameters. `ask` gets the service and a signal that aborts when no component uses
 * the answer any more.
 */
export function useAnswer<T>(
  topic: Topic,
  key: QueryKey,
  ask: (service: Service, signal: AbortSignal) => Promise<T>,
  { enabled = true, rule, keepsPrevious = true, everyMs }: Settings<T> = {},
): UseQueryResult<T> {
  const { service, may } = useSession();
  return useQuery<T>({
    queryKey: [topic, ...key],
    queryFn: ({ signal }) => ask(service, signal),
    enabled: enabled && (rule === undefined || may(rule)),
    staleTime: topic === 'fixed' ? Infinity : 2_000,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
    ...(everyMs !== undefined && {
      refetchInterval: typeof everyMs === 'number' ? everyMs : ({ state }) => everyMs(state.data),
    }),
  });
}

/** The capacity of the whole cloud. */
export const useTotalCapacity = (settings: Settings<CapacityReport> = {}): UseQueryResult<CapacityReport> =>
  useAnswer(
    'hosts',
    ['capacity', 'total'],
    ({ reports }, signal) => reports.capacity({ group_by: 'total' }, { signal }),
    { rule: 'berth:reports:capacity', ...settings },
  );
