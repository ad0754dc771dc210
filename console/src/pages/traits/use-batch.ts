// A running change on many providers: its outcomes, and a stop function.
import { Forbidden, GenerationConflict, Unauthorized, Unreachable } from '@berth/client';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Outcome, Target } from '../../provider-traits/batch';
import { runBatch } from '../../provider-traits/batch';
import type { TraitChange } from '../../provider-traits/change-trait';
import { changeTrait } from '../../provider-traits/change-trait';
import { faultOf } from '../../service/fault';
import { useService } from '../../session/session';
import { useUnsaved } from '../../shell/unsaved';
import { countOf, countText } from '../../shown/amount';

/** The page renders new outcomes at most every 200 ms. */
const SHOWN_EVERY_MS = 200;

export type BatchState = 'idle' | 'running' | 'stopped' | 'finished';

export interface Batch {
  readonly state: BatchState;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly start: (targets: readonly Target[], trait: string, change: TraitChange) => void;
  readonly stop: () => void;
  /** Drops the outcomes and stops a running change. */
  readonly reset: () => void;
}

const NONE: ReadonlyMap<string, Outcome> = new Map();

export function useBatch(): Batch {
  const { placement } = useService();
  const queries = useQueryClient();
  const [state, setState] = useState<BatchState>('idle');
  const [outcomes, setOutcomes] = useState(NONE);
  const running = useRef<AbortController>(undefined);

  const start = useCallback(
    (targets: readonly Target[], trait: string, change: TraitChange) => {
      const end = new AbortController();
      const known = new Map<string, Outcome>();
      const show = (): void => setOutcomes(new Map(known));
      const clock = setInterval(show, SHOWN_EVERY_MS);
      running.current = end;
      setOutcomes(NONE);
      setState('running');
      const one = ({ uuid }: Target) => changeTrait(placement.providers.traits, { uuid, trait, change }, end.signal);
      const outcomeOf = (error: unknown): Outcome => {
        // These errors would stop every further change too.
        if (error instanceof Unauthorized || error instanceof Forbidden || error instanceof Unreachable) end.abort();
        const message = faultOf(error).detail;
        return { kind: error instanceof GenerationConflict ? 'conflict' : 'failed', message };
      };
      void runBatch(targets, one, outcomeOf, ({ uuid }, outcome) => known.set(uuid, outcome), end.signal).then(
        (ended) => {
          clearInterval(clock);
          void queries.invalidateQueries({ queryKey: ['hosts'] });
          void queries.invalidateQueries({ queryKey: ['registries'] });
          if (running.current !== end) {
            notifications.show({
              color: 'yellow',
              title: 'Stopped',
              message: `The form was left: ${trait} was tried on ${countOf(known.size, 'provider')} of ${countText(targets.length)}.`,
            });
            return;
          }
          show();
          setState(ended);
        },
      );
    },
    [placement, queries],
  );

  const isRunning = state === 'running';
  useUnsaved(isRunning);
  useEffect(() => {
    if (!isRunning) return undefined;
    const hold = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', hold);
    return () => removeEventListener('beforeunload', hold);
  }, [isRunning]);
  useEffect(
    () => () => {
      running.current?.abort();
      running.current = undefined;
    },
    [],
  );

  const stop = useCallback(() => running.current?.abort(), []);
  const reset = useCallback(() => {
    running.current?.abort();
    running.current = undefined;
    setState('idle');
    setOutcomes(NONE);
  }, []);
  return { state, outcomes, start, stop, reset };
}
