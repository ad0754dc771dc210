// A guided first visit: five steps through the console, each on its page. It is offered once in a browser; the user can
// leave it at any step and start it again from the user menu.
import { Button, CloseButton, Group, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useSession } from '../session/session';
import { Note } from '../shown/note';
import { isSeen, markSeen, STEPS } from './first-visit-steps';

export function FirstVisit({ isAsked, onEnd }: { readonly isAsked: boolean; readonly onEnd: () => void }) {
  const navigate = useNavigate();
  const { may } = useSession();
  const steps = STEPS.filter(({ rule }) => may(rule));
  const [isLeft, setLeft] = useState(() => isSeen(localStorage));
  const [at, setAt] = useState(0);
  const step = steps[at];
  if ((isLeft && !isAsked) || step === undefined) return null;
  const leave = (): void => {
    markSeen(localStorage);
    setLeft(true);
    setAt(0);
    onEnd();
  };
  const go = (next: number): void => {
    setAt(next);
    const to = steps[next]?.path;
    if (to !== undefined) void navigate(to);
  };
  const isLast = at === steps.length - 1;
  return (
    <Paper withBorder p="sm" mb="md" component="section" aria-label="First visit">
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <div>
          <Note>{`Step ${at + 1} of ${steps.length}`}</Note>
          <Text fw={600}>{step.title}</Text>
          <Text>{step.text}</Text>
        </div>
        <CloseButton aria-label="Leave the first visit" onClick={leave} />
      </Group>
      <Group gap="xs" mt="xs">
        {at > 0 && (
          <Button size="compact-sm" variant="default" onClick={() => go(at - 1)}>
            Back
          </Button>
        )}
        <Button size="compact-sm" onClick={isLast ? leave : () => go(at + 1)}>
          {isLast ? 'Done' : 'Next'}
        </Button>
        {!isLast && (
          <Button size="compact-sm" variant="subtle" onClick={leave}>
            Leave
          </Button>
        )}
      </Group>
    </Paper>
  );
}
