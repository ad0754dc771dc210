// A state as a coloured word.
import { Badge } from '@mantine/core';

export function StateMark({ color, text }: { readonly color: string; readonly text: string }) {
  return (
    <Badge color={color} variant="dot" tt="none" size="md" style={{ verticalAlign: 'middle' }}>
      {text}
    </Badge>
  );
}
