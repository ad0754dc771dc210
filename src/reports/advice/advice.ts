// Advice: a problem, its subjects, and the commands that solve it. Advice changes nothing.
import { ADVICE_LIMITS } from '../../platform/config/limits/reports';

export const ADVICE_KINDS = [
  'silent_host',
  'refused_report',
  'status_trait',
  'instance_outside_zone',
  'overfull_inventory',
  'unplaceable_flavor',
  'refusal_peak',
  'stranded_capacity',
  'unreached_provider',
  'unknown_consumer',
  'host_without_zone',
  'isolation_key_missing',
  'aggregate_ratio_without_effect',
  'broken_group_policy',
  'unchecked_pinning',
] as const;
export const SEVERITIES = ['error', 'warning', 'note'] as const;
export const SUBJECT_KINDS = ['provider', 'host', 'consumer', 'host_aggregate', 'server_group', 'flavor'] as const;

export interface AdviceSubject {
  readonly kind: (typeof SUBJECT_KINDS)[number];
  /** Of a host: its root provider. */
  readonly id: string;
  readonly name: string;
}

export interface Advice {
  readonly kind: (typeof ADVICE_KINDS)[number];
  readonly severity: (typeof SEVERITIES)[number];
  readonly sentence: string;
  /** The number of all subjects, including those that are not shown. */
  readonly count: number;
  readonly subjects: readonly AdviceSubject[];
  /** All of them together solve the problem. */
  readonly commands: readonly string[];
  /** Commands that solve the problem in another way, instead of `commands`. */
  readonly alternatives: readonly string[];
  /** The page of the console that shows them, with its query. */
  readonly link: string | null;
  /** The key in the metadata of host aggregates that it concerns. */
  readonly key: string | null;
}

/** Cuts the lists to their limits. */
export function adviceOf(
  advice: Pick<Advice, 'kind' | 'severity' | 'sentence' | 'subjects'> & Partial<Advice>,
): Advice {
  return {
    key: null,
    link: null,
    ...advice,
    alternatives: (advice.alternatives ?? []).slice(0, ADVICE_LIMITS.commandsShown),
    count: advice.count ?? advice.subjects.length,
    subjects: advice.subjects.slice(0, ADVICE_LIMITS.subjectsShown),
    commands: (advice.commands ?? []).slice(0, ADVICE_LIMITS.commandsShown),
  };
}

/** Quotes the text as one word for a shell. */
const word = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

export const command = (...words: readonly string[]): string => words.map(word).join(' ');

/** `1 host`, `3 hosts`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
