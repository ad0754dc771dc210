// One stage of a funnel: how many hosts remain after it, and why the others were rejected.
import { Collapse, Paper, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { countText } from '../../shown/amount';
import { IconChevronDown, IconChevronRight } from '../../shown/icons';
import { Note } from '../../shown/note';
import { inkOf } from '../../theme';
import type { DecisionStage } from './decision-stages';
import classes from './funnel.module.css';

interface Props {
  readonly stage: DecisionStage;
  /** The largest number of hosts of any stage. */
  readonly most: number;
  /** Shown when the stage is expanded: the rejected hosts and the reasons. */
  readonly more: ReactNode;
  readonly isOpen: boolean;
  readonly onOpen: (key: string | undefined) => void;
}

export function FunnelStage({ stage, most, more, isOpen, onOpen }: Props) {
  const { key, name, before, left, note } = stage;
  const lost = before === undefined ? 0 : before - left;
  const width = (count: number): string => `${(count / most) * 100}%`;
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  const line = (
    <div className={classes.line}>
      <div className={classes.icon}>{more !== undefined && <Icon size={14} />}</div>
      <div className={classes.name}>
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {note !== undefined && <Note lineClamp={2}>{note}</Note>}
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
      <Text c={inkOf('red')} className={classes.lost}>
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
