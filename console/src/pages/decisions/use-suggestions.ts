// Hosts and instances whose names contain the typed text, for the search field of the decisions.
import { useThrottledValue } from '@mantine/hooks';
import { useMatches } from '../../service/matches';
import type { Suggestions } from './decision-list';
import { suggestionsOf } from './decision-list';

const LEAST_LETTERS = 2;
const ASKED_EVERY_MS = 150;

export function useSuggestions(typed: string): Suggestions {
  const name = useThrottledValue(typed.trim(), ASKED_EVERY_MS);
  const isAsked = name.length >= LEAST_LETTERS && !name.startsWith('req-');
  const { hosts, instances } = useMatches(name, isAsked);
  return isAsked ? suggestionsOf(hosts, instances) : suggestionsOf([], []);
}
