// What the scheduler knows besides Placement, one tab a registry.
import type { ComponentType } from 'react';
import { Tabs } from '@mantine/core';
import { useNavigate, useParams } from 'react-router';
import { useSession } from '../../session/session';
import { EmptyState } from '../../shown/empty-state';
import { PageHead } from '../../shown/page-head';
import { HostAggregates } from './host-aggregates';

interface Kind {
  readonly name: string;
  readonly rule: string;
  readonly tab: ComponentType;
}

const KINDS: Readonly<Record<string, Kind>> = {
  aggregates: { name: 'Host aggregates', rule: 'berth:scheduler:host_aggregates:list', tab: HostAggregates },
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
