// How many more such instances fit, and the bottlenecks.
import type { Answer } from '@berth/client';
import { Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useAnswer } from '../../service/questions';
import { countOf, countText } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { readable } from '../../shown/readable';
import type { RequestBody } from '../decision/request-again';

type Capacity = Answer<'/scheduler/capacity', 'post'>;

const REASONS_SHOWN = 6;

interface Props {
  readonly request: RequestBody;
  /** The request as encoded in the address. */
  readonly asked: string;
}

export function RoomPanel({ request, asked }: Props) {
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
    <Paper withBorder p="md" component="section" aria-label="Room for more">
      <Title order={2} size="h5" mb="xs">
        Room for more
      </Title>
      <Answered question={capacity}>{(answer) => <Room capacity={answer} />}</Answered>
    </Paper>
  );
}

function Room({ capacity }: { readonly capacity: Capacity }) {
  const { total, at_least: isAtLeast, zones, hosts, blocked, message } = capacity;
  const reasons = Object.entries(blocked.by_code).sort(([, a], [, b]) => b - a);
  return (
    <Stack gap="sm">
      <Group gap="xs" align="baseline">
        <Text fz={28} fw={700} lh={1} className="numbers">
          {total === null ? '–' : `${isAtLeast ? '≥ ' : ''}${countText(total)}`}
        </Text>
        <Text size="sm">{`more fit, on ${countOf(hosts.length, 'host')}${capacity.hosts_truncated ? ' and more' : ''}`}</Text>
      </Group>
      {message !== undefined && <Text size="sm">{message}</Text>}
      {zones.length > 1 && (
        <Table verticalSpacing={2} aria-label="Room by zone" className="numbers">
          <Table.Tbody>
            {zones.map(({ zone, instances }) => (
              <Table.Tr key={zone}>
                <Table.Td>{zone}</Table.Td>
                <Table.Td ta="right">{countText(instances)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {reasons.length > 0 && (
        <div>
          <Text size="sm" fw={500}>{`${countOf(blocked.count, 'host')} without room for one:`}</Text>
          <Table verticalSpacing={2} aria-label="What blocks the others">
            <Table.Tbody>
              {reasons.slice(0, REASONS_SHOWN).map(([code, count]) => (
                <Table.Tr key={code}>
                  <Table.Td>
                    {readable(blocked.hosts.find((host) => `${host.stage}.${host.code}` === code)?.message ?? code)}
                  </Table.Td>
                  <Table.Td ta="right" className="numbers">
                    {countText(count)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Stack>
  );
}
