// The preview of a change of many targets, its progress, and what was not changed.
import { Alert, Button, Group, Progress, Text } from '@mantine/core';
import { countOf, countText } from '../shown/amount';
import { Note } from '../shown/note';
import type { ChangeOne, Preview } from './batch';
import { leftOf } from './batch';
import type { Batch } from './use-batch';

interface Props {
  /** As things are now; a batch that was started shows the one of its start. */
  readonly preview: Preview;
  readonly batch: Batch;
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
