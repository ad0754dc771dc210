// The verdicts on a host in the scheduler's last decisions.
import { Anchor, Badge, Paper, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { HostReport } from '../../service/reports';
import { EmptyState } from '../../shown/empty-state';
import { readable } from '../../shown/readable';
import { TimeText } from '../../shown/time-text';

type Mention = HostReport['decisions'][number];

const VERDICTS: Readonly<Record<Mention['verdict'], { readonly text: string; readonly color: string }>> = {
  selected: { text: 'selected', color: 'teal' },
  alternate: { text: 'alternate', color: 'cyan' },
  passed: { text: 'passed', color: 'gray' },
  rejected: { text: 'rejected', color: 'red' },
};

export function LastDecisions({ decisions }: { readonly decisions: HostReport['decisions'] }) {
  if (decisions.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState title="No decision speaks of this host">
          Decisions that are still kept are listed here as soon as one selects, passes or rejects it.
        </EmptyState>
      </Paper>
    );
  }
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={560} type="native">
        <Table aria-label="Last decisions about this host" verticalSpacing={6}>
          <Table.Thead fz="xs" c="dimmed">
            <Table.Tr>
              <Table.Th w={150}>When</Table.Th>
              <Table.Th w={150}>This host</Table.Th>
              <Table.Th>Why</Table.Th>
              <Table.Th w={160}>Outcome</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {decisions.map((mention) => (
              <Row key={mention.request_id} mention={mention} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function Row({ mention: { request_id: id, at, outcome, verdict, by, message } }: { readonly mention: Mention }) {
  const { text, color } = VERDICTS[verdict];
  return (
    <Table.Tr>
      <Table.Td>
        <TimeText at={at} />
      </Table.Td>
      <Table.Td>
        <Badge variant="dot" color={color} tt="none" style={{ verticalAlign: 'middle' }}>
          {text}
        </Badge>
      </Table.Td>
      <Table.Td>
        {by !== null && (
          <Text span size="sm" fw={500}>
            {by}
            {message === null ? '' : ': '}
          </Text>
        )}
        <Text span size="sm">
          {message === null ? null : readable(message)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Anchor
          component={Link}
          to={`/decisions/${id}`}
          size="sm"
          title={id}
          aria-label={`${outcome.replaceAll('_', ' ')}: decision ${id}`}
        >
          {outcome.replaceAll('_', ' ')}
        </Anchor>
      </Table.Td>
    </Table.Tr>
  );
}
