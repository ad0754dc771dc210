// Usage of a capacity as a bar with text. An over-full bar is red and says "over-full".
import { Box, Group, Progress, Text, Tooltip } from '@mantine/core';
import { colorOfUse } from '../theme';
import { amountText, classText, shareText } from './amount';
import classes from './use-bar.module.css';

interface Props {
  readonly resourceClass: string;
  readonly used: number;
  readonly capacity: number;
  readonly reserved?: number;
  /** Hides the text next to the bar; the accessible description keeps it. */
  readonly isBare?: boolean;
  readonly label?: string;
}

export function UseBar({ resourceClass, used, capacity, reserved, isBare = false, label }: Props) {
  const share = capacity === 0 ? (used > 0 ? Infinity : 0) : used / capacity;
  const words = `${amountText(resourceClass, used)} of ${amountText(resourceClass, capacity)} used`;
  const more = [
    words,
    share > 1 ? 'over-full' : shareText(share),
    ...(reserved !== undefined && reserved > 0 ? [`${amountText(resourceClass, reserved)} also reserved`] : []),
  ].join(', ');
  const name = `${label ?? classText(resourceClass)}: ${more}`;
  if (isBare) return <BareBar share={share} name={name} title={more} />;
  return (
    <Box>
      <Group justify="space-between" gap="xs" mb={4} wrap="nowrap">
        <Text fw={500} truncate title={label ?? classText(resourceClass)}>
          {label ?? classText(resourceClass)}
        </Text>
        <Text c="dimmed" className="numbers" style={{ whiteSpace: 'nowrap' }}>
          {words}
        </Text>
      </Group>
      <Tooltip label={more} openDelay={300}>
        <Progress.Root size={10} radius="sm">
          <Progress.Section value={percentOf(share)} color={colorOfUse(share)} aria-label={name} />
        </Progress.Root>
      </Tooltip>
    </Box>
  );
}

const percentOf = (share: number): number => Math.min(100, share * 100);

/** Large tables have hundreds of bare bars, so each is two elements with a native tooltip and no components. */
function BareBar({ share, name, title }: { readonly share: number; readonly name: string; readonly title: string }) {
  const percent = percentOf(share);
  return (
    <div className={classes.bare} title={title}>
      <div
        role="progressbar"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent)}
        style={{ width: `${percent}%`, background: `var(--mantine-color-${colorOfUse(share).replace('.', '-')})` }}
      />
    </div>
  );
}
