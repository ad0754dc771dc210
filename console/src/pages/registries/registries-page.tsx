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
import { RegistryPage } from './registry-page';
import { SERVER_GROUPS } from './server-groups';
import { Services } from './services';
import { Zones } from './zones';

interface Kind {
  readonly name: string;
  readonly rule: string;
  readonly tab: ReactNode;
}

const ruleOf = (collection: string): string => `berth:scheduler:${collection}:list`;

const KINDS: Readonly<Record<string, Kind>> = {
  aggregates: { name: 'Host aggregates', rule: ruleOf('host_aggregates'), tab: <HostAggregates /> },
  zones: { name: 'Availability zones', rule: ruleOf('availability_zones'), tab: <Zones /> },
  groups: { name: 'Server groups', rule: ruleOf('server_groups'), tab: <RegistryPage registry={SERVER_GROUPS} /> },
  flavors: { name: 'Flavors', rule: ruleOf('flavors'), tab: <RegistryPage registry={FLAVORS} /> },
  images: { name: 'Images', rule: ruleOf('images'), tab: <RegistryPage registry={IMAGES} /> },
  services: { name: 'Services', rule: ruleOf('services'), tab: <Services /> },
};

export default function RegistriesPage() {
  const { kind } = useParams();
  const { may } = useSession();
  const navigate = useNavigate();
  const allowed = Object.entries(KINDS).filter(([, { rule }]) => may(rule));
  const chosen = kind ?? allowed[0]?.[0] ?? '';
  const entry = allowed.find(([key]) => key === chosen)?.[1];
  return (
    <>
      <PageHead title={entry?.name ?? 'Configuration'} />
      <Tabs value={chosen} onChange={(next) => void navigate(`/registries/${next ?? ''}`)}>
        <Tabs.List aria-label="Configuration">
          {allowed.map(([key, { name }]) => (
            <Tabs.Tab key={key} value={key}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel key={chosen} value={chosen} pt="md">
          {entry?.tab ?? <EmptyState title="No such registry">Choose one of those above.</EmptyState>}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
