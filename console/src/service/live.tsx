// Live updates: one change stream per page invalidates the affected answers. Visible answers are read again at most
// once per second, the others when the user opens them.
import type { Client } from '@berth/client';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, useContext, useEffect, useMemo, useState } from 'react';
import { useSession } from '../session/session';
import type { Topic } from './questions';

type ChangeEvent = ReturnType<Client['reports']['changes']> extends AsyncGenerator<infer E> ? E : never;
type ChangeKind = Extract<ChangeEvent, { readonly event: 'change' }>['kinds'][number];

type LiveState = 'connecting' | 'live' | 'paused' | 'off';

interface Live {
  readonly state: LiveState;
  readonly pause: () => void;
  readonly resume: () => void;
}

const LiveContext = createContext<Live>({ state: 'off', pause: () => undefined, resume: () => undefined });

export const useLive = (): Live => useContext(LiveContext);

/** Minimum time between two refreshes. */
const REFRESH_EVERY_MS = 1_000;

const TOPICS: Readonly<Record<ChangeKind, readonly Topic[]>> = {
  usage: ['hosts', 'decisions'],
  inventory: ['hosts'],
  provider: ['hosts'],
  host: ['hosts', 'registries'],
  registry: ['registries', 'hosts'],
};

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const { service, may } = useSession();
  const queries = useQueryClient();
  const [isPaused, setPaused] = useState(false);
  const [isConnected, setConnected] = useState(false);
  const isAllowed = may('berth:reports:changes');

  useEffect(() => {
    if (!isAllowed || isPaused) return undefined;
    const end = new AbortController();
    const stale = new Set<Topic>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = (): void => {
      timer = undefined;
      const topics = [...stale];
      stale.clear();
      for (const topic of topics) void queries.invalidateQueries({ queryKey: [topic] }, { cancelRefetch: false });
    };
    const touch = (topics: readonly Topic[]): void => {
      for (const topic of topics) stale.add(topic);
      timer ??= setTimeout(refresh, REFRESH_EVERY_MS);
    };
    const follow = async (): Promise<void> => {
      for await (const change of service.reports.changes({ signal: end.signal })) {
        setConnected(change.event !== 'lost');
        if (change.event === 'change') touch(change.kinds.flatMap((kind) => TOPICS[kind]));
        // Changes were possibly missed: every answer can be stale.
        if (change.event === 'reset') touch(['hosts', 'registries', 'decisions']);
      }
    };
    // After a lost permission, the next request of a page reports the reason.
    follow()
      .catch(() => undefined)
      .finally(() => !end.signal.aborted && setConnected(false));
    return () => {
      end.abort();
      clearTimeout(timer);
      setConnected(false);
    };
  }, [service, queries, isAllowed, isPaused]);

  const state = !isAllowed ? 'off' : isPaused ? 'paused' : isConnected ? 'live' : 'connecting';
  const live = useMemo(
    () => ({ state, pause: () => setPaused(true), resume: () => setPaused(false) }) as const,
    [state],
  );
  return <LiveContext.Provider value={live}>{children}</LiveContext.Provider>;
}
