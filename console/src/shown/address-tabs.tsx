// Tabs; the address names the open one.
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAddress } from '../address/use-address';

interface Tab {
  readonly value: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

interface Props {
  readonly tabs: readonly [Tab, ...Tab[]];
  /** Parameters of the address that belong to one tab. */
  readonly own: readonly string[];
}

export function AddressTabs({ tabs, own }: Props) {
  const { get, set } = useAddress();
  const first = tabs[0].value;
  const change = (tab: string | null): void => {
    const cleared = Object.fromEntries(own.map((name) => [name, undefined]));
    set({ ...cleared, tab: tab === null || tab === first ? undefined : tab }, 'push');
  };
  return (
    <Tabs value={get('tab') || first} onChange={change} keepMounted={false}>
      <Tabs.List mb="md">
        {tabs.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ value, content }) => (
        <Tabs.Panel key={value} value={value}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
