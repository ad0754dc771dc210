// Search and kind filter of a catalog, kept in the address.
import { Group, SegmentedControl, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Address } from '../../address/use-address';
import { IconSearch } from '../../shown/icons';
import type { Kind } from './catalog-rows';

const KINDS: readonly { readonly value: Kind; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'used', label: 'In use' },
  { value: 'custom', label: 'Custom' },
  { value: 'standard', label: 'Standard' },
];

export function chosenKindOf({ get }: Pick<Address, 'get'>): Kind {
  const kind = get('kind');
  return KINDS.find(({ value }) => value === kind)?.value ?? 'all';
}

interface Props {
  readonly address: Address;
  readonly actions: ReactNode;
}

export function CatalogFilter({ address, actions }: Props) {
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="xs">
        <TextInput
          aria-label="Name contains"
          placeholder="Name contains…"
          type="search"
          size="xs"
          w={240}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={address.get('q')}
          onChange={({ currentTarget }) => address.set({ q: currentTarget.value })}
        />
        <SegmentedControl
          aria-label="Which of them"
          size="xs"
          data={[...KINDS]}
          value={chosenKindOf(address)}
          onChange={(kind) => address.set({ kind: kind === 'all' ? undefined : kind }, 'push')}
        />
      </Group>
      <Group gap="xs">{actions}</Group>
    </Group>
  );
}
