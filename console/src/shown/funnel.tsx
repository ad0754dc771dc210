// A funnel: how many entries remain after each stage, and why the others were rejected.
import { Collapse, Paper, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { countText } from './amount';
import classes from './funnel.module.css';
import { IconChevronDown, IconChevronRight } from './icons';

interface FunnelStage {
  readonly key: string;
  readonly name: ReactNode;
  /** Number of entries before the stage; absent at the first stage. */
  readonly before?: number;
  readonly left: number;
  /** The stage's description in one sentence. */
  readonly note?: ReactNode;
  /** Shown when the stage is expanded: the rejected entries and the reasons. */
  readonly more?: ReactNode | undefined;
}

interface Props {
  readonly label: string;
  readonly stages: readonly FunnelStage[];
  /** The key of the expanded stage. */
  readonly open?: string | undefined;
  readonly onOpen: (key: string | undefined) => void;
}

export function Funnel({ label, stages, open, onOpen }: Props) {
  const most = Math.max(1, ...stages.map(({ left, before = 0 }) => Math.max(left, before)));
  return (
    <ol aria-label={label} className={classes.funnel}>
      {stages.map((stage) => (
        <Stage key={stage.key} stage={stage} most={most} isOpen={open === stage.key} onOpen={onOpen} />
      ))}
    </ol>
  );
}

/** Readable on light and dark backgrounds. */
const LOST = 'light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))';

interface StageProps {
  readonly stage: FunnelStage;
  readonly most: number;
  readonly isOpen: boolean;
  readonly onOpen: (key: string | undefined) => void;
}

function Stage({ stage, most, isOpen, onOpen }: StageProps) {
  const { key, name, before, left, note, more } = stage;
  const lost = before === undefined ? 0 : before - left;
  const width = (count: number): string => `${(count / most) * 100}%`;
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  const line = (
    <div className={classes.line}>
      <div className={classes.icon}>{more !== undefined && <Icon size={14} aria-hidden />}</div>
      <div className={classes.name}>
        <Text fw={500} component="div" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {note !== undefined && (
          <Text size="xs" c="dimmed" component="div" lineClamp={2}>
            {note}
          </Text>
        )}
      </div>
      <div className={classes.bar} aria-hidden>
        <Bar
          width={width(before ?? left)}
          color="light-dark(var(--mantine-color-gray-2), var(--mantine-color-dark-5))"
        />
        <Bar width={width(left)} color={left === 0 ? 'var(--mantine-color-red-8)' : 'var(--mantine-color-cyan-7)'} />
      </div>
      <Text fw={600} className={classes.left}>
        {countText(left)}
      </Text>
      <Text c={LOST} className={classes.lost}>
        {lost > 0 ? `− ${countText(lost)}` : ''}
      </Text>
    </div>
  );
  if (more === undefined) return <li>{line}</li>;
  return (
    <li>
      <UnstyledButton w="100%" aria-expanded={isOpen} onClick={() => onOpen(isOpen ? undefined : key)}>
        {line}
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <Paper withBorder p="sm" mb="xs" className={classes.more}>
          {more}
        </Paper>
      </Collapse>
    </li>
  );
}

function Bar({ width, color }: { readonly width: string; readonly color: string }) {
  return <div style={{ width, background: color }} />;
}
