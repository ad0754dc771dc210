// Catalogs of traits and resource classes, and a change of one trait on many providers.
import { Tabs } from '@mantine/core';
import { useAddress } from '../../address/use-address';
import { useSession } from '../../session/session';
import { PageHead } from '../../shown/page-head';
import { ClassCatalog } from './class-catalog';
import { TraitCatalog } from './trait-catalog';
import { TraitOnMany } from './trait-on-many';

export default function TraitsPage() {
  const address = useAddress();
  const { may } = useSession();
  const mayChange = may('placement:resource_providers:traits:update') && may('placement:resource_providers:list');
  const change = (tab: string | null): void =>
    // The filters of one tab do not apply to the other.
    address.set({ tab: tab ?? undefined, q: undefined, kind: undefined, sort: undefined }, 'push');
  return (
    <>
      <PageHead
        title="Traits and classes"
        subtitle="A trait describes a provider. A resource class names an amount that it provides."
      />
      <Tabs value={address.get('tab') || 'traits'} onChange={change} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="traits">Traits</Tabs.Tab>
          <Tabs.Tab value="classes">Resource classes</Tabs.Tab>
          {mayChange && <Tabs.Tab value="many">A trait on many providers</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="traits">
          <TraitCatalog />
        </Tabs.Panel>
        <Tabs.Panel value="classes">
          <ClassCatalog />
        </Tabs.Panel>
        {mayChange && (
          <Tabs.Panel value="many">
            <TraitOnMany />
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  );
}
