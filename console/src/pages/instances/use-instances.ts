// The matching instances, loaded page by page. The first page follows the changes of the cloud; with more pages the list
// stays as it was read, because a refresh would read all of them again.
import { useInfiniteQuery } from '@tanstack/react-query';
import { pagesOf, useMore } from '../../service/pages';
import type { ListedInstance } from '../../service/reports';
import { useSession } from '../../session/session';
import type { InstanceSearch } from './instance-search';

const PAGE = 200;
/** Pages that are refreshed. */
const REFRESHED_PAGES = 1;

export function useInstances(search: InstanceSearch) {
  const { reports } = useSession().service;
  const question = useInfiniteQuery({
    ...pagesOf(['decisions', 'instances', search], (page, signal) =>
      reports.instances.list({ ...search, ...page, limit: PAGE }, { signal }),
    ),
    staleTime: (query) => ((query.state.data?.pages.length ?? 0) > REFRESHED_PAGES ? 'static' : 2_000),
  });
  const rows: readonly ListedInstance[] = question.data?.pages.flatMap(({ instances }) => instances) ?? [];
  return { question, rows, hasMore: question.hasNextPage, more: useMore(question) };
}
