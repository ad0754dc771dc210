// What changed since a time, the newest first.
import { SegmentedControl, Text } from '@mantine/core';
import { useAddress } from '../../address/use-address';
import { useAnswer } from '../../service/questions';
import { countOf } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { EmptyState } from '../../shown/empty-state';
import { PageHead } from '../../shown/page-head';
import { PageLink } from '../../shown/page-link';
import { SmallTable } from '../../shown/small-table';
import { TimeText } from '../../shown/time-text';
import type { TimelineEntry } from './change-text';
import { changeText } from './change-text';

const PERIODS = ['1h', '24h', '2d', '7d'];
const POLLED = { everyMs: 15_000 };
const ENTRIES_SHOWN = 300;

export default function SincePage() {
  const { get, set } = useAddress();
  const query = { since: get('since') || '24h', limit: ENTRIES_SHOWN };
  const key = ['timeline', query];
  const question = useAnswer('decisions', key, ({ reports }, signal) => reports.timeline(query, { signal }), POLLED);
  const { since, left_out: leftOut = 0 } = question.data ?? {};
  const rest = leftOut > 0 ? `; ${countOf(leftOut, 'further change')} not listed` : '';
  const choose = (value: string): void => set({ since: value }, 'push');
  return (
    <>
      <PageHead
        title="Since"
        subtitle={since && `Changes since ${new Date(since).toLocaleString()}, newest first${rest}`}
        actions={
          <SegmentedControl size="sm" aria-label="Period" value={query.since} onChange={choose} data={PERIODS} />
        }
      />
      <Answered question={question}>
        {({ entries }) =>
          entries.length === 0 ? (
            <EmptyState title="Nothing changed">Choose a longer period.</EmptyState>
          ) : (
            <SmallTable label="Changes" columns={COLUMNS} rows={entries} keyOf={(_, at) => String(at)} />
          )
        }
      </Answered>
    </>
  );
}

const linkOf = (entry: TimelineEntry) =>
  entry.decision === null ? (
    changeText(entry)
  ) : (
    <PageLink to={`/decisions/${encodeURIComponent(entry.decision)}`}>{changeText(entry)}</PageLink>
  );

const COLUMNS = [
  { key: 'at', name: 'When', width: '112px', cell: ({ at }: TimelineEntry) => <TimeText at={at} /> },
  {
    key: 'what',
    name: 'What changed',
    cell: (entry: TimelineEntry) => <Text style={{ overflowWrap: 'anywhere' }}>{linkOf(entry)}</Text>,
  },
];
