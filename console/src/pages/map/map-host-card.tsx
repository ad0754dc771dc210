// Details of the host under the pointer.
import { Group, Paper, Stack, Text } from '@mantine/core';
import type { MapReport } from '../../service/reports';
import { cutList } from '../../shown/amount';
import { Note } from '../../shown/note';
import { StatusMark } from '../../shown/status-mark';
import type { MapHost } from './map-groups';
import type { Point } from './map-layout';

const WIDTH = 250;
/** If less space than this is below the cell, the card is drawn above it. */
const HEIGHT = 120;
const AGGREGATES_SHOWN = 3;

interface Props {
  readonly host: MapHost;
  readonly report: MapReport;
  readonly phrase: string | undefined;
  /** The corner of the host's cell. */
  readonly at: Point;
  readonly pitch: number;
  readonly space: { readonly width: number; readonly height: number };
}

export function MapHostCard({ host, report, phrase, at, pitch, space }: Props) {
  const aggregates = host.host_aggregates.flatMap((place) => report.host_aggregates[place]?.name ?? []);
  const isBelow = at.y + pitch + HEIGHT <= space.height || at.y < HEIGHT;
  return (
    <Paper
      aria-hidden
      withBorder
      shadow="md"
      p="xs"
      w={WIDTH}
      style={{
        position: 'absolute',
        left: Math.max(0, Math.min(at.x, space.width - WIDTH)),
        top: isBelow ? at.y + pitch + 6 : at.y - 6,
        transform: isBelow ? undefined : 'translateY(-100%)',
        pointerEvents: 'none',
        zIndex: 2,
      }}
    >
      <Stack gap={2}>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text fw={600} truncate>
            {host.name}
          </Text>
          <StatusMark status={host.status} />
        </Group>
        {phrase !== undefined && <Text>{phrase}</Text>}
        <Note>{zoneText(host)}</Note>
        {aggregates.length > 0 && <Note lineClamp={2}>{cutList(aggregates, AGGREGATES_SHOWN)}</Note>}
      </Stack>
    </Paper>
  );
}

/** The same as one sentence for screen readers. */
export const descriptionOf = (host: MapHost, phrase: string | undefined): string =>
  [host.name, ...(phrase === undefined ? [] : [phrase]), host.status, zoneText(host)].join(', ');

const zoneText = ({ zone }: MapHost): string => (zone === null ? 'no zone' : `zone ${zone}`);
