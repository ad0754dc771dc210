// Details of the host under the pointer.
import { Group, Paper, Stack, Text } from '@mantine/core';
import type { MapReport } from '../../service/reports';
import { StatusMark } from '../../shown/status-mark';
import type { MapHost } from './map-groups';
import { phraseOf } from './map-kinds';
import type { Point } from './map-layout';
import type { Subject } from './map-subject';

const WIDTH = 250;
/** If less space than this is below the cell, the card is drawn above it. */
const HEIGHT = 120;
const AGGREGATES_SHOWN = 3;

interface Props {
  readonly host: MapHost;
  readonly report: MapReport;
  readonly subject: Subject;
  /** The corner of the host's cell. */
  readonly at: Point;
  readonly pitch: number;
  readonly space: { readonly width: number; readonly height: number };
}

export function MapHostCard({ host, report, subject, at, pitch, space }: Props) {
  const { name, zone, status, aggregates } = factsOf(host, report);
  const phrase = phraseOf(subject, host, report);
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
          <Text size="sm" fw={600} truncate>
            {name}
          </Text>
          {status !== undefined && <StatusMark status={status} />}
        </Group>
        {phrase !== undefined && <Text size="sm">{phrase}</Text>}
        <Text size="xs" c="dimmed">
          {zone}
        </Text>
        {aggregates.length > 0 && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {aggregates.slice(0, AGGREGATES_SHOWN).join(', ')}
            {aggregates.length > AGGREGATES_SHOWN && ` and ${aggregates.length - AGGREGATES_SHOWN} more`}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

/** The same as one sentence for screen readers. */
export function descriptionOf(host: MapHost, report: MapReport, subject: Subject): string {
  const { name, zone, status } = factsOf(host, report);
  return [name, phraseOf(subject, host, report), status, zone].filter((part) => part !== undefined).join(', ');
}

function factsOf([, name, zone, aggregates, status]: MapHost, report: MapReport) {
  const zoneName = report.zones[zone] ?? null;
  return {
    name,
    zone: zoneName === null ? 'no zone' : `zone ${zoneName}`,
    status: report.statuses[status],
    aggregates: aggregates.flatMap((index) => report.host_aggregates[index]?.name ?? []),
  };
}
