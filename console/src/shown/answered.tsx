// Renders the three states of a query: loading, failed, answered.
import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FaultNotice } from './fault-notice';

interface Props<T> {
  readonly question: UseQueryResult<T>;
  readonly children: (answer: T) => ReactNode;
  /** Placeholder while loading, about as large as the content. */
  readonly waiting?: ReactNode;
}

/** If a refresh fails, the previous answer stays visible below the error. */
export function Answered<T>({ question, children, waiting }: Props<T>) {
  const { data, error, refetch } = question;
  const notice = error === null ? null : <FaultNotice error={error} again={() => void refetch()} />;
  if (data === undefined) return notice ?? waiting ?? <Waiting />;
  return (
    <Stack gap="md">
      {notice}
      {children(data)}
    </Stack>
  );
}

function Waiting() {
  return (
    <Stack gap="sm" role="status" aria-busy aria-label="Loading">
      <Skeleton height={28} width="40%" />
      <Skeleton height={120} />
      <Skeleton height={120} />
    </Stack>
  );
}
