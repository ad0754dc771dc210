// A provider as a box with its inventories, and its children as nested boxes.
import { Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { TraitSet } from '../../provider-traits/trait-set';
import type { ClassFigures, HostReport, InventoryFigures, Named, ProviderNode } from '../../service/reports';
import { amountText, countOf, sortedClasses } from '../../shown/amount';
import { IdText } from '../../shown/copy-text';
import { Note } from '../../shown/note';
import { PageLink } from '../../shown/page-link';
import { StateMark } from '../../shown/state-mark';
import { UseBar } from '../../shown/use-bar';
import { inkOf } from '../../theme';
import classes from './provider-box.module.css';
import { sortedTraits } from './provider-tree';

/** Hosts with many devices have many children; this many are drawn until the user requests all. */
const DRAWN_FIRST = 24;

interface Props {
  readonly node: ProviderNode;
  /** Names of host aggregates by uuid. */
  readonly aggregateNames: ReadonlyMap<string, string>;
  /** A compute service reports the host. */
  readonly isServed: boolean;
  readonly depth?: number;
}

export function ProviderBox({ node, aggregateNames, isServed, depth = 0 }: Props) {
  const [isWhole, setWhole] = useState(false);
  const { children } = node;
  const drawn = isWhole ? children : children.slice(0, DRAWN_FIRST);
  return (
    <Paper withBorder component="section" aria-label={node.name} className={classes.box} data-depth={depth % 2}>
      <Stack gap="sm">
        <Head node={node} isRoot={depth === 0} />
        <Bars figures={node.resource_classes} />
        <TraitSet provider={node} traits={sortedTraits(node.traits)} isServed={isServed} />
        <Aggregates uuids={node.aggregates} names={aggregateNames} />
        {children.length > 0 && (
          <Box component="ul" className={classes.children} aria-label={`Providers below ${node.name}`}>
            {drawn.map((child) => (
              <li key={child.uuid}>
                <ProviderBox node={child} aggregateNames={aggregateNames} isServed={isServed} depth={depth + 1} />
              </li>
            ))}
          </Box>
        )}
        {children.length > drawn.length && (
          <Button variant="default" onClick={() => setWhole(true)}>
            {`Show ${countOf(children.length - drawn.length, 'more provider')}`}
          </Button>
        )}
      </Stack>
    </Paper>
  );
}

function Head({ node: { uuid, name, generation, consumers }, isRoot }: HeadProps) {
  return (
    <div>
      <Group justify="space-between" gap="xs" align="baseline">
        <Text fw={600} size={isRoot ? 'md' : 'sm'} className={classes.name}>
          {name}
        </Text>
        {consumers > 0 && <Text size="xs">{countOf(consumers, 'consumer')}</Text>}
      </Group>
      <Group gap="xs" wrap="nowrap">
        <IdText id={uuid} />
        <Note className="numbers" style={{ whiteSpace: 'nowrap' }}>
          generation {generation}
        </Note>
      </Group>
    </div>
  );
}

interface HeadProps {
  readonly node: ProviderNode;
  readonly isRoot: boolean;
}

type Figures = (Pick<ClassFigures, 'used' | 'capacity'> & { readonly reserved?: number }) | InventoryFigures;

/** The figures of a provider with the settings of its inventories, or the sums of a tree. */
export function Bars({ figures }: { readonly figures: Readonly<Record<string, Figures>> }) {
  const names = sortedClasses(Object.keys(figures));
  if (names.length === 0) return null;
  return (
    <div className={classes.bars}>
      {names.map((name) => {
        const of = figures[name] as Figures;
        return (
          <div key={name}>
            <UseBar resourceClass={name} used={of.used} capacity={of.capacity} reserved={of.reserved ?? 0} />
            {'allocation_ratio' in of && <Terms name={name} of={of} />}
          </div>
        );
      })}
    </div>
  );
}

function Terms({ name, of }: { readonly name: string; readonly of: InventoryFigures }) {
  return (
    <Note mt={2}>
      {of.used > of.capacity && (
        <Text span inherit fw={600} c={inkOf('red')}>
          {`over-full by ${amountText(name, of.used - of.capacity)} `}
        </Text>
      )}
      {termsOf(name, of).join(' · ')}
    </Note>
  );
}

/** The settings of an inventory that differ from the defaults. */
function termsOf(name: string, inventory: InventoryFigures): readonly string[] {
  const { total, reserved, allocation_ratio: ratio, min_unit: min, max_unit: max, step_size: step } = inventory;
  return [
    ...(ratio === 1 ? [] : [`total ${amountText(name, total)}, ratio ${ratio}`]),
    ...(reserved === 0 ? [] : [`${amountText(name, reserved)} reserved`]),
    ...(min <= 1 ? [] : [`at least ${amountText(name, min)}`]),
    ...(max >= total ? [] : [`at most ${amountText(name, max)} each`]),
    ...(step <= 1 ? [] : [`in steps of ${amountText(name, step)}`]),
  ];
}

function Aggregates({
  uuids,
  names,
}: {
  readonly uuids: readonly string[];
  readonly names: ReadonlyMap<string, string>;
}) {
  if (uuids.length === 0) return null;
  return (
    <Group gap={6}>
      <Note>{uuids.length === 1 ? 'Aggregate' : 'Aggregates'}</Note>
      {uuids.map((uuid) => (
        <PageLink
          key={uuid}
          to={`/hosts?placement_aggregate=${uuid}`}
          size="xs"
          ff={names.has(uuid) ? 'text' : 'monospace'}
        >
          {names.get(uuid) ?? uuid}
        </PageLink>
      ))}
    </Group>
  );
}

/** Sharing providers that the host can use; they are not part of its tree. */
export function SharedBoxes({
  shared,
  names,
}: {
  readonly shared: HostReport['shared'];
  readonly names: ReadonlyMap<string, string>;
}) {
  return (
    <Box component="ul" className={classes.children} aria-label="Shared with this host">
      {shared.map((pool) => (
        <li key={pool.uuid}>
          <Paper withBorder component="section" aria-label={pool.name} className={classes.box} data-shared>
            <Stack gap="sm">
              <Group justify="space-between" gap="xs">
                <PageLink to={`/hosts/${pool.uuid}`} fw={600}>
                  {pool.name}
                </PageLink>
                <StateMark color="violet" text="shared" />
              </Group>
              <Bars figures={pool.resource_classes} />
              <Aggregates uuids={pool.aggregates} names={names} />
            </Stack>
          </Paper>
        </li>
      ))}
    </Box>
  );
}

export const namesByUuid = (named: readonly Named[]): ReadonlyMap<string, string> =>
  new Map(named.map(({ uuid, name }) => [uuid, name]));
