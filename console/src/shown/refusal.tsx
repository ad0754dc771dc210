// Why no host fits, or not more: the changes that would help, the nearest hosts, what no host has together, and how many
// hosts fail each condition. Decisions, simulations and candidate searches have the same fields.
import type { Schema } from '@berth/client';
import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Condition } from './condition-link';
import { linkOf } from './condition-link';
import { Note } from './note';
import { HostLink, PageLink } from './page-link';
import { Part } from './part';
import { readable } from './readable';
import { Sentence } from './sentence';

type Change = Schema<'RequestFix'>;
type Explained = Pick<Schema<'CandidatesExplanation'>, 'counts' | 'cause' | 'nearest'>;

interface Props {
  /** Decisions of earlier releases do not have all fields. */
  readonly refusal: Partial<Explained>;
  readonly changes: readonly Change[];
  /** When the changes were tried. */
  readonly changesAt?: string | undefined;
  /** Makes a change on this page; undefined if the page cannot. */
  readonly applyOf?: (change: Change) => (() => void) | undefined;
}

/** A button whose text can have several lines. */
const WRAPPED = {
  root: { height: 'auto', maxWidth: '100%', paddingBlock: 2 },
  label: { height: 'auto', whiteSpace: 'normal', textAlign: 'start', lineHeight: 1.4 },
} as const;

export function Refusal({ refusal, changes, changesAt, applyOf }: Props) {
  const { counts = [], cause = [], nearest = [] } = refusal;
  return (
    <>
      {changes.length > 0 && (
        <List title="Changes that give hosts a candidate">
          {changes.map((change) => {
            const apply = applyOf?.(change);
            return (
              <li key={change.text}>
                {apply === undefined ? (
                  <Sentence text={change.text} />
                ) : (
                  <Button variant="light" size="compact-xs" styles={WRAPPED} onClick={apply}>
                    {change.text}
                  </Button>
                )}
              </li>
            );
          })}
          {changesAt !== undefined && (
            <li>
              <Note>{`As the cloud was at ${changesAt.slice(0, 19).replace('T', ' ')} UTC.`}</Note>
            </li>
          )}
        </List>
      )}
      {nearest.length > 0 && (
        <List title="Nearest hosts">
          {nearest.map(({ condition, names, text }) => (
            <li key={text}>
              <Sentence text={text} />
              <Group gap="xs">
                {names.map((name) => (
                  <HostLink key={name} name={name} />
                ))}
                <Origin condition={condition} />
              </Group>
            </li>
          ))}
        </List>
      )}
      {cause.length > 1 && (
        <List title="No host has together">
          {cause.map((condition) => (
            <li key={condition.what}>
              <What condition={condition} text={askedOf(condition)} />
            </li>
          ))}
        </List>
      )}
      {counts.length > 0 && (
        <List title="Hosts by condition">
          {counts.map(({ condition, text }) => (
            <li key={text}>
              <What condition={condition} text={text} />
              <Origin condition={condition} />
            </li>
          ))}
        </List>
      )}
    </>
  );
}

function List({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Part title={title}>
      <Stack gap={4} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {children}
      </Stack>
    </Part>
  );
}

/** For example `131072 MEMORY_MB`, `zone az1`. */
const askedOf = ({ what, amount }: Condition): string => (amount === null ? what : `${amount} ${what}`);

interface WhatProps {
  readonly condition: Condition;
  readonly text: string;
}

function What({ condition, text }: WhatProps) {
  const to = linkOf(condition);
  return to === undefined ? <Sentence text={text} /> : <PageLink to={to}>{readable(text)}</PageLink>;
}

/** The names that the operator has typed, for example `flavor big, trait:HW_CPU_X86_AVX2`. */
function Origin({ condition: { origins } }: { readonly condition: Condition }) {
  const texts = origins.map(({ by, name, key }) =>
    [[by, name].filter((part) => part !== null).join(' '), ...(key === null ? [] : [key])].join(', '),
  );
  return (
    <Text size="xs" c="dimmed">
      {texts.join('; ')}
    </Text>
  );
}
