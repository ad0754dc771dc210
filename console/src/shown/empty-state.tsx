// Empty list: the reason and the next step.
import { Button, Center, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconInbox } from './icons';

interface Props {
  readonly title: string;
  /** The suggested next step. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function EmptyState({ title, children, action }: Props) {
  return (
    <Center py="xl">
      <Stack align="center" gap="xs" maw={480} ta="center">
        <ThemeIcon variant="light" size={48} radius="xl" color="gray">
          <IconInbox size={26} strokeWidth={1.5} />
        </ThemeIcon>
        <Title order={2} size="h4">
          {title}
        </Title>
        {children !== undefined && (
          <Text c="dimmed" component="div">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  );
}

interface NoneProps {
  /** For example `decision`. */
  readonly one: string;
  /** Removes the filters. */
  readonly clear: () => void;
  readonly children?: ReactNode;
}

export const NoneMatches = ({ one, clear, children }: NoneProps) => (
  <EmptyState
    title={`No ${one} matches`}
    action={
      <Button variant="default" onClick={clear}>
        Show all
      </Button>
    }
  >
    {children}
  </EmptyState>
);
