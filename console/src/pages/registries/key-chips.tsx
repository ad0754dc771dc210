// Keys and values in a cell: the first few, and the number of the rest.
import { Badge, Group, Tooltip } from '@mantine/core';
import { Dimmed, Note } from '../../shown/note';
import { pairTexts } from './pairs';

const SHOWN = 3;

export function KeyChips({ record }: { readonly record: Readonly<Record<string, string>> }) {
  const pairs = pairTexts(record);
  const more = pairs.length - SHOWN;
  if (pairs.length === 0) return <Dimmed>–</Dimmed>;
  return (
    <Tooltip label={pairs.join(', ')} multiline maw={480} openDelay={300}>
      <Group gap={4} wrap="nowrap">
        {pairs.slice(0, SHOWN).map((pair) => (
          <Badge key={pair} variant="default" ff="monospace" fw={400} radius="sm">
            {pair}
          </Badge>
        ))}
        {more > 0 && <Note span>{`+ ${more}`}</Note>}
      </Group>
    </Tooltip>
  );
}
