// A relative time with the exact time as tooltip.
import { Text, Tooltip } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { ageText } from './age';

interface Props {
  readonly at: string | null | undefined;
  /** With it the text is a duration, for example `down 3 min`. */
  readonly before?: string;
}

export function TimeText({ at, before }: Props) {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), 10_000, { autoInvoke: true });
  if (at === null || at === undefined) return <>never</>;
  const seconds = (now - Date.parse(at)) / 1_000;
  return (
    <Tooltip label={new Date(at).toLocaleString()}>
      <Text component="time" dateTime={at} inherit span>
        {before === undefined ? `${ageText(seconds)} ago` : `${before} ${ageText(seconds)}`}
      </Text>
    </Tooltip>
  );
}
