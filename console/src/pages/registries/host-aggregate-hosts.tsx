// The hosts of one aggregate; adds and removes single hosts.
import { ActionIcon, Autocomplete, Button, Group, Stack, Text, Title, Tooltip } from '@mantine/core';
import { useState } from 'react';
import type { HostAggregate } from '../../service/registries';
import { useServices } from '../../service/registries';
import { useSession } from '../../session/session';
import { countText } from '../../shown/amount';
import type { Column } from '../../shown/data-table';
import { DataTable } from '../../shown/data-table';
import { FaultNotice } from '../../shown/fault-notice';
import { HostLink } from '../../shown/host-link';
import { IconX } from '../../shown/icons';
import { REGISTRY_TOPICS, useChange } from '../../shown/use-change';

export function HostAggregateHosts({ aggregate }: { readonly aggregate: HostAggregate }) {
  const { service, may } = useSession();
  const { hostAggregates } = service.scheduler;
  const [typed, setTyped] = useState('');
  const adding = useChange({
    run: (host: string) => hostAggregates.addHost(aggregate.uuid, { host }),
    topics: REGISTRY_TOPICS,
  });
  const removing = useChange({
    run: (host: string) => hostAggregates.removeHost(aggregate.uuid, host),
    topics: REGISTRY_TOPICS,
  });
  const mayRemove = may('berth:scheduler:host_aggregates:remove_host');
  const error = adding.error ?? removing.error;
  return (
    <Stack gap="sm" component="section" aria-labelledby="aggregate-hosts">
      <Title order={2} size="h5" id="aggregate-hosts">
        {`Hosts (${countText(aggregate.hosts.length)})`}
      </Title>
      {may('berth:scheduler:host_aggregates:add_host') && (
        <AddHost
          typed={typed}
          onType={setTyped}
          aggregate={aggregate}
          isBusy={adding.isPending}
          onAdd={(host) => adding.mutate(host, { onSuccess: () => setTyped('') })}
        />
      )}
      {error !== null && <FaultNotice error={error} />}
      <DataTable
        label={`Hosts of ${aggregate.name}`}
        columns={columnsFor(mayRemove ? (host) => removing.mutate(host) : undefined)}
        rows={aggregate.hosts}
        keyOf={(host) => host}
        height="320px"
        rowHeight={34}
        empty={
          <Text size="sm" c="dimmed" p="sm">
            No host is in it.
          </Text>
        }
      />
    </Stack>
  );
}

interface AddProps {
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly aggregate: HostAggregate;
  readonly isBusy: boolean;
  readonly onAdd: (host: string) => void;
}

function AddHost({ typed, onType, aggregate, isBusy, onAdd }: AddProps) {
  const services = useServices();
  const there = new Set(aggregate.hosts);
  const others = (services.data?.rows ?? []).map(({ host }) => host).filter((host) => !there.has(host));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') onAdd(typed.trim());
      }}
    >
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Autocomplete
          aria-label="Host to add"
          placeholder="Host to add"
          size="xs"
          flex={1}
          data={others}
          limit={20}
          value={typed}
          onChange={onType}
        />
        <Button type="submit" size="xs" variant="default" loading={isBusy}>
          Add
        </Button>
      </Group>
    </form>
  );
}

function columnsFor(remove: ((host: string) => void) | undefined): readonly Column<string>[] {
  const name: Column<string> = {
    key: 'host',
    name: 'Host',
    cell: (host) => <HostLink name={host} />,
  };
  if (remove === undefined) return [name];
  return [
    name,
    {
      key: 'remove',
      name: 'Remove',
      width: '70px',
      align: 'right',
      cell: (host) => (
        <Tooltip label={`Remove ${host}`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`Remove ${host}`}
            onClick={() => remove(host)}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ),
    },
  ];
}
