// The traits of a provider as chips, editable if the user's roles permit it.
import { Button, Group, Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useSession } from '../session/session';
import { countOf } from '../shown/amount';
import { AskFirst } from '../shown/ask-first';
import { IconPlus } from '../shown/icons';
import { TraitChip } from '../shown/trait-chip';
import { useChange } from '../shown/use-change';
import type { TraitChange } from './change-trait';
import { changeTrait } from './change-trait';
import { isOfService, TraitSelect } from './trait-select';

/** Number of traits shown until the user expands the list. */
const SHOWN_FIRST = 12;

interface Props {
  readonly provider: { readonly uuid: string; readonly name: string; readonly consumers: number };
  /** In display order. */
  readonly traits: readonly string[];
  /** A compute service reports the host: traits of its kind are its own. */
  readonly isServed: boolean;
}

export function TraitSet({ provider, traits, isServed }: Props) {
  const { may, service } = useSession();
  const [isWhole, setWhole] = useState(false);
  const { mutate, isPending: isBusy } = useChange({
    run: ({ trait, change }: { readonly trait: string; readonly change: TraitChange }) =>
      changeTrait(service.placement.providers.traits, { uuid: provider.uuid, trait, change }),
    topics: ['hosts'],
    done: (undo, { trait, change }) => ({
      title: `${trait} is ${change} on ${provider.name}`,
      message: undo === undefined ? 'Another request did it before.' : undefined,
      undo,
    }),
    failed: ({ trait }) => `${trait} was not changed`,
  });
  const change = (trait: string, to: TraitChange): void => mutate({ trait, change: to });
  const [asked, setAsked] = useState<string>();
  const unset = (trait: string): void => (provider.consumers > 0 ? setAsked(trait) : change(trait, 'unset'));
  const mayChange = may('placement:resource_providers:traits:update');
  const shown = isWhole || traits.length <= SHOWN_FIRST + 1 ? traits : traits.slice(0, SHOWN_FIRST);
  return (
    <Group gap={6} role="group" aria-label={`Traits of ${provider.name}`}>
      {shown.map((trait) => (
        <TraitChip
          key={trait}
          trait={trait}
          onRemove={mayChange && !isBusy && !(isServed && isOfService(trait)) ? () => unset(trait) : undefined}
        />
      ))}
      {traits.length > SHOWN_FIRST + 1 && (
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'fewer' : `and ${traits.length - shown.length} more`}
        </Button>
      )}
      {mayChange && <SetTrait provider={provider} present={traits} isBusy={isBusy} set={(t) => change(t, 'set')} />}
      {asked !== undefined && (
        <AskFirst
          title={`Unset ${asked}?`}
          text={`${countOf(provider.consumers, 'consumer has', 'consumers have')} allocations on ${provider.name}. They stay, also if their flavor requires the trait.`}
          yes="Unset it"
          onYes={() => change(asked, 'unset')}
          close={() => setAsked(undefined)}
        />
      )}
    </Group>
  );
}

interface SetProps {
  readonly provider: { readonly name: string };
  readonly present: readonly string[];
  readonly isBusy: boolean;
  readonly set: (trait: string) => void;
}

function SetTrait({ provider, present, isBusy, set }: SetProps) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Popover opened={isOpen} onDismiss={close} position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <Button
          size="compact-xs"
          variant="default"
          loading={isBusy}
          leftSection={<IconPlus size={12} />}
          aria-label={`Set a trait on ${provider.name}`}
          onClick={open}
        >
          Trait
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {isOpen && (
          <TraitSelect
            label="Trait to set"
            w={340}
            value=""
            isOffered={(trait) => !present.includes(trait)}
            onChange={(trait) => {
              close();
              set(trait);
            }}
            comboboxProps={{ withinPortal: false }}
            data-autofocus
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
