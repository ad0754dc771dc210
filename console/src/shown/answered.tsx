// The three states of a question on the screen: not answered yet, refused, answered.
import type { ReactNode } from 'react';
import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { FaultNotice } from './fault-notice';

interface Props<T> {
  readonly question: UseQueryResult<T>;
  readonly children: (answer: T) => ReactNode;
  /** What stands there meanwhile; about as large as what will. */
  readonly waiting?: ReactNode;
}

/** An answer that is on the screen stays there when it cannot be renewed, under the reason. */
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
