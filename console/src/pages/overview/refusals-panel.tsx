// Reasons for refusals in the last hour, most frequent first; each links to its latest decision.
import { Box, Group, Text, VisuallyHidden } from '@mantine/core';
import { useAnswer } from '../../service/questions';
import type { RefusalsReport } from '../../service/reports';
import { countOf, countText } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { Note } from '../../shown/note';
import { PageLink } from '../../shown/page-link';
import { Panel } from '../../shown/part';
import { readable } from '../../shown/readable';
import { useFirst } from './use-first';

const SHOWN = 3;

/** Polled: refusals cause no change event, and the one-hour window moves. */
const EVERY_MS = 15_000;

export function RefusalsPanel() {
  const question = useAnswer(
    'decisions',
    ['refusals'],
    ({ reports }, signal) => reports.refusals({ hours: 1 }, { signal }),
    { everyMs: EVERY_MS },
  );
  return (
    <Panel title="Refusals in the last hour">
      <Answered question={question}>{(report) => <Reasons report={report} />}</Answered>
    </Panel>
  );
}

function Reasons({ report: { reasons, refused, decisions } }: { readonly report: RefusalsReport }) {
  const { shown, more } = useFirst('refusals', reasons, SHOWN);
  if (refused === 0) {
    return <Text>{decisions === 0 ? 'No requests.' : `None of ${countOf(decisions, 'request')}.`}</Text>;
  }
  return (
    <div>
      <Text mb={4}>{`${countText(refused)} of ${countOf(decisions, 'request')}, because:`}</Text>
      <Box component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {shown.map((reason) => (
          <ReasonRow key={`${reason.name} ${reason.code}`} reason={reason} />
        ))}
      </Box>
      {more}
    </div>
  );
}

function ReasonRow({ reason }: { readonly reason: RefusalsReport['reasons'][number] }) {
  const { name, refusals, hosts, last } = reason;
  const sentence = readable(reason.sentence);
  return (
    <Box component="li" py={5}>
      <Group justify="space-between" wrap="nowrap" gap="sm" align="flex-start">
        <Text lh={1.4} lineClamp={2} title={sentence} style={{ overflowWrap: 'anywhere' }}>
          {sentence}
        </Text>
        <Text fw={600} className="numbers" style={{ whiteSpace: 'nowrap' }}>
          <VisuallyHidden>Requests: </VisuallyHidden>
          {countText(refusals)}
        </Text>
      </Group>
      <Group gap="sm" justify="space-between" wrap="nowrap" align="baseline">
        <Note style={{ overflowWrap: 'anywhere' }}>{`${name}, hosts turned away ${countOf(hosts, 'time')}`}</Note>
        <PageLink to={`/decisions/${encodeURIComponent(last)}`} size="xs" style={{ whiteSpace: 'nowrap' }}>
          last decision<VisuallyHidden> with: {sentence}</VisuallyHidden>
        </PageLink>
      </Group>
    </Box>
  );
}
