// The preview of a change of many targets, its progress, and what was not changed.
import { Forbidden, Unauthorized, Unreachable } from '@berth/client';
import { Alert, Button, Group, Progress, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { faultOf } from '../service/fault';
import { useUnsaved } from '../shell/unsaved';
import { countOf, countText } from '../shown/amount';
import { Note } from '../shown/note';
import type { Undo } from '../shown/use-change';
import { REGISTRY_TOPICS, useNotify } from '../shown/use-change';
import type { ChangeOne, Outcome, Preview, Target } from './batch';
import { leftOf, runBatch, undoAll } from './batch';

interface Props {
  /** As things are now; a batch that was started shows the one of its start. */
  readonly preview: Preview;
  readonly batch: ReturnType<typeof useBatch>;
  readonly change: ChangeOne;
  readonly onDone?: () => void;
}

const STATES = { idle: '', running: 'At work', stopped: 'Stopped', finished: 'Done' } as const;

export function BatchCourse({ preview: now, batch, change, onDone }: Props) {
  const { what, state, outcomes, start, stop } = batch;
  const preview = batch.started ?? now;
  const { changes, already, cannot } = preview;
  const left = leftOf(changes, outcomes);
  const tried = outcomes.size;
  const done = [...outcomes.values()].filter(({ kind }) => kind === 'done').length;
  const faults = changes.flatMap(({ uuid, name }) => {
    const outcome = outcomes.get(uuid);
    return outcome !== undefined && 'message' in outcome ? [`${name}: ${outcome.message}`] : [];
  });
  return (
    <>
      <Text aria-live="polite">
        {state === 'idle'
          ? planText(preview, what)
          : `${STATES[state]}: ${countText(tried)} of ${countOf(changes.length, what)} tried, ${countText(done)} changed`}
      </Text>
      {changes.length > 0 && <Note lineClamp={4}>{changes.map(({ name }) => name).join(', ')}</Note>}
      {state === 'idle' && already.length > 0 && (
        <Note lineClamp={2}>{`No change needed: ${already.map(({ name }) => name).join(', ')}`}</Note>
      )}
      {cannot.map(({ name, reason }) => (
        <Text key={name} size="xs" c="dimmed">{`${name}: ${reason}`}</Text>
      ))}
      {state !== 'idle' && (
        <Progress value={(tried / Math.max(1, changes.length)) * 100} color="teal.8" aria-label="Tried" />
      )}
      {faults.length > 0 && (
        <Alert
          color="red"
          p="xs"
          title={countOf(faults.length, `${what} was not changed`, `${what}s were not changed`)}
        >
          {faults.slice(0, 8).map((fault) => (
            <Text key={fault} style={{ overflowWrap: 'anywhere' }}>
              {fault}
            </Text>
          ))}
        </Alert>
      )}
      <Group>
        {state === 'running' && (
          <Button size="sm" color="red" onClick={stop}>
            Stop
          </Button>
        )}
        {state !== 'running' && left.length > 0 && (
          <Button size="sm" onClick={() => start(preview, change)}>
            {`Change ${countOf(left.length, what)}`}
          </Button>
        )}
        {state === 'finished' && onDone !== undefined && (
          <Button size="sm" variant={left.length > 0 ? 'default' : 'filled'} onClick={onDone}>
            Done
          </Button>
        )}
      </Group>
    </>
  );
}

const planText = ({ changes, already, cannot }: Preview, what: string): string =>
  [
    `${countOf(changes.length, what)} will change`,
    ...(already.length > 0 ? [`${countText(already.length)} already as wanted`] : []),
    ...(cannot.length > 0 ? [`${countText(cannot.length)} cannot change`] : []),
  ].join(', ');

const NONE: ReadonlyMap<string, Outcome> = new Map();

/**
 * A running change of many targets: one at a time, with its outcomes, and a stop function. The targets are those of its
 * start, because the lists of the page follow the changes. `what`: what the targets are called.
 */
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
