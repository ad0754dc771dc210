// Live updates: one change stream per page invalidates the affected answers. Visible answers are read again at most
// once per second, the others when the user opens them.
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, useContext, useEffect, useMemo, useState } from 'react';
import { useSession } from '../session/session';
import type { ChangeKind } from './changes';
import { followChanges } from './changes';
import type { Topic } from './questions';

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
    void followChanges(service.scheduler, end.signal, {
      connected: setConnected,
      changed: (kinds) => touch(kinds.flatMap((kind) => TOPICS[kind])),
      reset: () => touch(['hosts', 'registries', 'decisions']),
    });
    return () => {
      end.abort();
      clearTimeout(timer);
      setConnected(false);
    };
  }, [service, queries, isAllowed, isPaused]);

  const live = useMemo(
    () => ({
      state: stateOf({ isAllowed, isPaused, isConnected }),
      pause: () => setPaused(true),
      resume: () => setPaused(false),
    }),
    [isAllowed, isPaused, isConnected],
  );
  return <LiveContext.Provider value={live}>{children}</LiveContext.Provider>;
}

function stateOf(facts: {
  readonly isAllowed: boolean;
  readonly isPaused: boolean;
  readonly isConnected: boolean;
}): LiveState {
  if (!facts.isAllowed) return 'off';
  if (facts.isPaused) return 'paused';
  return facts.isConnected ? 'live' : 'connecting';
}
