// What pages ask the service, each question under one key, so that pages share answers and live changes find them.
// The first word of a key says what would make the answer old: see live.tsx.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { QueryKey, UseQueryResult } from '@tanstack/react-query';
import { useService } from '../session/session';
import type { Service } from './service';

/** What an answer depends on. `hosts` follows every change of providers, use and hosts. */
export type Topic = 'hosts' | 'registries' | 'decisions' | 'slow' | 'fixed';

interface Settings<T> {
  readonly enabled?: boolean;
  /** Keeps the answer to the question before on the screen while the next one is on its way. */
  readonly keepsPrevious?: boolean;
  /** Asks again by itself; sooner, say, as long as an answer is still being worked out. */
  readonly everyMs?: number | ((answer: T | undefined) => number);
}

/**
 * One question. `key` names it and everything that it depends on; `ask` gets the service and the signal that ends it
 * when nobody looks any more.
 */
export function useAnswer<T>(
  topic: Topic,
  key: QueryKey,
  ask: (service: Service, signal: AbortSignal) => Promise<T>,
  { enabled = true, keepsPrevious = true, everyMs }: Settings<T> = {},
): UseQueryResult<T> {
  const service = useService();
  return useQuery<T>({
    queryKey: [topic, ...key],
    queryFn: ({ signal }) => ask(service, signal),
    enabled,
    staleTime: topic === 'fixed' ? Infinity : 2_000,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
    ...(everyMs !== undefined && {
      refetchInterval: typeof everyMs === 'number' ? everyMs : ({ state }) => everyMs(state.data),
    }),
  });
}
