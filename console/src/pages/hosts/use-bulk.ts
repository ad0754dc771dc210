// A running change of several hosts: one host at a time, with its outcomes, and a stop function.
import { Forbidden, GenerationConflict, Unauthorized, Unreachable } from '@berth/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Outcome, Target } from '../../provider-traits/batch';
import { runBatch } from '../../provider-traits/batch';
import { faultOf } from '../../service/fault';
import type { HostRow } from '../../service/reports';
import { useService } from '../../session/session';
import { useUnsaved } from '../../shell/unsaved';
import type { BulkChange } from './bulk-change';
import { applyTo } from './bulk-change';

const NONE: ReadonlyMap<string, Outcome> = new Map();

export function useBulk(rows: readonly HostRow[]) {
  const service = useService();
  const queries = useQueryClient();
  const [state, setState] = useState<'idle' | 'running' | 'stopped' | 'finished'>('idle');
  const [outcomes, setOutcomes] = useState(NONE);
  const running = useRef<AbortController>(undefined);
  useUnsaved(state === 'running');
  useEffect(() => () => running.current?.abort(), []);
  const start = (targets: readonly Target[], change: BulkChange): void => {
    const end = new AbortController();
    running.current = end;
    setState('running');
    const byUuid = new Map(rows.map((row) => [row.uuid, row]));
    const one = async ({ uuid }: Target): Promise<'done' | 'already'> => {
      const row = byUuid.get(uuid);
      return row === undefined ? 'already' : applyTo(row, change, service, end.signal);
    };
    const outcomeOf = (error: unknown): Outcome => {
      // These errors would stop every further change too.
      if (error instanceof Unauthorized || error instanceof Forbidden || error instanceof Unreachable) end.abort();
      return { kind: error instanceof GenerationConflict ? 'conflict' : 'failed', message: faultOf(error).detail };
    };
    const note = ({ uuid }: Target, outcome: Outcome): void =>
      setOutcomes((known) => new Map(known).set(uuid, outcome));
    void runBatch(targets, one, outcomeOf, note, end.signal).then((ended) => {
      setState(ended);
      for (const topic of ['hosts', 'registries', 'slow']) void queries.invalidateQueries({ queryKey: [topic] });
    });
  };
  return { state, outcomes, start, stop: () => running.current?.abort() };
}
