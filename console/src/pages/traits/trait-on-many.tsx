// Changes one trait on many providers: selection, preview, execution.
import { Button, Group, Paper, Progress, SegmentedControl, Select, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Address } from '../../address/use-address';
import { useAddress } from '../../address/use-address';
import type { OutcomeCounts, Preview } from '../../provider-traits/batch';
import { countsOf, previewOf } from '../../provider-traits/batch';
import type { TraitChange } from '../../provider-traits/change-trait';
import { findByNames, NAMES_MAX } from '../../provider-traits/find-targets';
import { useTraitNames } from '../../service/names';
import type { Service } from '../../service/service';
import { useService } from '../../session/session';
import { useUnsaved } from '../../shell/unsaved';
import { countOf, countText } from '../../shown/amount';
import { FaultNotice } from '../../shown/fault-notice';
import { IconPlayerStop, IconZoomQuestion } from '../../shown/icons';
import { ClearFilters, HostFiltersForm } from '../hosts/host-filters';
import { filtersOf } from '../hosts/host-query';
import { readAllHosts } from '../hosts/use-host-pages';
import { TargetCsv, TargetTable } from './target-table';
import type { Batch, BatchState } from './use-batch';
import { useBatch } from './use-batch';

/** Longer lists of names stay out of the address, because links of that length break. */
const ADDRESS_HOLDS = 1_500;

interface Order {
  readonly trait: string;
  readonly change: TraitChange;
  readonly by: 'filter' | 'names';
  readonly names: string;
  /** Identifies the order; a preview is valid only for the order with the same key. */
  readonly key: string;
}

export function TraitOnMany() {
  const address = useAddress();
  const service = useService();
  const [names, setNames] = useState(() => address.get('names'));
  const order = orderOf(address, names);
  const batch = useBatch();
  useUnsaved(names !== address.get('names'));
  const question = useMutation({
    mutationFn: async (asked: Order) => ({ key: asked.key, preview: await look(service, asked, address) }),
  });
  const { reset } = batch;
  useEffect(() => reset(), [order.key, reset]);
  const preview = question.data?.key === order.key ? question.data.preview : undefined;
  const isRunning = batch.state === 'running';
  return (
    <Stack gap="md">
      <Paper withBorder p="md">
        <fieldset
          disabled={isRunning}
          aria-label="What is changed, and on which providers"
          style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}
        >
          <Stack gap="sm">
            <What address={address} order={order} />
            <UsersOfTraits address={address} order={order} names={names} onNames={setNames} />
            <Group gap="xs">
              <Button
                size="xs"
                variant={preview === undefined ? 'filled' : 'default'}
                leftSection={<IconZoomQuestion size={16} aria-hidden />}
                loading={question.isPending}
                disabled={order.trait === '' || (order.by === 'names' && names.trim() === '')}
                onClick={() => question.mutate(order)}
              >
                Preview
              </Button>
              <Text size="xs" c="dimmed">
                {order.trait === '' ? 'Choose a trait first.' : 'Nothing is changed by it.'}
              </Text>
            </Group>
          </Stack>
        </fieldset>
      </Paper>
      {question.error !== null && <FaultNotice error={question.error} again={() => question.mutate(order)} />}
      {preview !== undefined && <Found order={order} preview={preview} batch={batch} />}
    </Stack>
  );
}

function orderOf(address: Address, names: string): Order {
  const trait = address.get('of');
  const change = address.get('change') === 'unset' ? 'unset' : 'set';
  const by = address.get('by') === 'names' ? 'names' : 'filter';
  const whose = by === 'names' ? names : filtersOf(address);
  return { trait, change, by, names, key: JSON.stringify([trait, change, by, whose]) };
}

async function look(service: Service, { trait, change, by, names }: Order, address: Address): Promise<Preview> {
  const { list } = service.placement.providers;
  const [holders, { targets, cannot }] = await Promise.all([
    list({ required: [trait] }),
    by === 'names' ? findByNames(list, names) : { targets: await rootsOf(service, address), cannot: [] },
  ]);
  return previewOf(targets, new Set(holders.resource_providers.map(({ uuid }) => uuid)), change, cannot);
}

const rootsOf = async (service: Service, address: Address) =>
  (await readAllHosts(service, { filters: filtersOf(address), sort: 'name', withStranded: false })).map(
    ({ uuid, name }) => ({ uuid, name }),
  );

interface FormProps {
  readonly address: Address;
  readonly order: Order;
}

function What({ address, order: { trait, change } }: FormProps) {
  const names = useTraitNames();
  return (
    <Group gap="sm" align="flex-end">
      <SegmentedControl
        aria-label="What is done"
        size="xs"
        data={[
          { value: 'set', label: 'Set' },
          { value: 'unset', label: 'Unset' },
        ]}
        value={change}
        onChange={(next) => address.set({ change: next === 'set' ? undefined : next })}
      />
      <Select
        label="Trait"
        size="xs"
        w={360}
        maw="100%"
        data={trait === '' || names.includes(trait) ? names : [trait, ...names]}
        value={trait === '' ? null : trait}
        onChange={(of) => address.set({ of: of ?? undefined })}
        placeholder="Which one"
        searchable
        clearable
        limit={60}
        nothingFoundMessage="No such trait"
      />
      {trait.startsWith('COMPUTE_') && (
        <Text size="xs" c="dimmed" maw={340}>
          Compute services report traits of this kind themselves, and may undo this with their next report.
        </Text>
      )}
    </Group>
  );
}

interface WhoseProps extends FormProps {
  readonly names: string;
  readonly onNames: (names: string) => void;
}

function UsersOfTraits({ address, order: { by }, names, onNames }: WhoseProps) {
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <SegmentedControl
          aria-label="Selected providers"
          size="xs"
          data={[
            { value: 'filter', label: 'Hosts by filter' },
            { value: 'names', label: 'Providers by name' },
          ]}
          value={by}
          onChange={(next) => address.set({ by: next === 'filter' ? undefined : next })}
        />
        <Text size="xs" c="dimmed">
          {by === 'filter'
            ? 'The root provider of every host that matches.'
            : 'Any provider of any tree, by name or uuid.'}
        </Text>
        {by === 'filter' && <ClearFilters address={address} />}
      </Group>
      {by === 'filter' ? (
        <HostFiltersForm address={address} />
      ) : (
        <Textarea
          label="Names or uuids"
          size="xs"
          description={`In lines, or with spaces or commas between them; ${countText(NAMES_MAX)} at most.`}
          autosize
          minRows={3}
          maxRows={8}
          value={names}
          onChange={({ currentTarget }) => onNames(currentTarget.value)}
          onBlur={() => address.set({ names: names.length <= ADDRESS_HOLDS ? names.trim() : undefined })}
        />
      )}
    </Stack>
  );
}

interface FoundProps {
  readonly order: Order;
  readonly preview: Preview;
  readonly batch: Batch;
}

function Found({ order: { trait, change }, preview, batch }: FoundProps) {
  const { changes } = preview;
  const { outcomes, state } = batch;
  const counts = useMemo(() => countsOf(preview, outcomes), [preview, outcomes]);
  const isSet = change === 'set';
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500} aria-live="polite">
          {state === 'idle' ? sentenceOf(preview, trait, change) : courseOf(state, changes.length, counts)}
        </Text>
        <Group gap="xs">
          <TargetCsv preview={preview} change={change} outcomes={outcomes} />
          {state === 'running' ? (
            <Button size="xs" color="red" leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={batch.stop}>
              Stop
            </Button>
          ) : (
            counts.left.length > 0 && (
              <Button size="xs" onClick={() => batch.start(counts.left, trait, change)}>
                {isSet ? 'Set on' : 'Unset on'} {countOf(counts.left.length, 'provider')}
              </Button>
            )
          )}
        </Group>
      </Group>
      {state !== 'idle' && <Course total={changes.length} counts={counts} />}
      <TargetTable preview={preview} change={change} outcomes={outcomes} />
    </Stack>
  );
}

/** For example `12 providers get CUSTOM_A, 3 have it already, 1 cannot be changed`. */
function sentenceOf({ changes, already, cannot }: Preview, trait: string, change: TraitChange): string {
  const verb = (count: number, one: string, many: string): string => (count === 1 ? one : many);
  const isSet = change === 'set';
  const does = isSet ? verb(changes.length, 'gets', 'get') : verb(changes.length, 'loses', 'lose');
  const is = isSet
    ? `${verb(already.length, 'has', 'have')} it already`
    : `${verb(already.length, 'does', 'do')} not have it`;
  return [
    `${countOf(changes.length, 'provider')} ${does} ${trait}`,
    ...(already.length > 0 ? [`${countText(already.length)} ${is}`] : []),
    ...(cannot.length > 0 ? [`${countText(cannot.length)} cannot be changed`] : []),
  ].join(', ');
}

const STATES: Readonly<Record<BatchState, string>> = {
  idle: '',
  running: 'At work',
  stopped: 'Stopped',
  finished: 'Done',
};

/** For example `Stopped: 12 of 40 tried, 11 changed, 1 refused`. */
function courseOf(state: BatchState, total: number, { done, already, conflicts, failed }: OutcomeCounts): string {
  const words = [
    `${countText(done + already + conflicts + failed)} of ${countText(total)} tried`,
    `${countText(done)} changed`,
    ...(already > 0 ? [`${countText(already)} changed by another request in the meantime`] : []),
    ...(conflicts > 0 ? [`${countText(conflicts)} overtaken twice`] : []),
    ...(failed > 0 ? [`${countText(failed)} refused`] : []),
  ].join(', ');
  return `${STATES[state]}: ${words}`;
}

/** Progress bar of the same figures. */
function Course({
  total,
  counts: { done, already, conflicts, failed },
}: {
  readonly total: number;
  readonly counts: OutcomeCounts;
}) {
  const share = (count: number): number => (total === 0 ? 0 : (count / total) * 100);
  return (
    <Progress.Root size={10}>
      <Progress.Section value={share(done + already)} color="teal.8" aria-label="Changed" />
      <Progress.Section value={share(conflicts + failed)} color="red.8" aria-label="Not changed" />
    </Progress.Root>
  );
}
