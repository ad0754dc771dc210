import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../shown/empty-state';
import { IconMapOff } from '../shown/icons';

export function NoSuchPage() {
  return (
    <EmptyState icon={IconMapOff} title="There is no such page">
      The address leads nowhere. Go to the{' '}
      <Anchor component={Link} to="/" underline="always" inherit>
        overview
      </Anchor>
      , or press Ctrl + K and enter a page or a name.
    </EmptyState>
  );
}
