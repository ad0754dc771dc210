// Catalogs of traits and resource classes, and a change of one trait on many providers.
import { useSession } from '../../session/session';
import { AddressTabs } from '../../shown/address-tabs';
import { PageHead } from '../../shown/page-head';
import { ClassCatalog } from './class-catalog';
import { TraitCatalog } from './trait-catalog';
import { TraitOnMany } from './trait-on-many';

export default function TraitsPage() {
  const { may } = useSession();
  const mayChange = may('placement:resource_providers:traits:update') && may('placement:resource_providers:list');
  return (
    <>
      <PageHead
        title="Traits and classes"
        subtitle="A trait describes a provider. A resource class names an amount that it provides."
      />
      <AddressTabs
        tabs={[
          { value: 'traits', label: 'Traits', content: <TraitCatalog /> },
          { value: 'classes', label: 'Resource classes', content: <ClassCatalog /> },
          ...(mayChange ? [{ value: 'many', label: 'A trait on many providers', content: <TraitOnMany /> }] : []),
        ]}
        own={['q', 'kind', 'sort']}
      />
    </>
  );
}
