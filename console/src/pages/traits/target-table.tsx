// The planned change of each provider, and its result.
import { Anchor, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { Outcome, Preview } from '../../provider-traits/batch';
import type { TraitChange } from '../../provider-traits/change-trait';
import type { Column } from '../../shown/data-table';
import { DataTable } from '../../shown/data-table';
import { EmptyState } from '../../shown/empty-state';
import { CsvButton } from '../../shown/save-buttons';

interface Row {
  readonly uuid: string | undefined;
  readonly name: string;
  /** The current state in words. */
  readonly state: string;
  readonly isFault: boolean;
}

const WORDS = {
  set: { change: 'gets it', done: 'has it now', already: 'has it already' },
  unset: { change: 'loses it', done: 'lost it', already: 'does not have it' },
} as const;

interface Props {
  readonly preview: Preview;
  readonly change: TraitChange;
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

/** Faults first, then pending changes, then providers that need no change. */
function targetRows({ preview, change, outcomes }: Props): readonly Row[] {
  const words = WORDS[change];
  const changes = preview.changes.map(({ uuid, name }): Row => {
    const outcome = outcomes.get(uuid);
    if (outcome === undefined) return { uuid, name, state: words.change, isFault: false };
    if (!('message' in outcome)) return { uuid, name, state: words[outcome.kind], isFault: false };
    const why = outcome.kind === 'conflict' ? `overtaken twice: ${outcome.message}` : outcome.message;
    return { uuid, name, state: why, isFault: true };
  });
  return [
    ...preview.cannot.map(({ name, reason }) => ({ uuid: undefined, name, state: reason, isFault: true })),
    ...changes.filter(({ isFault }) => isFault),
    ...changes.filter(({ isFault }) => !isFault),
    ...preview.already.map(({ uuid, name }) => ({ uuid, name, state: words.already, isFault: false })),
  ];
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'name',
    name: 'Provider',
    width: 'minmax(160px, 1fr)',
    cell: ({ uuid, name }) =>
      uuid === undefined ? (
        name
      ) : (
        <Anchor component={Link} to={`/hosts/${uuid}`} size="sm" title={name}>
          {name}
        </Anchor>
      ),
  },
  {
    key: 'state',
    name: 'The trait',
    width: 'minmax(160px, 2fr)',
    cell: ({ state, isFault }) => (
      <Text span inherit title={state} {...(isFault && { c: 'light-dark(#a61e1e, #ff8787)', fw: 500 })}>
        {state}
      </Text>
    ),
  },
];

export function TargetTable(props: Props) {
  const { preview, change, outcomes } = props;
  const rows = useMemo(() => targetRows({ preview, change, outcomes }), [preview, change, outcomes]);
  return (
    <DataTable
      label="Providers"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ uuid, name }) => uuid ?? `not found: ${name}`}
      empty={<EmptyState title="No provider selected">No provider matches; choose others.</EmptyState>}
      height="max(240px, calc(100vh - 560px))"
      rowHeight={32}
    />
  );
}

export function TargetCsv(props: Props) {
  return (
    <CsvButton
      name="trait-on-many"
      columns={['uuid', 'name', 'trait']}
      rows={() => targetRows(props).map(({ uuid, name, state }) => [uuid, name, state])}
    />
  );
}
