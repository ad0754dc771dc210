// Inventory and usage of all hosts in one table, with filters in the address.
import { Group, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Address } from '../../address/use-address';
import { useAddress } from '../../address/use-address';
import type { HostRow } from '../../service/reports';
import { useSession } from '../../session/session';
import { countOf } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { DataTable } from '../../shown/data-table';
import { EmptyState } from '../../shown/empty-state';
import { NoHostsYet } from '../../shown/no-hosts-yet';
import { PageHead } from '../../shown/page-head';
import { CsvButton } from '../../shown/save-buttons';
import { BulkBar, mayChangeHosts } from './bulk-bar';
import { ColumnChoice, shownClasses, showsStranded } from './column-choice';
import { hostColumns, hostFields, tickColumn } from './host-columns';
import { ClearFilters, HostFiltersForm } from './host-filters';
import { filtersOf, isFiltered } from './host-query';
import { readAllHosts, useHostPages } from './use-host-pages';

export default function HostsPage() {
  const address = useAddress();
  const service = useSession().service;
  const filters = useMemo(() => filtersOf(address), [address]);
  const sort = address.get('sort') || 'name';
  const classes = useMemo(() => shownClasses(address), [address]);
  const withStranded = showsStranded(address);
  const list = useMemo(() => ({ filters, sort, withStranded }), [filters, sort, withStranded]);
  const { question, rows, count, more } = useHostPages(list);
  const stranded = withStranded ? strandedClassOf(sort, filters.stranded, classes) : undefined;
  const columns = useMemo(() => hostColumns({ classes, stranded }), [classes, stranded]);
  const mayChange = mayChangeHosts(useSession().may);
  const [ticked, setTicked] = useState<ReadonlyMap<string, HostRow>>(NONE_TICKED);
  const withTicks = useMemo(
    () => (mayChange ? [tickColumn(rows, ticked, setTicked, () => readAllHosts(service, list)), ...columns] : columns),
    [mayChange, rows, ticked, columns, service, list],
  );
  const hasPools = rows.some(({ status }) => status === 'sharing');
  const subtitle = `${countOf(count, 'host')}${hasPools ? ' and shared pools' : ''} ${isFiltered(filters) ? (count === 1 ? 'matches' : 'match') : 'in all'}`;
  return (
    <>
      <PageHead
        title="Hosts"
        subtitle={<span aria-live="polite">{question.data === undefined ? 'Counting…' : subtitle}</span>}
        actions={
          <Group gap="xs">
            <ClearFilters address={address} />
            <ColumnChoice address={address} />
            <CsvButton name="hosts" fields={hostFields(classes)} rows={() => readAllHosts(service, list)} />
          </Group>
        }
      />
      <Stack gap="sm">
        <HostFiltersForm address={address} />
        {ticked.size > 0 && <BulkBar rows={asTheyAre(ticked, rows)} onClear={() => setTicked(NONE_TICKED)} />}
        <Answered question={question}>
          {() => (
            <DataTable
              label="Hosts"
              columns={withTicks}
              rows={rows}
              count={count}
              keyOf={({ uuid }) => uuid}
              sort={sort}
              onSort={(next) => address.set({ sort: next === 'name' ? undefined : next })}
              onEnd={more}
              empty={<NoHosts address={address} />}
              height="max(320px, calc(100vh - 248px))"
            />
          )}
        </Answered>
      </Stack>
    </>
  );
}

const NONE_TICKED: ReadonlyMap<string, HostRow> = new Map();

/** The ticked hosts; those that the list shows, in their present state. */
function asTheyAre(ticked: ReadonlyMap<string, HostRow>, rows: readonly HostRow[]): readonly HostRow[] {
  const present = new Map(rows.map((row) => [row.uuid, row]));
  return [...ticked].map(([uuid, row]) => present.get(uuid) ?? row);
}

/** The class that the column sorts by: that of the sort or the filter, or the first with a column. */
const strandedClassOf = (sort: string, filter: string, [first = 'VCPU']: readonly string[]): string =>
  /stranded:(.+)$/.exec(sort)?.[1] ?? (filter === '' ? first : filter);

function NoHosts({ address }: { readonly address: Address }) {
  if (!isFiltered(filtersOf(address))) return <NoHostsYet />;
  return (
    <EmptyState title="No host matches" action={<ClearFilters address={address} />}>
      Take a filter away, or clear them all.
    </EmptyState>
  );
}
