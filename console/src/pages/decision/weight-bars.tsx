// The ranking as bars: one bar per host, one colour per weigher. A table shows the same numbers.
import { Box, Group, SegmentedControl, Stack, Text, Tooltip } from '@mantine/core';
import { useAddress } from '../../address/use-address';
import type { Column } from '../../shown/data-table';
import { Note } from '../../shown/note';
import { SmallTable } from '../../shown/small-table';
import type { Pass } from './decision-document';
import { weightText } from './decision-stages';
import { HostAnchor } from './fallen-hosts';
import classes from './weight-bars.module.css';
import type { WeighedHost, WeightPart, Weights } from './weight-parts';
import { keyOf, piecesOf, weightsOf } from './weight-parts';

/** Adjacent colours differ in lightness as well as in hue. */
const COLORS = [
  'cyan-8',
  'orange-5',
  'grape-7',
  'lime-5',
  'indigo-8',
  'pink-4',
  'teal-9',
  'yellow-4',
  'gray-6',
  'red-9',
];

interface Props {
  readonly pass: Pass;
  /** Prefix of the parameter in the address. */
  readonly name?: string;
  /** Number of hosts shown; the rest are counted. */
  readonly most?: number;
}

export function WeightBars({ pass, name = '', most = 10 }: Props) {
  const { get, set } = useAddress();
  const isTable = get(`${name}weights`) === 'numbers';
  const weights = weightsOf(pass);
  const shown = weights.hosts.slice(0, most);
  const more = pass.ranked - shown.length;
  if (shown.length === 0) return <Text>No host was left to be weighed.</Text>;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Legend weights={weights} />
        <SegmentedControl
          aria-label="Show weights as"
          data={['Bars', 'Numbers']}
          value={isTable ? 'Numbers' : 'Bars'}
          onChange={(value) => set({ [`${name}weights`]: value === 'Numbers' ? 'numbers' : undefined })}
        />
      </Group>
      {isTable ? <Numbers weights={weights} shown={shown} /> : <Bars weights={weights} shown={shown} pass={pass} />}
      <Note>
        {[
          ...(more > 0 ? [`${more.toLocaleString('en')} more with a lower rank.`] : []),
          ...(pass.drawn_from > 1 ? [`The host was drawn from the first ${pass.drawn_from}.`] : []),
          ...(weights.effective.length > 0 && weights.ineffective.length > 0
            ? [`Gave nothing to any host shown: ${weights.ineffective.join(', ')}.`]
            : []),
        ].join(' ')}
      </Note>
    </Stack>
  );
}

function Legend({ weights: { effective } }: { readonly weights: Weights }) {
  if (effective.length === 0) return <Text>All weighers gave these hosts the same weight.</Text>;
  return (
    <Group gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none', flex: 1 }} aria-label="Weighers">
      {effective.map((name) => (
        <Group key={name} component="li" gap={6} wrap="nowrap">
          <Box w={12} h={12} style={{ borderRadius: 3, background: colorOf(name, effective) }} aria-hidden />
          <Text size="xs">{name}</Text>
        </Group>
      ))}
    </Group>
  );
}

interface ShownProps {
  readonly weights: Weights;
  readonly shown: readonly WeighedHost[];
}

function Bars({ weights, shown, pass }: ShownProps & { readonly pass: Pass }) {
  return (
    <Box component="ol" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Ranking">
      {shown.map((host) => (
        <li key={keyOf(host)} className={classes.row}>
          <Note ta="right" className="numbers">
            {host.rank}
          </Note>
          <div className={classes.name}>
            <HostAnchor host={host} />
            {isSame(host, pass.selected) && (
              <Text span size="xs" fw={600} ml={6}>
                selected
              </Text>
            )}
          </div>
          <div className={classes.bar} role="img" aria-label={wordsOf(host)}>
            {weights.lowest < 0 && <div className={classes.zero} style={{ insetInlineStart: zeroOf(weights) }} />}
            {piecesOf(host, weights).map(({ part, start, width }) => (
              <Tooltip key={part.weigher} label={partText(part)} multiline maw={360}>
                <div
                  className={classes.piece}
                  style={{
                    insetInlineStart: `${start}%`,
                    width: `${width}%`,
                    background: colorOf(part.weigher, weights.effective),
                  }}
                />
              </Tooltip>
            ))}
          </div>
          <Text fw={600} ta="right" className="numbers">
            {weightText(host.weight)}
          </Text>
        </li>
      ))}
    </Box>
  );
}

function Numbers({ weights: { effective }, shown }: ShownProps) {
  return (
    <SmallTable
      label="Weights of the ranking"
      columns={[
        { key: 'host', name: 'Host', cell: (host) => <HostAnchor host={host} /> },
        { key: 'rank', name: 'Place', align: 'right', cell: ({ rank }) => rank },
        ...effective.map((name): Column<WeighedHost> => ({
          key: name,
          name,
          align: 'right',
          cell: ({ parts }) => <Numeral part={parts.find(({ weigher }) => weigher === name)} />,
        })),
        { key: 'weight', name: 'Weight', align: 'right', cell: ({ weight }) => <strong>{weightText(weight)}</strong> },
      ]}
      rows={shown}
      keyOf={keyOf}
      minWidth={300 + effective.length * 110}
    />
  );
}

function Numeral({ part }: { readonly part: WeightPart | undefined }) {
  if (part === undefined) return <>–</>;
  return (
    <Tooltip label={partText(part)} multiline maw={360}>
      <span>{part.error === undefined ? weightText(part.score) : 'error'}</span>
    </Tooltip>
  );
}

const colorOf = (weigher: string, effective: readonly string[]): string =>
  `var(--mantine-color-${COLORS[effective.indexOf(weigher) % COLORS.length] ?? 'gray-6'})`;

const zeroOf = ({ lowest, highest }: Weights): string => `${(-lowest / (highest - lowest)) * 100}%`;

const isSame = (a: WeighedHost, b: Pass['selected']): boolean => b !== null && a.host === b.host && a.node === b.node;

/** For example `RAMWeigher 1: measured 253,952, scaled to 1, times 1`. */
function partText({ weigher, raw, normalized, multiplier, score, error }: WeightPart): string {
  if (error !== undefined) return `${weigher}: ${error}`;
  const measured = raw === null ? 'nothing measured' : weightText(raw);
  return `${weigher} ${weightText(score)}: measured ${measured}, scaled to ${weightText(normalized)}, times ${weightText(multiplier)}`;
}

const wordsOf = ({ host, weight, parts }: WeighedHost): string =>
  `${host}: ${weightText(weight)} = ${parts.map(({ weigher, score }) => `${weigher} ${weightText(score)}`).join(' + ') || '0'}`;
