// How much of a capacity is used, as a bar and in words; over-full is a bar beyond its end, and said.
import { Box, Group, Progress, Text, Tooltip } from '@mantine/core';
import { colorOfUse } from '../theme';
import { amountText, classText, shareText } from './amount';

interface Props {
  readonly resourceClass: string;
  readonly used: number;
  readonly capacity: number;
  readonly reserved?: number;
  /** Without the words beside the bar; they are in its description all the same. */
  readonly isBare?: boolean;
  readonly label?: string;
}

export function UseBar({ resourceClass, used, capacity, reserved, isBare = false, label }: Props) {
  const share = capacity === 0 ? (used > 0 ? Infinity : 0) : used / capacity;
  const words = `${amountText(resourceClass, used)} of ${amountText(resourceClass, capacity)} used`;
  const more = [
    words,
    share > 1 ? 'over-full' : shareText(share),
    ...(reserved !== undefined && reserved > 0 ? [`${amountText(resourceClass, reserved)} reserved besides`] : []),
  ].join(', ');
  const bar = (
    <Progress.Root
      size={isBare ? 8 : 10}
      radius="sm"
      style={{ flex: 1, minWidth: 60 }}
      // Bare bars stand in tables by the hundred, where a tooltip of the browser's costs nothing.
      {...(isBare && { title: more })}
    >
      <Progress.Section
        value={Math.min(100, share * 100)}
        color={colorOfUse(share)}
        aria-label={`${label ?? classText(resourceClass)}: ${more}`}
      />
    </Progress.Root>
  );
  if (isBare) return bar;
  return (
    <Box>
      <Group justify="space-between" gap="xs" mb={4} wrap="nowrap">
        <Text size="sm" fw={500} truncate>
          {label ?? classText(resourceClass)}
        </Text>
        <Text size="sm" c="dimmed" className="numbers" style={{ whiteSpace: 'nowrap' }}>
          {words}
        </Text>
      </Group>
      <Tooltip label={more} openDelay={300}>
        <Group gap={0}>{bar}</Group>
      </Tooltip>
    </Box>
  );
}
