// A section of a page with its heading.
import { Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** Next to the heading: the scope, a choice, or actions. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Panel({ title, aside, children }: Props) {
  return (
    <Paper component="section" withBorder px="md" py="sm" aria-label={title}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Paper>
  );
}
