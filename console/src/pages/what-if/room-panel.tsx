// How many more such instances fit, and the bottlenecks.
import type { Answer } from '@berth/client';
import { Group, Stack, Text } from '@mantine/core';
import { useAnswer } from '../../service/questions';
import { countOf, countText } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import type { Column } from '../../shown/data-table';
import { Panel } from '../../shown/part';
import { readable } from '../../shown/readable';
import { Sentence } from '../../shown/sentence';
import { SmallTable } from '../../shown/small-table';
import type { RequestBody } from '../decision/request-again';

type Capacity = Answer<'/scheduler/capacity', 'post'>;

const REASONS_SHOWN = 6;

export interface Asked {
  readonly request: RequestBody;
  /** The request as encoded in the address. */
  readonly asked: string;
}

export function RoomPanel({ request, asked }: Asked) {
  const capacity = useAnswer(
    'hosts',
    ['room', asked],
    ({ scheduler }, signal) => {
      const { num_instances: _count, instances: _named, min_count: _least, return_alternates: _more, ...one } = request;
      return scheduler.scheduler.capacity(one, { signal });
    },
    { keepsPrevious: false },
  );
  return (
    <Panel title="Room for more">
      <Answered question={capacity}>{(answer) => <Room capacity={answer} />}</Answered>
    </Panel>
  );
}

/** A name and a number. */
type Figure = readonly [name: string, count: number];

const COLUMNS: readonly Column<Figure>[] = [
  { key: 'name', name: 'Name', cell: ([name]) => name },
  { key: 'count', name: 'Number', align: 'right', cell: ([, count]) => countText(count) },
];

function Room({ capacity }: { readonly capacity: Capacity }) {
  const { total, at_least: isAtLeast, zones, hosts, blocked, message } = capacity;
  const reasons = Object.entries(blocked.by_code)
    .sort(([, a], [, b]) => b - a)
    .slice(0, REASONS_SHOWN)
    .map(([code, count]): Figure => [
      readable(blocked.hosts.find((host) => `${host.stage}.${host.code}` === code)?.message ?? code),
      count,
    ]);
  const table = { columns: COLUMNS, keyOf: ([name]: Figure) => name, hasHead: false };
  return (
    <Stack gap="sm">
      <Group gap="xs" align="baseline">
        <Text fz={28} fw={700} lh={1} className="numbers">
          {total === null ? '–' : `${isAtLeast ? '≥ ' : ''}${countText(total)}`}
        </Text>
        <Text>{`more fit, on ${countOf(hosts.length, 'host')}${capacity.hosts_truncated ? ' and more' : ''}`}</Text>
      </Group>
      {message !== undefined && <Sentence text={message} />}
      {zones.length > 1 && (
        <SmallTable
          {...table}
          label="Room by zone"
          rows={zones.map(({ zone, instances }): Figure => [zone, instances])}
        />
      )}
      {reasons.length > 0 && (
        <div>
          <Text fw={500}>{`${countOf(blocked.count, 'host')} without room for one:`}</Text>
          <SmallTable {...table} label="What blocks the others" rows={reasons} />
        </div>
      )}
    </Stack>
  );
}
