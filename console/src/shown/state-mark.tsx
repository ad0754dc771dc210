// A state as a coloured word.
import type { BadgeProps } from '@mantine/core';
import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props extends BadgeProps {
  readonly color: string;
  readonly text: ReactNode;
  readonly title?: string | undefined;
}

export const StateMark = ({ text, ...rest }: Props) => (
  <Badge variant="dot" size="md" style={{ flexShrink: 0, verticalAlign: 'middle' }} {...rest}>
    {text}
  </Badge>
);
