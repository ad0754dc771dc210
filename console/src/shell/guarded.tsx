// Shows a page only if the policies permit it, and contains a page's runtime error.
import { Component } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { PageEntry } from '../pages/pages';
import { useSession } from '../session/session';
import { EmptyState } from '../shown/empty-state';
import { FaultNotice } from '../shown/fault-notice';
import { IconLock } from '../shown/icons';

export function Guarded({ entry }: { readonly entry: PageEntry }) {
  const { may, person } = useSession();
  const { pathname } = useLocation();
  const rules = entry.shown?.rules ?? [];
  if (rules.length > 0 && !rules.some(may)) {
    return (
      <EmptyState icon={IconLock} title="You may not see this">
        {`The policies keep this page from ${person.user_id ?? 'you'}: it needs ${rules.join(' or ')}.`}
      </EmptyState>
    );
  }
  const Page = entry.page;
  return (
    <FaultBoundary key={pathname}>
      <Page />
    </FaultBoundary>
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
