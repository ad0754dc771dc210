// The list of decisions: its texts, its search and its periods.
import type { Schema } from '@berth/client';
import { countOf, countText } from '../../shown/amount';
import { isUuidTyped } from '../../shown/uuid';
import { shortUuid } from '../instances/instance-search';

export type KeptDecision = Schema<'KeptDecision'>;

/** Clients can choose request ids, so one id can occur twice. */
export const decisionKeyOf = ({ request_id: id, at }: KeptDecision): string => `${id} ${at}`;

export type Search =
  | { readonly kind: 'request'; readonly id: string }
  | { readonly kind: 'instance'; readonly uuid: string }
  | { readonly kind: 'host'; readonly name: string };

/** Interprets the text of the search field; undefined if it is empty. */
export function parseSearch(typed: string): Search | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (text.startsWith('req-')) return { kind: 'request', id: text };
  if (isUuidTyped(text)) return { kind: 'instance', uuid: text };
  return { kind: 'host', name: text };
}

/** Texts to choose from, and the search of each. */
export interface Suggestions {
  readonly groups: readonly { readonly group: string; readonly items: string[] }[];
  readonly searches: ReadonlyMap<string, Search>;
}

/** A text that a host and an instance share stands for the host; an instance without a name is shown by its uuid. */
export function suggestionsOf(
  hosts: readonly { readonly host: string | null; readonly name: string }[],
  instances: readonly { readonly name: string | null; readonly uuid: string }[],
): Suggestions {
  const searches = new Map<string, Search>();
  const add = (text: string, search: Search): string[] => {
    if (searches.has(text)) return [];
    searches.set(text, search);
    return [text];
  };
  const ofHosts = hosts.flatMap(({ host, name }) => add(host ?? name, { kind: 'host', name: host ?? name }));
  const ofInstances = instances.flatMap(({ name, uuid }) => add(name ?? uuid, { kind: 'instance', uuid }));
  const groups = [
    { group: 'Hosts', items: ofHosts },
    { group: 'Instances', items: ofInstances },
  ];
  return { groups: groups.filter(({ items }) => items.length > 0), searches };
}

/** The listed hosts and the number of further ones; null if there are none or they are unknown. */
export function hostsText({
  hosts,
  hosts_chosen: chosen,
}: Pick<KeptDecision, 'hosts' | 'hosts_chosen'>): string | null {
  if (hosts === null || hosts.length === 0) return null;
  const more = (chosen ?? hosts.length) - hosts.length;
  return `${hosts.join(', ')}${more > 0 ? ` and ${countText(more)} more` : ''}`;
}

/** The name of the instance, or the start of its uuid, and how many more there are. */
export function instanceText({
  instance,
  instance_name: name,
  num_instances: count,
}: Pick<KeptDecision, 'instance' | 'instance_name' | 'num_instances'>): string {
  const first = name ?? (instance === null ? null : shortUuid(instance));
  if (first === null) return count === 0 ? '–' : countOf(count, 'instance');
  return count > 1 ? `${first} and ${countText(count - 1)} more` : first;
}

/** For example `m1.small → cn1`. */
export function placeText(kept: Pick<KeptDecision, 'outcome' | 'flavor' | 'hosts' | 'hosts_chosen'>): string {
  const flavor = kept.flavor ?? 'a flavor given inline';
  const hosts = kept.outcome === 'placed' ? hostsText(kept) : null;
  return hosts === null ? flavor : `${flavor} → ${hosts}`;
}

const SECOND = 1_000;

/** Duration of a decision; null if unknown. */
export function tookText(ms: number | null): string | null {
  if (ms === null) return null;
  return ms < SECOND ? `${countText(ms)} ms` : `${(ms / SECOND).toFixed(1)} s`;
}

export const PERIODS = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last day' },
  { value: '168', label: 'Last week' },
] as const;

/** Start of a period; undefined for all decisions. */
export function sinceOf(hours: string, now: number): string | undefined {
  const period = PERIODS.find(({ value }) => value === hours);
  return period && new Date(now - Number(period.value) * 3_600_000).toISOString();
}
