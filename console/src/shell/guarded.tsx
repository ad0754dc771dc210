// Shows a page only if the policies permit it, and contains a page's runtime error.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Component, useEffect } from 'react';
import { useLocation } from 'react-router';
import type { PageEntry } from '../pages/pages';
import { faultOf } from '../service/fault';
import { useSession } from '../session/session';
import { EmptyState } from '../shown/empty-state';
import { FaultNotice } from '../shown/fault-notice';
import { TextLink } from '../shown/page-link';
import { Waiting } from '../shown/waiting';
import { reload, useUpdate } from './update';

interface Props {
  readonly entry: PageEntry;
}

export function Guarded({ entry }: Props) {
  const { may, person } = useSession();
  const { pathname } = useLocation();
  const { rules } = entry;
  if (rules.length > 0 && !rules.some(may)) {
    return (
      <EmptyState title="You may not see this">
        {`The policies keep this page from ${person.user_id ?? 'you'}: it needs ${rules.join(' or ')}.`}
      </EmptyState>
    );
  }
  return (
    <FaultBoundary key={pathname}>
      <LoadedPage entry={entry} />
    </FaultBoundary>
  );
}

/** Tries a failed load again once, and again whenever the network comes back. */
function LoadedPage({ entry: { path, load } }: Props) {
  const {
    data: Page,
    error,
    refetch,
  } = useQuery({
    queryKey: ['page', path],
    queryFn: async () => ({ Page: (await load()).default }),
    select: ({ Page: loaded }) => loaded,
    staleTime: Infinity,
    gcTime: Infinity,
    retry: 1,
    retryDelay: 1_000,
  });
  const { isNewer, look } = useUpdate();
  const isMissing = error !== null;
  useEffect(() => {
    // After an upgrade the files of this page have other names.
    if (isMissing) look();
  }, [isMissing, look]);
  if (Page !== undefined) return <Page />;
  if (!isMissing) return <Waiting />;
  return (
    <EmptyState
      title="This page did not load"
      action={<Button onClick={isNewer ? reload : () => void refetch()}>{isNewer ? 'Reload' : 'Try again'}</Button>}
    >
      {isNewer ? 'Berth was updated since you opened the console. You stay logged in.' : faultOf(error).detail}
    </EmptyState>
  );
}

export function NoSuchPage() {
  return (
    <EmptyState title="There is no such page">
      The address leads nowhere. Go to the <TextLink to="/">overview</TextLink>, or press Ctrl + K and enter a page or a
      name.
    </EmptyState>
  );
}

class FaultBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: undefined as unknown };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return <FaultNotice error={this.state.error} />;
  }
}
