// Use and requests of the last day or week.
import { Group, Stack, Text } from '@mantine/core';
import { useAddress } from '../../address/use-address';
import { useAnswer } from '../../service/questions';
import type { HistoryReport } from '../../service/reports';
import { AddressChoice } from '../../shown/address-choice';
import { classText, countOf, countText, shareText } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { Note } from '../../shown/note';
import { Panel } from '../../shown/part';
import { TimeText } from '../../shown/time-text';
import type { Series } from './history-series';
import { linesOf, seriesOf, timesOf } from './history-series';

const EVERY_MS = 60_000;
const WIDTH = 300;
const HEIGHT = 40;
const COLORS = ['cyan', 'orange', 'grape'] as const;

const PERIODS = [
  { value: '24', label: 'Day' },
  { value: '168', label: 'Week' },
];

const useHistory = (hours: number) =>
  useAnswer('slow', ['history', hours], ({ reports }, signal) => reports.history({ hours }, { signal }), {
    everyMs: EVERY_MS,
    rule: 'berth:reports:history',
  });

/** When the first class of the cloud is full, or why that is not foreseeable. The title has all classes and the pace. */
export function WhenFull() {
  const all = useHistory(24).data?.when_full.map((each) => `${classText(each.resource_class)}: ${each.sentence}`) ?? [];
  return <Note>{<span title={all.join('\n')}>{all[0]?.replace(/ at the pace.*/, '')}</span>}</Note>;
}

export function HistoryPanel() {
  const hours = useAddress().get('history') === '168' ? 168 : 24;
  const question = useHistory(hours);
  return (
    <Panel title="History" aside={<AddressChoice label="Period" name="history" data={PERIODS} />}>
      <Answered question={question}>{(report) => <History report={report} />}</Answered>
    </Panel>
  );
}

function History({ report: { samples } }: { readonly report: HistoryReport }) {
  if (samples.length < 2) {
    return <Text>The first samples are being taken: a line appears after 10 minutes.</Text>;
  }
  const sumOf = (outcome: 'placed' | 'refused'): number => samples.reduce((sum, each) => sum + each[outcome], 0);
  const times = timesOf(samples);
  const [start = 0, end = 0] = [samples[0], samples.at(-1)].map((sample) => Date.parse(sample?.at ?? ''));
  const [placed, refused] = [sumOf('placed'), sumOf('refused')];
  return (
    <Stack gap="xs">
      {seriesOf(samples).map((series, at) => (
        <Line key={series.name} series={series} times={times} color={COLORS[at % COLORS.length] ?? 'cyan'} />
      ))}
      <Group justify="space-between" mt={-6} role="group" aria-label="Time axis">
        {[start, (start + end) / 2, end].map((at) => (
          <Note key={at}>
            <TimeText at={new Date(at).toISOString()} />
          </Note>
        ))}
      </Group>
      <Text className="numbers">
        {`${countOf(placed + refused, 'request')}, ${refused === 0 ? 'none' : countText(refused)} refused`}
      </Text>
    </Stack>
  );
}

interface LineProps {
  readonly series: Series;
  readonly times: readonly number[];
  readonly color: string;
}

function Line({ series: { name, values }, times, color }: LineProps) {
  const known = values.filter((value) => value !== undefined);
  const [first = 0, last = 0] = [known[0], known.at(-1)];
  const text = `${classText(name)}: from ${shareText(first)} to ${shareText(last)}`;
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="xs">{classText(name)}</Text>
        <Note className="numbers">{`${shareText(first)} → ${shareText(last)}`}</Note>
      </Group>
      <svg
        role="img"
        aria-label={text}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        width="100%"
        height={HEIGHT}
        style={{ display: 'block' }}
      >
        <rect
          width={WIDTH}
          height={HEIGHT}
          fill="light-dark(var(--mantine-color-gray-1), var(--mantine-color-dark-6))"
        />
        {linesOf(values, times, WIDTH, HEIGHT).map((points) => (
          <polyline
            key={points}
            points={points}
            fill="none"
            stroke={`light-dark(var(--mantine-color-${color}-8), var(--mantine-color-${color}-4))`}
            strokeWidth={2}
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
    </div>
  );
}
