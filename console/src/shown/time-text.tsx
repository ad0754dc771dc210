// A relative time with the exact time as tooltip.
import { Text, Tooltip } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { ageText } from './age';

/** In seconds. */
const JUST_NOW = 5;

export function TimeText({ at }: { readonly at: string | null | undefined }) {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), 10_000, { autoInvoke: true });
  if (at === null || at === undefined) return <>never</>;
  const seconds = (now - Date.parse(at)) / 1_000;
  return (
    <Tooltip label={new Date(at).toLocaleString()}>
      <Text component="time" dateTime={at} inherit span>
        {seconds < JUST_NOW ? 'just now' : `${ageText(seconds)} ago`}
      </Text>
    </Tooltip>
  );
}
