// How many remained at every stage, and what took the others: the shape of every decision and of every search.
import type { ReactNode } from 'react';
import { Box, Collapse, Group, Paper, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { countText } from './amount';

export interface FunnelStage {
  readonly key: string;
  readonly name: ReactNode;
  /** What went in; absent at the first stage. */
  readonly before?: number;
  readonly left: number;
  /** What the stage is, in one sentence. */
  readonly says?: ReactNode;
  /** Shown when the stage is opened: who fell out, and why. */
  readonly more?: ReactNode;
}

interface Props {
  readonly label: string;
  readonly stages: readonly FunnelStage[];
  /** The key of the stage that stands open. */
  readonly open?: string;
  readonly onOpen: (key: string | undefined) => void;
}

export function Funnel({ label, stages, open, onOpen }: Props) {
  const most = Math.max(1, ...stages.map(({ left, before = 0 }) => Math.max(left, before)));
  return (
    <Box component="ol" aria-label={label} p={0} m={0} style={{ listStyle: 'none' }}>
      {stages.map((stage) => (
        <Stage key={stage.key} stage={stage} most={most} isOpen={open === stage.key} onOpen={onOpen} />
      ))}
    </Box>
  );
}

/** Readable on both grounds. */
const LOST = 'light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))';

interface StageProps {
  readonly stage: FunnelStage;
  readonly most: number;
  readonly isOpen: boolean;
  readonly onOpen: (key: string | undefined) => void;
}

function Stage({ stage, most, isOpen, onOpen }: StageProps) {
  const { key, name, before, left, says, more } = stage;
  const lost = before === undefined ? 0 : before - left;
  const width = (count: number): string => `${(count / most) * 100}%`;
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  const line = (
    <Group wrap="nowrap" gap="md" py={6} align="center">
      <Box w={14} style={{ display: 'flex', flexShrink: 0 }}>
        {more !== undefined && <Icon size={14} aria-hidden />}
      </Box>
      <Box w={{ base: 140, md: 260 }} style={{ flexShrink: 0 }}>
        <Text size="sm" fw={500} truncate component="div">
          {name}
        </Text>
        {says !== undefined && (
          <Text size="xs" c="dimmed" component="div" lineClamp={2}>
            {says}
          </Text>
        )}
      </Box>
      <Box style={{ flex: 1, position: 'relative' }} h={22} aria-hidden>
        <Bar
          width={width(before ?? left)}
          color="light-dark(var(--mantine-color-gray-2), var(--mantine-color-dark-5))"
        />
        <Bar width={width(left)} color={left === 0 ? 'var(--mantine-color-red-8)' : 'var(--mantine-color-cyan-7)'} />
      </Box>
      <Group w={130} justify="flex-end" gap={8} wrap="nowrap" className="numbers">
        <Text size="sm" fw={600}>
          {countText(left)}
        </Text>
        <Text size="sm" c={LOST} w={64} ta="right">
          {lost > 0 ? `− ${countText(lost)}` : ''}
        </Text>
      </Group>
    </Group>
  );
  if (more === undefined) return <li>{line}</li>;
  return (
    <li>
      <UnstyledButton w="100%" aria-expanded={isOpen} onClick={() => onOpen(isOpen ? undefined : key)}>
        {line}
      </UnstyledButton>
      <Collapse expanded={isOpen} transitionDuration={0}>
        <Paper withBorder p="sm" mb="xs" ml={30}>
          {more}
        </Paper>
      </Collapse>
    </li>
  );
}

function Bar({ width, color }: { readonly width: string; readonly color: string }) {
  return <div style={{ position: 'absolute', inset: 0, width, background: color, borderRadius: 4 }} />;
}
