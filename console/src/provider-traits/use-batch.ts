// A running change of many targets: one at a time, with its outcomes, and a stop function. The targets are those of its
// start, because the lists of the page follow the changes.
import { Forbidden, Unauthorized, Unreachable } from '@berth/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { faultOf } from '../service/fault';
import { useUnsaved } from '../shell/unsaved';
import type { Outcome, Preview, Target } from './batch';
import { leftOf, runBatch } from './batch';

const NONE: ReadonlyMap<string, Outcome> = new Map();

export type Batch = ReturnType<typeof useBatch>;

export function useBatch() {
  const queries = useQueryClient();
  const [state, setState] = useState<'idle' | 'running' | 'stopped' | 'finished'>('idle');
  const [started, setStarted] = useState<Preview>();
  const [outcomes, setOutcomes] = useState(NONE);
  const running = useRef<AbortController>(undefined);
  useUnsaved(state === 'running');
  useEffect(() => () => running.current?.abort(), []);
  /** Starts with the changes of the preview, or continues with those that are left. */
  const start = (
    preview: Preview,
    change: (target: Target, signal: AbortSignal) => Promise<'done' | 'already'>,
  ): void => {
    const end = new AbortController();
    running.current = end;
    setStarted(preview);
    setState('running');
    const outcomeOf = (error: unknown): Outcome => {
      // These errors would stop every further change too.
      if (error instanceof Unauthorized || error instanceof Forbidden || error instanceof Unreachable) end.abort();
      return { kind: 'failed', message: faultOf(error).detail };
    };
    const note = ({ uuid }: Target, outcome: Outcome): void =>
      setOutcomes((known) => new Map(known).set(uuid, outcome));
    const left = leftOf(preview.changes, outcomes);
    void runBatch(left, (target) => change(target, end.signal), outcomeOf, note, end.signal).then((ended) => {
      setState(ended);
      for (const topic of ['hosts', 'registries', 'slow']) void queries.invalidateQueries({ queryKey: [topic] });
    });
  };
  return { state, started, outcomes, start, stop: () => running.current?.abort() };
}
