// A part of a page with its heading; a panel has a border.
import { Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** Next to the heading: the scope, a choice, or actions. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Part({ title, aside, children }: Props) {
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </section>
  );
}

export const Panel = (props: Props) => (
  <Paper withBorder px="md" py="sm">
    <Part {...props} />
  </Paper>
);
