// The scheduler's registries, one tab each.
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useSession } from '../../session/session';
import { EmptyState } from '../../shown/empty-state';
import { PageHead } from '../../shown/page-head';
import { FLAVORS } from './flavors';
import { HostAggregates } from './host-aggregates';
import { IMAGES } from './images';
import { REGISTRIES } from './registries';
import { RegistryPage } from './registry-page';
import { SERVER_GROUPS } from './server-groups';
import { Services } from './services';
import { Zones } from './zones';

const TABS: Readonly<Record<(typeof REGISTRIES)[number]['key'], ReactNode>> = {
  aggregates: <HostAggregates />,
  zones: <Zones />,
  groups: <RegistryPage registry={SERVER_GROUPS} />,
  flavors: <RegistryPage registry={FLAVORS} />,
  images: <RegistryPage registry={IMAGES} />,
  services: <Services />,
};

export default function RegistriesPage() {
  const { kind } = useParams();
  const { may } = useSession();
  const navigate = useNavigate();
  const allowed = REGISTRIES.filter(({ rule }) => may(rule));
  const chosen = kind ?? allowed[0]?.key ?? '';
  const entry = allowed.find(({ key }) => key === chosen);
  return (
    <>
      <PageHead title={entry?.name ?? 'Configuration'} />
      <Tabs value={chosen} onChange={(next) => void navigate(`/registries/${next ?? ''}`)}>
        <Tabs.List aria-label="Configuration">
          {allowed.map(({ key, name }) => (
            <Tabs.Tab key={key} value={key}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel key={chosen} value={chosen} pt="md">
          {(entry && TABS[entry.key]) ?? (
            <EmptyState title="Configuration has no such tab">Choose one of those above.</EmptyState>
          )}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
