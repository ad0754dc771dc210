// The page of a list that is loaded page by page in the service's order; to sort it by a column or to save it, it is read
// whole. The first page follows the changes of the cloud; with more pages the list stays as it was read.
import type { CallOptions } from '@berth/client';
import { pages } from '@berth/client';
import { Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAddress } from '../address/use-address';
import { pagesOf, useMore } from '../service/pages';
import { useAnswer } from '../service/questions';
import type { Service } from '../service/service';
import { readWhole } from '../service/whole';
import { useSession } from '../session/session';
import { countOf, countText } from './amount';
import { Answered } from './answered';
import { DataTable } from './data-table';
import type { ListColumn } from './list-table';
import { sortableColumns, sortOf } from './list-table';
import { PageHead } from './page-head';
import { sorted } from './rows';
import type { Fields } from './save-buttons';
import { CsvButton } from './save-buttons';

interface Asked {
  readonly limit: number;
  readonly marker?: string | undefined;
  readonly with?: 'count';
}

interface Props<Query, Page, T> {
  readonly title: string;
  /** For example `instance`. */
  readonly one: string;
  readonly query: Query;
  readonly list: (service: Service) => (query: Query & Asked, options?: CallOptions) => Promise<Page>;
  readonly rowsOf: (page: Page) => readonly T[];
  readonly columns: readonly ListColumn<T>[];
  /** The service's order as a value of `sort`; '' if no column has it. */
  readonly order: string;
  /** Poll interval of the first page. */
  readonly everyMs?: number | undefined;
  readonly keyOf: (row: T) => string;
  /** The columns of the CSV file. */
  readonly fields: Fields<T>;
  readonly filters: ReactNode;
  readonly empty: ReactNode;
}

const PAGE = 200;
const LARGEST_PAGE = 1_000;
const COUNTED_EVERY_MS = 15_000;

export function PagedList<
  Query,
  Page extends { readonly next_marker: string | null; readonly count: number | null },
  T,
>({ one, query, list, rowsOf, columns, order, everyMs, ...shown }: Props<Query, Page, T>) {
  const { service } = useSession();
  const { get, set } = useAddress();
  const ask = list(service);
  const question = useInfiniteQuery({
    ...pagesOf(['decisions', one, query], (page, signal) => ask({ ...query, ...page, limit: PAGE }, { signal })),
    staleTime: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? 'static' : 2_000),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : (everyMs ?? false)),
  });
  const readAll = (signal?: AbortSignal) =>
    readWhole(pages(ask, { ...query, limit: LARGEST_PAGE }, { signal }), rowsOf);
  const sort = get('sort') || order;
  const by = sort === order ? undefined : sortOf(columns, sort);
  const loaded = question.data?.pages.flatMap((page) => rowsOf(page)) ?? [];
  const { data: whole } = useAnswer('slow', [one, 'whole', query], (_, signal) => readAll(signal), {
    enabled: by !== undefined && question.hasNextPage,
  });
  const { data: counted } = useAnswer(
    'slow',
    [one, 'count', query],
    (_, signal) => ask({ ...query, limit: 1, with: 'count' }, { signal }),
    { everyMs: COUNTED_EVERY_MS },
  );
  const more = useMore(question);
  const all = question.hasNextPage ? (whole?.isCut === false ? whole.rows : undefined) : loaded;
  const isSorted = by !== undefined && all !== undefined;
  const rows = isSorted ? sorted(all, by, sort.startsWith('-')) : loaded;
  const count = Math.max(rows.length, counted?.count ?? 0);
  // For example `200 of 3,600 instances`.
  const text = [
    `${rows.length < count ? `${countText(rows.length)} of ` : ''}${countOf(count, one)}`,
    ...(counted?.count === null && question.hasNextPage && !isSorted ? ['and more'] : []),
    ...(by !== undefined && !isSorted && whole?.isCut === true ? ['too many to sort: filter them first'] : []),
  ].join(', ');
  return (
    <>
      <PageHead
        title={shown.title}
        subtitle={question.data !== undefined && <span aria-live="polite">{text}</span>}
        actions={
          rows.length > 0 && (
            <CsvButton name={`${one}s`} fields={shown.fields} rows={async () => (await readAll()).rows} />
          )
        }
      />
      <Stack gap="sm">
        {shown.filters}
        <Answered question={question}>
          {() => (
            <DataTable
              label={shown.title}
              columns={sortableColumns(columns)}
              rows={rows}
              count={count}
              keyOf={shown.keyOf}
              sort={sort}
              onSort={(next) => set({ sort: next === order ? undefined : next })}
              onEnd={question.hasNextPage && !isSorted ? more : undefined}
              empty={shown.empty}
            />
          )}
        </Answered>
      </Stack>
    </>
  );
}
