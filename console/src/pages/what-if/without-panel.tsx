// "Without these hosts": which instances find a place elsewhere, and which do not and why.
import { Button, Group, MultiSelect, Paper, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useAddress } from '../../address/use-address';
import { useAnswer } from '../../service/questions';
import { useHostAggregateChoices, useZoneNames } from '../../service/registries';
import { useSession } from '../../session/session';
import { countOf, countText, cutList } from '../../shown/amount';
import { Choice } from '../../shown/choice';
import type { Column } from '../../shown/data-table';
import { EmptyState } from '../../shown/empty-state';
import { FaultNotice } from '../../shown/fault-notice';
import { Note } from '../../shown/note';
import { PageLink } from '../../shown/page-link';
import { Sentence } from '../../shown/sentence';
import { SmallTable } from '../../shown/small-table';
import { base64Url } from '../decision/request-again';
import { BULK } from '../hosts/bulk-change';
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
          <Choice
            label="Host aggregate"
            w={200}
            placeholder="None"
            names={useHostAggregateChoices()}
            value={choice.aggregate}
            onChange={(uuid) => set({ out_aggregate: uuid, try: undefined })}
          />
          <Choice
            label="Zone"
            w={160}
            placeholder="None"
            names={useZoneNames()}
            value={choice.zone}
            onChange={(zone) => set({ out_zone: zone, try: undefined })}
          />
          <Button disabled={!isChosen} loading={question.isFetching} onClick={() => set({ try: '1' }, 'push')}>
            Try without them
          </Button>
        </Group>
      </Paper>
      {question.error !== null && <FaultNotice error={question.error} again={() => void question.refetch()} />}
      {!isAsked && (
        <EmptyState title="No hosts chosen yet">
          Choose hosts, a host aggregate or a zone. Each instance on them is tried elsewhere with its recorded request.
          Nothing is moved.
        </EmptyState>
      )}
      {isAsked && question.isPending && <Text role="status">Trying the instances one after the other…</Text>}
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
  const left = instances - placed + unknown;
  return (
    <Paper withBorder p="md" component="section" aria-label="Without these hosts">
      <Text size="md" fw={600} aria-live="polite">
        {instances === 0
          ? `No instance that Berth placed is on ${countOf(rows.length, 'host')}.`
          : `Without ${countOf(rows.length, 'host')}: ${countText(placed)} of ${countOf(instances, 'instance')} find a place elsewhere.`}
      </Text>
      <Note mb="sm">
        Tried one after the other, the largest first: each finds the room that the ones before it left.
        {unknown > 0 && ` ${countOf(unknown, 'instance')} on the hosts have no recorded request and were not tried.`}
      </Note>
      {groups.length > 0 && (
        <SmallTable
          label="Instances by request"
          columns={columnsFor(hosts)}
          rows={groups}
          keyOf={(group, at) => group.instances[0]?.uuid ?? String(at)}
        />
      )}
      {left > 0 && <Text mt="sm">Make room before these hosts go: not every instance can move.</Text>}
      {rows.length > 0 && left === 0 && BULK.disable.rules.every(may) && (
        <Button mt="sm" variant="default" onClick={() => setIsDisabling(true)}>
          {`Disable ${countOf(rows.length, 'host')}…`}
        </Button>
      )}
      {isDisabling && <BulkDialog kind="disable" rows={rows} close={() => setIsDisabling(false)} />}
    </Paper>
  );
}

const NAMED = 6;

/** `hosts`: those that go. */
const columnsFor = (hosts: readonly string[]): readonly Column<GroupOutcome>[] => [
  {
    key: 'request',
    name: 'Request',
    cell: ({ request, instances }) => {
      const body = { ...request, num_instances: instances.length, ignore_hosts: hosts };
      return <PageLink to={`/what-if?request=${base64Url(JSON.stringify(body))}`}>{flavorIn(request)}</PageLink>;
    },
  },
  {
    key: 'instances',
    name: 'Instances',
    cell: ({ instances }) => (
      <>
        {countText(instances.length)}
        <Names of={instances} />
      </>
    ),
  },
  {
    key: 'place',
    name: 'Place without these hosts',
    // The instances that find a place are the first ones.
    cell: ({ instances, places, placed, reason }) => (
      <>
        {placed > 0 &&
          cutList(
            places.map(({ host, instances: count }) => (count === 1 ? host : `${host} (${count})`)),
            NAMED,
          )}
        {reason !== null && (
          <>
            <Sentence text={`None for ${countText(instances.length - placed)}: ${reason}`} />
            {placed > 0 && <Names of={instances.slice(placed)} />}
          </>
        )}
      </>
    ),
  },
];

function Names({ of: instances }: { readonly of: GroupOutcome['instances'] }) {
  return (
    <Note>
      {cutList(
        instances.map(({ uuid, name }) => name ?? uuid.slice(0, 8)),
        NAMED,
      )}
    </Note>
  );
}

/** The name of the flavor in a recorded request. */
function flavorIn({ flavor }: GroupOutcome['request']): string {
  const name: unknown = typeof flavor === 'object' && flavor !== null ? (flavor as { name?: unknown }).name : flavor;
  return typeof name === 'string' ? name : 'a flavor given inline';
}
