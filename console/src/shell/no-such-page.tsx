import { EmptyState } from '../shown/empty-state';
import { PageLink } from '../shown/page-link';

export function NoSuchPage() {
  return (
    <EmptyState title="There is no such page">
      The address leads nowhere. Go to the{' '}
      <PageLink to="/" underline="always" inherit>
        overview
      </PageLink>
      , or press Ctrl + K and enter a page or a name.
    </EmptyState>
  );
}
