// Changes one trait on many providers, by their names: selection, preview, execution. Hosts by filter are changed on the page
// of hosts.
import { Button, Group, Paper, Stack, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAddress } from '../../address/use-address';
import type { Preview } from '../../provider-traits/batch';
import { previewOf } from '../../provider-traits/batch';
import { BatchCourse, useBatch } from '../../provider-traits/batch-course';
import type { TraitChange } from '../../provider-traits/change-trait';
import { changeTrait } from '../../provider-traits/change-trait';
import { findByNames, NAMES_MAX } from '../../provider-traits/find-targets';
import { DISABLED_TRAIT, isOfService, TraitSelect } from '../../provider-traits/trait-select';
import type { Service } from '../../service/service';
import { useSession } from '../../session/session';
import { useUnsaved } from '../../shell/unsaved';
import { AddressChoice } from '../../shown/address-choice';
import { countText } from '../../shown/amount';
import { FaultNotice } from '../../shown/fault-notice';
import { IconZoomQuestion } from '../../shown/icons';
import { Note } from '../../shown/note';
import { TextLink } from '../../shown/page-link';

const CHANGES = [
  { value: 'set', label: 'Set' },
  { value: 'unset', label: 'Unset' },
];

interface Order {
  readonly trait: string;
  readonly change: TraitChange;
  readonly names: string;
}

export function TraitOnMany() {
  const address = useAddress();
  const service = useSession().service;
  const [names, setNames] = useState('');
  const [isRunning, setRunning] = useState(false);
  const order: Order = { trait: address.get('of'), change: address.get('change') === 'unset' ? 'unset' : 'set', names };
  // A preview is valid only for the order with the same key.
  const key = JSON.stringify(order);
  useUnsaved(names !== '');
  const question = useMutation({
    mutationFn: async (asked: Order) => ({ key: JSON.stringify(asked), preview: await look(service, asked) }),
  });
  const preview = question.data?.key === key ? question.data.preview : undefined;
  return (
    <Stack gap="md">
      <Paper withBorder p="md">
        <fieldset
          disabled={isRunning}
          aria-label="What is changed, and on which providers"
          style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}
        >
          <Stack gap="sm">
            <What order={order} />
            <Textarea
              label="Names or uuids of providers"
              description={`In lines, or with spaces or commas between them; ${countText(NAMES_MAX)} at most.`}
              autosize
              minRows={3}
              maxRows={8}
              value={names}
              onChange={({ currentTarget }) => setNames(currentTarget.value)}
            />
            <Group gap="xs">
              <Button
                variant={preview === undefined ? 'filled' : 'default'}
                leftSection={<IconZoomQuestion size={16} />}
                loading={question.isPending}
                disabled={['', DISABLED_TRAIT].includes(order.trait) || names.trim() === ''}
                onClick={() => question.mutate(order)}
              >
                Preview
              </Button>
              <Note>
                Nothing is changed by it. To change hosts by a filter, tick them under{' '}
                <TextLink to="/hosts">Hosts</TextLink>.
              </Note>
            </Group>
          </Stack>
        </fieldset>
      </Paper>
      {question.error !== null && <FaultNotice error={question.error} again={() => question.mutate(order)} />}
      {preview !== undefined && <Found key={key} order={order} preview={preview} onRun={setRunning} />}
    </Stack>
  );
}

async function look(service: Service, { trait, change, names }: Order): Promise<Preview> {
  const { list } = service.placement.providers;
  const [holders, { targets, cannot }] = await Promise.all([list({ required: [trait] }), findByNames(list, names)]);
  return previewOf(targets, new Set(holders.resource_providers.map(({ uuid }) => uuid)), change, cannot);
}

function What({ order: { trait, change } }: { readonly order: Order }) {
  const address = useAddress();
  return (
    <Group gap="sm" align="flex-end">
      <AddressChoice label="What is done" name="change" data={CHANGES} />
      <TraitSelect
        label="Trait"
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
        <Note maw={340}>
          {trait === DISABLED_TRAIT
            ? 'The compute service sets this trait while it is disabled: enable or disable the hosts instead.'
            : 'Compute services report traits of this kind themselves, and may undo this with their next report.'}
        </Note>
      )}
    </Group>
  );
}

interface FoundProps {
  readonly order: Order;
  readonly preview: Preview;
  readonly onRun: (isRunning: boolean) => void;
}

function Found({ order: { trait, change }, preview, onRun }: FoundProps) {
  const { placement } = useSession().service;
  const batch = useBatch('provider');
  const isRunning = batch.state === 'running';
  useEffect(() => onRun(isRunning), [isRunning, onRun]);
  return (
    <BatchCourse
      preview={preview}
      batch={batch}
      change={({ uuid }, signal) => changeTrait(placement.providers.traits, { uuid, trait, change }, signal)}
    />
  );
}
