// Renders the three states of a query: loading, failed, answered.
import { Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FaultNotice } from './fault-notice';
import { Waiting } from './waiting';

interface Props<T> {
  readonly question: UseQueryResult<T>;
  readonly children: (answer: T) => ReactNode;
}

/** If a refresh fails, the previous answer stays visible below the error. */
export function Answered<T>({ question, children }: Props<T>) {
  const { data, error, refetch } = question;
  const notice = error === null ? null : <FaultNotice error={error} again={() => void refetch()} />;
  if (data === undefined) return notice ?? <Waiting />;
  return (
    <Stack gap="md">
      {notice}
      {children(data)}
    </Stack>
  );
}
