// The meaning of the cells and the number of hosts of each kind. The user can highlight one kind.
import { Group, Text, Tooltip, UnstyledButton, useComputedColorScheme } from '@mantine/core';
import { countOf, countText } from '../../shown/amount';
import type { CellKind, CellMark } from './map-kinds';
import classes from './map-legend.module.css';
import { lookOf } from './map-looks';

interface Props {
  /** The quantity that the steps of the scale measure. */
  readonly of: 'used' | 'stranded';
  readonly kinds: readonly CellKind[];
  readonly counts: readonly number[];
  readonly only: number | undefined;
  readonly onOnly: (kind: number | undefined) => void;
}

export function MapLegend({ of, kinds, counts, only, onOnly }: Props) {
  const entries = kinds.map((kind, index) => ({ kind, index, count: counts[index] ?? 0 }));
  const steps = entries.filter(({ kind }) => kind.look.startsWith('use '));
  // Empty kinds are hidden, except the steps of a scale.
  const single = entries.filter(({ kind, count }) => !kind.look.startsWith('use ') && count > 0);
  const toggle = (index: number): void => onOnly(only === index ? undefined : index);
  return (
    <Group role="group" aria-label="Legend: choose a kind to see it alone" gap="lg" wrap="wrap">
      {steps.length > 0 && (
        <Group gap={6} wrap="nowrap">
          <Text size="xs" c="dimmed">
            0 %
          </Text>
          <Group gap={0} wrap="nowrap">
            {steps.map(({ kind, index, count }) => (
              <Tooltip key={kind.key} label={`${kind.name} ${of}: ${countOf(count, 'host')}`}>
                <UnstyledButton
                  className={classes.step}
                  data-faint={(only !== undefined && only !== index) || undefined}
                  aria-pressed={only === index}
                  aria-label={`${kind.name} ${of}: ${countOf(count, 'host')}`}
                  onClick={() => toggle(index)}
                >
                  <Swatch kind={kind} width={24} />
                </UnstyledButton>
              </Tooltip>
            ))}
          </Group>
          <Text size="xs" c="dimmed">
            100 %
          </Text>
        </Group>
      )}
      {single.map(({ kind, index, count }) => (
        <UnstyledButton
          key={kind.key}
          className={classes.kind}
          data-faint={(only !== undefined && only !== index) || undefined}
          aria-pressed={only === index}
          onClick={() => toggle(index)}
        >
          <Swatch kind={kind} width={14} />
          <Text span size="xs">
            {kind.name}
          </Text>
          <Text span size="xs" c="dimmed" className="numbers">
            {countText(count)}
          </Text>
        </UnstyledButton>
      ))}
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
