import { ActionIcon, Autocomplete, Group } from '@mantine/core';
// Filters for the list of decisions, all of them in the address. A search for a request id opens that decision.
import { useThrottledValue } from '@mantine/hooks';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAddress } from '../../address/use-address';
import { faultOf } from '../../service/fault';
import { useMatches } from '../../service/matches';
import { useSession } from '../../session/session';
import { Choice } from '../../shown/choice';
import { IconSearch } from '../../shown/icons';
import { submits } from '../../shown/submits';
import { TypedFilter } from '../../shown/text-filters';
import { showFault } from '../../shown/use-change';
import { OUTCOME_MARKS, OUTCOMES } from '../decision/outcome-mark';
import type { Search as SearchOf, Suggestions } from './decision-list';
import { parseSearch, PERIODS, suggestionsOf } from './decision-list';

const CHOICES = OUTCOMES.map((outcome) => ({ value: outcome, label: OUTCOME_MARKS[outcome].name }));

export function DecisionFilters() {
  const address = useAddress();
  const choice = (name: string) => ({
    size: 'sm',
    searchable: false,
    value: address.get(name),
    onChange: (value: string) => address.set({ [name]: value }, 'push'),
  });
  return (
    <Group gap="xs" align="flex-end" component="search">
      <Search />
      <Choice {...choice('outcome')} label="Outcome" w={160} names={CHOICES} />
      <Choice {...choice('hours')} label="Since" w={150} names={PERIODS} placeholder="The first kept" />
      <TypedFilter address={address} name="project" label="Project" placeholder="The whole id" size="sm" w={200} />
    </Group>
  );
}

function Search() {
  const address = useAddress();
  const navigate = useNavigate();
  const { scheduler } = useSession().service;
  const shown = address.get('instance') || address.get('host');
  const [typed, setTyped] = useTyped(shown);
  const { groups, searches } = useSuggestions(typed === shown ? '' : typed);
  const [isBusy, setBusy] = useState(false);
  const open = (id: string): void => void navigate(`/decisions/${encodeURIComponent(id)}`);

  const search = async (searched: SearchOf | undefined): Promise<void> => {
    if (searched?.kind === 'request') return open(searched.id);
    if (searched?.kind === 'instance') {
      const { decisions } = await scheduler.scheduler.decisions.list({ instance: searched.uuid, limit: 2 });
      const [only] = decisions;
      if (only !== undefined && decisions.length === 1) return open(only.request_id);
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
    void search(searches.get(text) ?? parseSearch(text))
      .catch((error: unknown) => showFault(faultOf(error).title, error))
      .finally(() => setBusy(false));
  };
  return (
    <form onSubmit={submits(() => submit(typed))}>
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
        leftSection={
          <ActionIcon type="submit" color="cyan" aria-label="Search">
            <IconSearch size={16} />
          </ActionIcon>
        }
        leftSectionPointerEvents="all"
        clearable
        clearButtonProps={{ 'aria-label': 'Clear the search' }}
        onClear={() => address.set({ instance: undefined, host: undefined }, 'push')}
      />
    </form>
  );
}

/** Text being typed that is not yet in the address. It follows the address when a link or the back button changes it. */
function useTyped(inAddress: string): readonly [string, (typed: string) => void] {
  const [state, setState] = useState({ typed: inAddress, from: inAddress });
  if (state.from !== inAddress) setState({ typed: inAddress, from: inAddress });
  return [state.typed, (typed) => setState({ typed, from: inAddress })];
}

const LEAST_LETTERS = 2;
const ASKED_EVERY_MS = 150;

/** Hosts and instances whose names contain the typed text. */
function useSuggestions(typed: string): Suggestions {
  const name = useThrottledValue(typed.trim(), ASKED_EVERY_MS);
  const isAsked = name.length >= LEAST_LETTERS && !name.startsWith('req-');
  const { hosts, instances } = useMatches(name, isAsked);
  return isAsked ? suggestionsOf(hosts, instances) : suggestionsOf([], []);
}
