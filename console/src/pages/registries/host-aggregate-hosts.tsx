import { ActionIcon, Autocomplete, Button, Group, Stack, Text, Tooltip } from '@mantine/core';
import { useState } from 'react';
import type { HostAggregate } from '../../service/registries';
import { useServices } from '../../service/registries';
import type { HostRow } from '../../service/reports';
import { useSession } from '../../session/session';
import { countOf, countText } from '../../shown/amount';
import { AskFirst } from '../../shown/ask-first';
import type { Column } from '../../shown/data-table';
import { DataTable } from '../../shown/data-table';
import { FaultNotice } from '../../shown/fault-notice';
import { IconX } from '../../shown/icons';
// The hosts of one aggregate; adds and removes single hosts.
import { HostLink } from '../../shown/page-link';
import { Part } from '../../shown/part';
import { submits } from '../../shown/submits';
import { showFault, useChange } from '../../shown/use-change';

interface Props {
  readonly aggregate: HostAggregate;
}

export function HostAggregateHosts({ aggregate }: Props) {
  const { service, may } = useSession();
  const { hostAggregates } = service.scheduler;
  const { uuid, name } = aggregate;
  const [asked, setAsked] = useState<Pick<HostRow, 'name' | 'instances'>>();
  const removing = useChange({
    run: (host: string) => hostAggregates.removeHost(uuid, host),
    done: (_, host) => ({
      title: `${host} is removed from ${name}`,
      undo: () => hostAggregates.addHost(uuid, { host }),
    }),
    failed: (host) => `${host} was not removed`,
  });
  const remove = async (host: string): Promise<void> => {
    const listed =
      may('berth:reports:hosts') && (await service.reports.hosts.list({ name: host, host_aggregate: uuid }));
    const used = (listed || { hosts: [] }).hosts.find((row) => row.host === host && row.instances > 0);
    if (used === undefined) removing.mutate(host);
    else setAsked({ ...used, name: host });
  };
  return (
    <Part title={`Hosts (${countText(aggregate.hosts.length)})`}>
      <Stack gap="sm">
        {may('berth:scheduler:host_aggregates:add_host') && <AddHost aggregate={aggregate} />}
        <DataTable
          label={`Hosts of ${name}`}
          columns={columnsFor(
            may('berth:scheduler:host_aggregates:remove_host')
              ? (host) => void remove(host).catch((error: unknown) => showFault(`${host} was not removed`, error))
              : undefined,
          )}
          rows={aggregate.hosts}
          keyOf={(host) => host}
          height="320px"
          rowHeight={34}
          empty={<Text p="sm">No host is in it.</Text>}
        />
        {asked !== undefined && (
          <AskFirst
            title={`Remove ${asked.name} from ${name}?`}
            text={`${countOf(asked.instances, 'instance runs', 'instances run')} on ${asked.name}. They stay, also if their request needs a host of the aggregate.`}
            yes="Remove it"
            onYes={() => removing.mutate(asked.name)}
            close={() => setAsked(undefined)}
          />
        )}
      </Stack>
    </Part>
  );
}

function AddHost({ aggregate: { uuid, name, hosts } }: Props) {
  const { hostAggregates } = useSession().service.scheduler;
  const services = useServices().data?.rows ?? [];
  const [typed, setTyped] = useState('');
  const adding = useChange({
    run: (host: string) => hostAggregates.addHost(uuid, { host }),
    done: (_, host) => ({
      title: `${host} is added to ${name}`,
      undo: () => hostAggregates.removeHost(uuid, host),
    }),
  });
  const there = new Set(hosts);
  return (
    <form
      onSubmit={submits(() => {
        if (typed.trim() !== '') adding.mutate(typed.trim(), { onSuccess: () => setTyped('') });
      })}
    >
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Autocomplete
          aria-label="Host to add"
          placeholder="Host to add"
          flex={1}
          data={services.map(({ host }) => host).filter((host) => !there.has(host))}
          limit={20}
          value={typed}
          onChange={setTyped}
        />
        <Button type="submit" variant="default" loading={adding.isPending}>
          Add
        </Button>
      </Group>
      {adding.error !== null && <FaultNotice error={adding.error} />}
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
          <ActionIcon size="sm" aria-label={`Remove ${host}`} onClick={() => remove(host)}>
            <IconX size={14} />
          </ActionIcon>
        </Tooltip>
      ),
    },
  ];
}
