// The meaning of the cells and the number of hosts of each kind. The user can highlight one kind.
import { Group, Text, Tooltip, UnstyledButton, useComputedColorScheme } from '@mantine/core';
import { countOf, countText } from '../../shown/amount';
import type { CellKind, CellMark, Shades } from './map-kinds';
import { isOfScale } from './map-kinds';
import classes from './map-legend.module.css';
import { lookOf } from './map-looks';

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
          <Text size="xs" c="dimmed">
            0 %
          </Text>
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
          <Text size="xs" c="dimmed">
            100 %
          </Text>
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
            <Text span size="xs" c="dimmed" className="numbers">
              {countText(countIn(kind))}
            </Text>
          </UnstyledButton>
        );
      })}
    </Group>
  );
}

const MARKS: Readonly<Record<Exclude<CellMark, 'none'>, string>> = {
  cross: 'M3.5 3.5 L10.5 10.5 M3.5 10.5 L10.5 3.5',
  bar: 'M3 7 L11 7',
  slash: 'M3.5 10.5 L10.5 3.5',
  dot: 'M6.5 7 a0.5 0.5 0 1 0 1 0 a0.5 0.5 0 1 0 -1 0',
  ring: 'M3.5 7 a3.5 3.5 0 1 0 7 0 a3.5 3.5 0 1 0 -7 0',
};

function Swatch({ kind, width }: { readonly kind: CellKind; readonly width: number }) {
  const { fill, edge, mark, ink } = lookOf(kind.look, useComputedColorScheme('light'));
  return (
    <svg width={width} height={14} viewBox={`0 0 ${width} 14`} aria-hidden style={{ display: 'block' }}>
      <rect width={width} height={14} fill={edge ?? fill} />
      {edge !== undefined && <rect x={1} y={1} width={width - 2} height={12} fill={fill} />}
      {mark !== 'none' && <path d={MARKS[mark]} stroke={ink} strokeWidth={1.4} fill="none" />}
    </svg>
  );
}
