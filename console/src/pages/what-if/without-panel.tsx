// "Without these hosts": which instances find a place elsewhere, and which do not and why.
import { Anchor, Button, Group, MultiSelect, Paper, Select, Stack, Table, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAddress } from '../../address/use-address';
import { useHostAggregateNames, useZoneNames } from '../../service/names';
import { useAnswer } from '../../service/questions';
import { useSession } from '../../session/session';
import { countOf, countText } from '../../shown/amount';
import { EmptyState } from '../../shown/empty-state';
import { FaultNotice } from '../../shown/fault-notice';
import { IconServerOff } from '../../shown/icons';
import { readable } from '../../shown/readable';
import { base64Url } from '../decision/request-again';
import { RULES } from '../hosts/bulk-change';
import { BulkDialog } from '../hosts/bulk-dialog';
import type { GroupOutcome, Outcome } from './use-without';
import { useWithout } from './use-without';

const OFFERED = 20;

export function WithoutPanel() {
  const { get, all, set } = useAddress();
  const choice = { hosts: all('out_host'), aggregate: get('out_aggregate'), zone: get('out_zone') };
  const isChosen = choice.hosts.length > 0 || choice.aggregate !== '' || choice.zone !== '';
  const isAsked = isChosen && get('try') === '1';
  const question = useWithout(choice, isAsked);
  return (
    <Stack gap="md">
      <Paper withBorder p="md" component="section" aria-label="Hosts that go">
        <Group align="flex-end" gap="sm">
          <HostChoice values={choice.hosts} onChange={(hosts) => set({ out_host: hosts, try: undefined })} />
          <Select
            label="Host aggregate"
            size="xs"
            w={200}
            placeholder="None"
            data={useHostAggregateNames().map(({ uuid, name }) => ({ value: uuid, label: name }))}
            value={choice.aggregate === '' ? null : choice.aggregate}
            onChange={(uuid) => set({ out_aggregate: uuid ?? undefined, try: undefined })}
            searchable
            clearable
          />
          <Select
            label="Zone"
            size="xs"
            w={160}
            placeholder="None"
            data={[...useZoneNames()]}
            value={choice.zone === '' ? null : choice.zone}
            onChange={(zone) => set({ out_zone: zone ?? undefined, try: undefined })}
            searchable
            clearable
          />
          <Button
            size="xs"
            disabled={!isChosen}
            loading={question.isFetching}
            onClick={() => set({ try: '1' }, 'push')}
          >
            Try without them
          </Button>
        </Group>
      </Paper>
      {question.error !== null && <FaultNotice error={question.error} again={() => void question.refetch()} />}
      {!isAsked && (
        <EmptyState icon={IconServerOff} title="No hosts chosen yet">
          Choose hosts, a host aggregate or a zone. Each instance on them is tried elsewhere with its recorded request.
          Nothing is moved.
        </EmptyState>
      )}
      {isAsked && question.isPending && (
        <Text size="sm" role="status">
          Trying the instances one after the other…
        </Text>
      )}
      {isAsked && question.data !== undefined && <Result outcome={question.data} />}
    </Stack>
  );
}

function HostChoice({
  values,
  onChange,
}: {
  readonly values: readonly string[];
  readonly onChange: (hosts: string[]) => void;
}) {
  const [typed, setTyped] = useState('');
  const [name] = useDebouncedValue(typed.trim(), 150);
  const found = useAnswer('hosts', ['without hosts', name], ({ reports }, signal) =>
    reports.hosts.list({ name, limit: OFFERED }, { signal }),
  );
  const offered = new Set([...values, ...(found.data?.hosts ?? []).map((host) => host.name)]);
  return (
    <MultiSelect
      label="Hosts"
      size="xs"
      w={360}
      maw="100%"
      placeholder={values.length === 0 ? 'Part of a name' : ''}
      data={[...offered]}
      value={[...values]}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
      searchable
      clearable
      hidePickedOptions
      nothingFoundMessage="No such host"
    />
  );
}

function Result({ outcome: { rows, hosts, trial, unknown } }: { readonly outcome: Outcome }) {
  const { may } = useSession();
  const [isDisabling, setIsDisabling] = useState(false);
  const { instances, placed, groups } = trial;
  const left = instances - placed;
  return (
    <Paper withBorder p="md" component="section" aria-label="Without these hosts">
      <Text fw={600} aria-live="polite">
        {instances === 0
          ? `No instance that Berth placed is on ${countOf(rows.length, 'host')}.`
          : `Without ${countOf(rows.length, 'host')}: ${countText(placed)} of ${countOf(instances, 'instance')} find a place elsewhere.`}
      </Text>
      <Text size="xs" c="dimmed" mb="sm">
        Tried one after the other, the largest first: each finds the room that the ones before it left.
        {unknown > 0 && ` ${countOf(unknown, 'instance')} on the hosts have no recorded request and were not tried.`}
      </Text>
      {groups.length > 0 && (
        <Table aria-label="Instances by request" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Request</Table.Th>
              <Table.Th>Instances</Table.Th>
              <Table.Th>Place without these hosts</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {groups.map((group) => (
              <GroupRow key={group.instances[0]?.uuid} group={group} hosts={hosts} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      {left + unknown > 0 && (
        <Text size="sm" mt="sm">
          Make room before these hosts go: not every instance can move.
        </Text>
      )}
      {rows.length > 0 && left + unknown === 0 && RULES.disable.every(may) && (
        <Button mt="sm" size="xs" variant="default" onClick={() => setIsDisabling(true)}>
          {`Disable ${countOf(rows.length, 'host')}…`}
        </Button>
      )}
      {isDisabling && <BulkDialog kind="disable" rows={rows} close={() => setIsDisabling(false)} />}
    </Paper>
  );
}

const NAMED = 6;

interface GroupProps {
  readonly group: GroupOutcome;
  /** Hosts that go. */
  readonly hosts: readonly string[];
}

function GroupRow({ group: { instances, places, placed, reason, request }, hosts }: GroupProps) {
  // The instances that find a place are the first ones.
  const body = { ...request, num_instances: instances.length, ignore_hosts: hosts };
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td>
        <Anchor component={Link} to={`/what-if?request=${base64Url(JSON.stringify(body))}`} size="sm">
          {flavorIn(request)}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <Text size="sm" className="numbers">
          {countText(instances.length)}
        </Text>
        <Names of={instances} />
      </Table.Td>
      <Table.Td>
        {placed > 0 && (
          <Text size="sm">
            {places
              .slice(0, NAMED)
              .map(({ host, instances: count }) => (count === 1 ? host : `${host} (${count})`))
              .join(', ')}
            {places.length > NAMED && ` and ${countOf(places.length - NAMED, 'more host', 'more hosts')}`}
          </Text>
        )}
        {reason !== null && (
          <>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {`None for ${countText(instances.length - placed)}: ${readable(reason)}`}
            </Text>
            {placed > 0 && <Names of={instances.slice(placed)} />}
          </>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function Names({ of: instances }: { readonly of: GroupOutcome['instances'] }) {
  const names = instances.slice(0, NAMED).map(({ uuid, name }) => name ?? uuid.slice(0, 8));
  const more = instances.length - names.length;
  return (
    <Text size="xs" c="dimmed">
      {names.join(', ')}
      {more > 0 && ` and ${countText(more)} more`}
    </Text>
  );
}

/** The name of the flavor in a recorded request. */
function flavorIn({ flavor }: GroupOutcome['request']): string {
  const name: unknown = typeof flavor === 'object' && flavor !== null ? (flavor as { name?: unknown }).name : flavor;
  return typeof name === 'string' ? name : 'a flavor given inline';
}
