// The meaning of the cells and the number of hosts of each kind. The user can highlight one kind.
import { Group, Text, Tooltip, UnstyledButton, useComputedColorScheme } from '@mantine/core';
import { countOf, countText } from '../../shown/amount';
import { Note } from '../../shown/note';
import type { CellKind, Shades } from './map-kinds';
import { isOfScale } from './map-kinds';
import classes from './map-legend.module.css';
import { lookOf, MARK_LINES, MARK_RADIUS } from './map-looks';

interface Props {
  /** The quantity that the steps of the scale measure. */
  readonly of: 'used' | 'stranded';
  readonly shades: Shades;
  /** The key of the highlighted kind. */
  readonly only: string | undefined;
  readonly onOnly: (key: string | undefined) => void;
}

export function MapLegend({ of, shades: { kinds, counts }, only, onOnly }: Props) {
  const countIn = ({ key }: CellKind): number => counts.get(key) ?? 0;
  const steps = kinds.filter(isOfScale);
  // Empty kinds are hidden, except the steps of a scale.
  const single = kinds.filter((kind) => !isOfScale(kind) && countIn(kind) > 0);
  const choice = ({ key }: CellKind) => ({
    key,
    'data-faint': (only !== undefined && only !== key) || undefined,
    'aria-pressed': only === key,
    onClick: () => onOnly(only === key ? undefined : key),
  });
  return (
    <Group role="group" aria-label="Legend: choose a kind to see it alone" gap="lg" wrap="wrap">
      {steps.length > 0 && (
        <Group gap={6} wrap="nowrap">
          <Note>0 %</Note>
          <Group gap={0} wrap="nowrap">
            {steps.map((kind) => {
              const label = `${kind.name} ${of}: ${countOf(countIn(kind), 'host')}`;
              const { key, ...chosen } = choice(kind);
              return (
                <Tooltip key={key} label={label}>
                  <UnstyledButton className={classes.step} aria-label={label} {...chosen}>
                    <Swatch kind={kind} width={24} />
                  </UnstyledButton>
                </Tooltip>
              );
            })}
          </Group>
          <Note>100 %</Note>
        </Group>
      )}
      {single.map((kind) => {
        const { key, ...chosen } = choice(kind);
        return (
          <UnstyledButton key={key} className={classes.kind} {...chosen}>
            <Swatch kind={kind} width={14} />
            <Text span size="xs">
              {kind.name}
            </Text>
            <Note span className="numbers">
              {countText(countIn(kind))}
            </Note>
          </UnstyledButton>
        );
      })}
    </Group>
  );
}

const SIZE = 14;

function Swatch({ kind, width }: { readonly kind: CellKind; readonly width: number }) {
  const { fill, edge, mark, ink } = lookOf(kind.look, useComputedColorScheme('light'));
  const radius = MARK_RADIUS[mark];
  return (
    <svg width={width} height={SIZE} viewBox={`0 0 ${width} ${SIZE}`} aria-hidden style={{ display: 'block' }}>
      <rect width={width} height={SIZE} fill={edge ?? fill} />
      {edge !== undefined && <rect x={1} y={1} width={width - 2} height={SIZE - 2} fill={fill} />}
      <g stroke={ink} strokeWidth={1.4} fill="none">
        {MARK_LINES[mark].map(([x1, y1, x2, y2]) => (
          <line key={y1} x1={x1 * SIZE} y1={y1 * SIZE} x2={x2 * SIZE} y2={y2 * SIZE} />
        ))}
        {radius !== undefined && <circle cx={SIZE / 2} cy={SIZE / 2} r={radius * SIZE} />}
      </g>
    </svg>
  );
}
