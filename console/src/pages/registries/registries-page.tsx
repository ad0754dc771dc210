// What the scheduler knows besides Placement, one tab a registry.
import type { ComponentType } from 'react';
import { Tabs } from '@mantine/core';
import { useNavigate, useParams } from 'react-router';
import { useSession } from '../../session/session';
import { EmptyState } from '../../shown/empty-state';
import { PageHead } from '../../shown/page-head';
import { Flavors } from './flavors';
import { HostAggregates } from './host-aggregates';
import { Images } from './images';
import { ServerGroups } from './server-groups';
import { Services } from './services';
import { Zones } from './zones';

interface Kind {
  readonly name: string;
  readonly rule: string;
  readonly tab: ComponentType;
}

const KINDS: Readonly<Record<string, Kind>> = {
  aggregates: { name: 'Host aggregates', rule: 'berth:scheduler:host_aggregates:list', tab: HostAggregates },
  zones: { name: 'Availability zones', rule: 'berth:scheduler:availability_zones:list', tab: Zones },
  groups: { name: 'Server groups', rule: 'berth:scheduler:server_groups:list', tab: ServerGroups },
  flavors: { name: 'Flavors', rule: 'berth:scheduler:flavors:list', tab: Flavors },
  images: { name: 'Images', rule: 'berth:scheduler:images:list', tab: Images },
  services: { name: 'Services', rule: 'berth:scheduler:services:list', tab: Services },
};

export default function RegistriesPage() {
  const { kind } = useParams();
  const { may } = useSession();
  const navigate = useNavigate();
  const allowed = Object.entries(KINDS).filter(([, { rule }]) => may(rule));
  const chosen = kind ?? allowed[0]?.[0] ?? '';
  const entry = allowed.find(([key]) => key === chosen)?.[1];
  const Tab = entry?.tab;
  return (
    <>
      <PageHead title={entry?.name ?? 'Registries'} />
      <Tabs value={chosen} onChange={(next) => void navigate(`/registries/${next ?? ''}`)}>
        <Tabs.List aria-label="Registries">
          {allowed.map(([key, { name }]) => (
            <Tabs.Tab key={key} value={key}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={chosen} pt="md">
          {Tab === undefined ? <EmptyState title="No such registry">Choose one of those above.</EmptyState> : <Tab />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
