// The verdicts on a host in the scheduler's last decisions.
import { Paper, Text } from '@mantine/core';
import type { HostReport } from '../../service/reports';
import type { Column } from '../../shown/data-table';
import { EmptyState } from '../../shown/empty-state';
import { Note } from '../../shown/note';
import { PageLink } from '../../shown/page-link';
import { readable } from '../../shown/readable';
import { SmallTable } from '../../shown/small-table';
import { StateMark } from '../../shown/state-mark';
import { TimeText } from '../../shown/time-text';
import { instanceText } from '../decisions/decision-list';

type Mention = HostReport['decisions'][number];

const COLORS: Readonly<Record<Mention['verdict'], string>> = {
  selected: 'teal',
  alternate: 'cyan',
  passed: 'gray',
  rejected: 'red',
};

export function LastDecisions({ decisions }: { readonly decisions: HostReport['decisions'] }) {
  return (
    <Paper withBorder>
      {decisions.length === 0 ? (
        <EmptyState title="No decision speaks of this host">
          Decisions that are still kept are listed here as soon as one selects, passes or rejects it.
        </EmptyState>
      ) : (
        <SmallTable
          label="Last decisions about this host"
          columns={COLUMNS}
          rows={decisions}
          keyOf={(mention) => mention.request_id}
          minWidth={680}
        />
      )}
    </Paper>
  );
}

const COLUMNS: readonly Column<Mention>[] = [
  { key: 'at', name: 'When', width: '110px', cell: ({ at }) => <TimeText at={at} /> },
  {
    key: 'instance',
    name: 'Instance',
    cell: (mention) => (
      <>
        <span title={mention.instance ?? undefined}>{instanceText(mention)}</span>
        <Note>{[mention.flavor ?? 'a flavor given inline', mention.project_id].filter(Boolean).join(', ')}</Note>
      </>
    ),
  },
  {
    key: 'verdict',
    name: 'This host',
    width: '120px',
    cell: ({ verdict }) => <StateMark color={COLORS[verdict]} text={verdict} />,
  },
  {
    key: 'why',
    name: 'Why',
    cell: ({ by, message }) => (
      <Text>
        {by !== null && <strong>{message === null ? by : `${by}: `}</strong>}
        {message !== null && readable(message)}
      </Text>
    ),
  },
  {
    key: 'outcome',
    name: 'Outcome',
    width: '130px',
    cell: ({ request_id: id, outcome }) => {
      const name = outcome.replaceAll('_', ' ');
      return (
        <PageLink to={`/decisions/${id}`} title={id} aria-label={`${name}: decision ${id}`}>
          {name}
        </PageLink>
      );
    },
  },
];
