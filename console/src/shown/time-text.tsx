// A relative time with the exact time as tooltip.
import { Text, Tooltip } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** For example `3 minutes ago`. */
function relativeText(at: string | number | Date, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return Math.abs(seconds) < 5 ? 'just now' : relative.format(Math.round(seconds), 'second');
}

export function TimeText({ at }: { readonly at: string | null | undefined }) {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), 10_000, { autoInvoke: true });
  if (at === null || at === undefined) return <>never</>;
  const exact = new Date(at).toLocaleString();
  return (
    <Tooltip label={exact}>
      <Text component="time" dateTime={at} inherit span>
        {relativeText(at, now)}
      </Text>
    </Tooltip>
  );
}
