// Filters for the list of decisions, all of them in the address. A search for a request id opens that decision.
import { ActionIcon, Autocomplete, Group, Select, TextInput, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAddress } from '../../address/use-address';
import { useTyped } from '../../address/use-typed';
import { faultOf } from '../../service/fault';
import { useService } from '../../session/session';
import { IconSearch, IconX } from '../../shown/icons';
import { outcomeName, OUTCOMES } from '../decision/outcome-mark';
import type { Search as SearchOf } from './decision-list';
import { parseSearch, PERIODS } from './decision-list';
import { useSuggestions } from './use-suggestions';

const CHOICES = OUTCOMES.map((outcome) => ({ value: outcome, label: outcomeName(outcome) }));

export function DecisionFilters() {
  const address = useAddress();
  const project = address.get('project');
  const [typedProject, setTypedProject] = useTyped(project);
  return (
    <Group gap="xs" align="flex-end" mb="md" component="search">
      <Search />
      <Select
        label="Outcome"
        size="sm"
        w={160}
        data={CHOICES}
        value={address.get('outcome') || null}
        onChange={(outcome) => address.set({ outcome: outcome ?? undefined }, 'push')}
        placeholder="Any"
        clearable
      />
      <Select
        label="Since"
        size="sm"
        w={150}
        data={PERIODS}
        value={address.get('hours') || null}
        onChange={(hours) => address.set({ hours: hours ?? undefined }, 'push')}
        placeholder="The first kept"
        clearable
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          address.set({ project: typedProject.trim() }, 'push');
        }}
      >
        <TextInput
          label="Project"
          size="sm"
          w={200}
          placeholder="Any"
          value={typedProject}
          onChange={(event) => setTypedProject(event.currentTarget.value)}
          onBlur={() => typedProject.trim() !== project && address.set({ project: typedProject.trim() }, 'push')}
        />
      </form>
    </Group>
  );
}

function Search() {
  const address = useAddress();
  const navigate = useNavigate();
  const { scheduler } = useService();
  const shown = address.get('instance') || address.get('host');
  const [typed, setTyped] = useTyped(shown);
  const { groups, searches } = useSuggestions(typed === shown ? '' : typed);
  const [isBusy, setBusy] = useState(false);

  const search = async (searched: SearchOf | undefined): Promise<void> => {
    if (searched?.kind === 'request') {
      await navigate(`/decisions/${encodeURIComponent(searched.id)}`);
      return;
    }
    if (searched?.kind === 'instance') {
      const { decisions } = await scheduler.scheduler.decisions.list({ instance: searched.uuid, limit: 2 });
      const [only] = decisions;
      if (only !== undefined && decisions.length === 1) {
        await navigate(`/decisions/${encodeURIComponent(only.request_id)}`);
        return;
      }
    }
    address.set(
      {
        instance: searched?.kind === 'instance' ? searched.uuid : undefined,
        host: searched?.kind === 'host' ? searched.name : undefined,
      },
      'push',
    );
  };
  const submit = (text: string): void => {
    setBusy(true);
    search(searches.get(text) ?? parseSearch(text))
      .catch((error: unknown) => {
        const { title, detail } = faultOf(error);
        notifications.show({ color: 'red', title, message: detail });
      })
      .finally(() => setBusy(false));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit(typed);
      }}
    >
      <Autocomplete
        label="Host, instance or request"
        placeholder="A name, a uuid, req-…"
        size="sm"
        w={320}
        maw="100%"
        value={typed}
        disabled={isBusy}
        onChange={setTyped}
        onOptionSubmit={submit}
        data={groups}
        filter={({ options }) => options}
        maxDropdownHeight={360}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          typed !== '' && (
            <Tooltip label="Clear the search">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label="Clear the search"
                onClick={() => {
                  setTyped('');
                  address.set({ instance: undefined, host: undefined }, 'push');
                }}
              >
                <IconX size={14} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )
        }
      />
    </form>
  );
}
