// Shows whether live updates are on, with a switch to pause them.
import { Button, Tooltip } from '@mantine/core';
import { useLive } from '../service/live';
import { IconBroadcast, IconPlayerPause, IconPlugConnectedX } from '../shown/icons';
import { inkOf } from '../theme';

export function LiveMark() {
  const { state, pause, resume } = useLive();
  if (state === 'off') return null;
  const isPaused = state === 'paused';
  const { name, label, color, Icon } = {
    live: { name: 'Live', label: 'Live updates are on. Click to pause.', color: 'teal', Icon: IconBroadcast },
    connecting: {
      name: 'Connecting',
      label: 'No live updates: waiting for the service.',
      color: 'gray',
      Icon: IconPlugConnectedX,
    },
    paused: {
      name: 'Paused',
      label: 'Live updates are paused. Click to resume.',
      color: 'orange',
      Icon: IconPlayerPause,
    },
  }[state];
  return (
    <Tooltip label={label}>
      <Button
        variant="default"
        leftSection={<Icon size={14} color={inkOf(color)} />}
        aria-pressed={!isPaused}
        onClick={isPaused ? resume : pause}
      >
        {name}
      </Button>
    </Tooltip>
  );
}
