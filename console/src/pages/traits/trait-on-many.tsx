// Changes one trait on many providers: selection, preview, execution.
import { Button, Group, Paper, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Address } from '../../address/use-address';
import { useAddress } from '../../address/use-address';
import type { Preview } from '../../provider-traits/batch';
import { previewOf } from '../../provider-traits/batch';
import { BatchCourse } from '../../provider-traits/batch-course';
import type { TraitChange } from '../../provider-traits/change-trait';
import { changeTrait } from '../../provider-traits/change-trait';
import { findByNames, NAMES_MAX } from '../../provider-traits/find-targets';
import { DISABLED_TRAIT, isOfService, TraitSelect } from '../../provider-traits/trait-select';
import { useBatch } from '../../provider-traits/use-batch';
import type { Service } from '../../service/service';
import { useService } from '../../session/session';
import { useUnsaved } from '../../shell/unsaved';
import { countText } from '../../shown/amount';
import { FaultNotice } from '../../shown/fault-notice';
import { IconZoomQuestion } from '../../shown/icons';
import { ClearFilters, HostFiltersForm } from '../hosts/host-filters';
import { filtersOf } from '../hosts/host-query';
import { readAllHosts } from '../hosts/use-host-pages';

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
  const [isRunning, setRunning] = useState(false);
  const order = orderOf(address, names);
  useUnsaved(names !== address.get('names'));
  const question = useMutation({
    mutationFn: async (asked: Order) => ({ key: asked.key, preview: await look(service, asked, address) }),
  });
  const preview = question.data?.key === order.key ? question.data.preview : undefined;
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
                disabled={['', DISABLED_TRAIT].includes(order.trait) || (order.by === 'names' && names.trim() === '')}
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
      {preview !== undefined && <Found key={order.key} order={order} preview={preview} onRun={setRunning} />}
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
      <TraitSelect
        label="Trait"
        size="xs"
        w={360}
        maw="100%"
        value={trait}
        onChange={(of) => address.set({ of: of === '' ? undefined : of })}
        placeholder="Which one"
        isOffered={(name) => change === 'set' || !isOfService(name)}
        creates={change === 'set'}
        clearable
      />
      {isOfService(trait) && (
        <Text size="xs" c="dimmed" maw={340}>
          {trait === DISABLED_TRAIT
            ? 'The compute service sets this trait while it is disabled: enable or disable the hosts instead.'
            : 'Compute services report traits of this kind themselves, and may undo this with their next report.'}
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
  readonly onRun: (isRunning: boolean) => void;
}

function Found({ order: { trait, change }, preview, onRun }: FoundProps) {
  const { placement } = useService();
  const batch = useBatch();
  const isRunning = batch.state === 'running';
  useEffect(() => onRun(isRunning), [isRunning, onRun]);
  return (
    <BatchCourse
      preview={preview}
      batch={batch}
      what="provider"
      change={({ uuid }, signal) => changeTrait(placement.providers.traits, { uuid, trait, change }, signal)}
    />
  );
}
