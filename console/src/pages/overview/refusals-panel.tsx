// Why requests were refused in the last hour, the most frequent reason first; each leads to the last of its decisions.
import { Anchor, Box, Group, Progress, Text, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router';
import { useAnswer } from '../../service/questions';
import type { RefusalsReport } from '../../service/reports';
import { Answered } from '../../shown/answered';
import { countOf, countText } from '../../shown/amount';
import { Panel, useFirst } from './panel';

const SHOWN = 3;

/** Decisions are no change of the cloud, and reasons of the last hour grow old. */
const EVERY_MS = 15_000;

export function RefusalsPanel() {
  const question = useAnswer(
    'decisions',
    ['refusals'],
    ({ reports }, signal) => reports.refusals({ hours: 1 }, signal),
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
    return (
      <Text size="sm">
        {decisions === 0 ? 'Nobody asked for a place.' : `None of ${countOf(decisions, 'request')}.`}
      </Text>
    );
  }
  const most = Math.max(1, ...reasons.map(({ refusals }) => refusals));
  return (
    <div>
      <Text size="sm" mb="xs">
        {countText(refused)} of {countOf(decisions, 'request')}
      </Text>
      <Box component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {shown.map(({ name, code, refusals, hosts, sentence, last }) => (
          <Box component="li" key={`${name} ${code}`} py={6}>
            <Group justify="space-between" wrap="nowrap" gap="sm" align="flex-start">
              <Text size="sm" lineClamp={3} title={sentence} style={{ overflowWrap: 'anywhere' }}>
                {sentence}
              </Text>
              <Text size="sm" fw={600} className="numbers">
                {countText(refusals)}
              </Text>
            </Group>
            <Progress value={(refusals / most) * 100} size={4} my={4} color="gray.5" aria-hidden />
            <Group gap="sm">
              <Text size="xs" c="dimmed">
                {`${name}, hosts turned away ${countOf(hosts, 'time')}`}
              </Text>
              <Anchor component={Link} to={`/decisions/${encodeURIComponent(last)}`} size="xs">
                The last decision<VisuallyHidden> with: {sentence}</VisuallyHidden>
              </Anchor>
            </Group>
          </Box>
        ))}
      </Box>
      {more}
    </div>
  );
}
