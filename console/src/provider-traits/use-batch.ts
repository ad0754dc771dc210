// A running change of many targets: one at a time, with its outcomes, and a stop function. The targets are those of its
// start, because the lists of the page follow the changes.
import { Forbidden, Unauthorized, Unreachable } from '@berth/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { faultOf } from '../service/fault';
import { useUnsaved } from '../shell/unsaved';
import { countOf } from '../shown/amount';
import type { Undo } from '../shown/use-change';
import { REGISTRY_TOPICS, useNotify } from '../shown/use-change';
import type { ChangeOne, Outcome, Preview, Target } from './batch';
import { leftOf, runBatch, undoAll } from './batch';

const NONE: ReadonlyMap<string, Outcome> = new Map();

export type Batch = ReturnType<typeof useBatch>;

/** `what`: what the targets are called. */
export function useBatch(what: string) {
  const queries = useQueryClient();
  const notify = useNotify(REGISTRY_TOPICS);
  const [state, setState] = useState<'idle' | 'running' | 'stopped' | 'finished'>('idle');
  const [started, setStarted] = useState<Preview>();
  const [outcomes, setOutcomes] = useState(NONE);
  const running = useRef<AbortController>(undefined);
  useUnsaved(state === 'running');
  useEffect(() => () => running.current?.abort(), []);
  /** Starts with the changes of the preview, or continues with those that are left. */
  const start = (preview: Preview, change: ChangeOne): void => {
    const end = new AbortController();
    const undos: Undo[] = [];
    running.current = end;
    setStarted(preview);
    setState('running');
    const outcomeOf = (error: unknown): Outcome => {
      // These errors would stop every further change too.
      if (error instanceof Unauthorized || error instanceof Forbidden || error instanceof Unreachable) end.abort();
      return { kind: 'failed', message: faultOf(error).detail };
    };
    const note = ({ uuid }: Target, outcome: Outcome, undo?: Undo): void => {
      if (undo !== undefined) undos.push(undo);
      setOutcomes((known) => new Map(known).set(uuid, outcome));
    };
    const left = leftOf(preview.changes, outcomes);
    void runBatch(left, change, outcomeOf, note, end.signal).then((ended) => {
      setState(ended);
      if (undos.length > 0) notify({ title: `${countOf(undos.length, what)} changed`, undo: () => undoAll(undos) });
      for (const topic of REGISTRY_TOPICS) void queries.invalidateQueries({ queryKey: [topic] });
    });
  };
  return { what, state, started, outcomes, start, stop: () => running.current?.abort() };
}
