// Hosts and instances whose names contain the typed text, for the search field of the decisions.
import { useThrottledValue } from '@mantine/hooks';
import { useAnswer } from '../../service/questions';
import type { Suggestions } from './decision-list';
import { suggestionsOf } from './decision-list';

const LEAST_LETTERS = 2;
const OFFERED = 6;
const ASKED_EVERY_MS = 150;

export function useSuggestions(typed: string): Suggestions {
  const name = useThrottledValue(typed.trim(), ASKED_EVERY_MS);
  const isAsked = name.length >= LEAST_LETTERS && !name.startsWith('req-');
  const hosts = useAnswer(
    'hosts',
    ['decisions of', name],
    ({ reports }, signal) => reports.hosts.list({ name, limit: OFFERED }, { signal }),
    { enabled: isAsked, rule: 'berth:reports:hosts' },
  );
  const instances = useAnswer(
    'decisions',
    ['decisions of', name],
    ({ reports }, signal) => reports.instances.list({ search: name, limit: OFFERED }, { signal }),
    { enabled: isAsked, rule: 'berth:reports:instances' },
  );
  if (!isAsked) return suggestionsOf([], []);
  return suggestionsOf(hosts.data?.hosts ?? [], instances.data?.instances ?? []);
}
