// The list of decisions: the newest are asked for again and again, the older ones once, since they do not change.
import type { Schema } from '@berth/client';
import { countText } from '../../shown/amount';
import { isUuidTyped } from '../../shown/uuid';

export type KeptDecision = Schema<'KeptDecision'>;

interface Merged {
  readonly rows: readonly KeptDecision[];
  /** Between the newest and the older ones are some that nobody has asked for. */
  readonly hasGap: boolean;
}

/** A request id may be a client's own, and come twice. */
export const decisionKeyOf = ({ request_id: id, at }: KeptDecision): string => `${id} ${at}`;

/** Both newest first; `limit` is what the newest were cut at. */
export function mergeDecisions(newest: readonly KeptDecision[], older: readonly KeptDecision[], limit: number): Merged {
  const seen = new Set(newest.map(decisionKeyOf));
  const rest = older.filter((decision) => !seen.has(decisionKeyOf(decision)));
  const meets = newest.length < limit || older.length === 0 || rest.length < older.length;
  return { rows: [...newest, ...rest], hasGap: !meets };
}

type Sought =
  | { readonly kind: 'request'; readonly id: string }
  | { readonly kind: 'instance'; readonly uuid: string }
  | { readonly kind: 'host'; readonly name: string };

/** What somebody means who types this into the search; undefined for nothing. */
export function soughtBy(typed: string): Sought | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (text.startsWith('req-')) return { kind: 'request', id: text };
  if (isUuidTyped(text)) return { kind: 'instance', uuid: text };
  return { kind: 'host', name: text };
}

/** Hosts as far as they are named, and how many more there are; null: none, or nobody knows. */
export function hostsText({
  hosts,
  hosts_chosen: chosen,
}: Pick<KeptDecision, 'hosts' | 'hosts_chosen'>): string | null {
  if (hosts === null || hosts.length === 0) return null;
  const more = (chosen ?? hosts.length) - hosts.length;
  return `${hosts.join(', ')}${more > 0 ? ` and ${countText(more)} more` : ''}`;
}

const SECOND = 1_000;
const seconds = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** How long a decision took; null: nobody knows. */
export function tookText(ms: number | null): string | null {
  if (ms === null) return null;
  return ms < SECOND ? `${countText(ms)} ms` : `${seconds.format(ms / SECOND)} s`;
}

export const PERIODS = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last day' },
  { value: '168', label: 'Last week' },
] as const;

/** The time from which decisions of a period are; undefined for all. */
export function sinceOf(hours: string, now: number): string | undefined {
  const period = PERIODS.find(({ value }) => value === hours);
  return period && new Date(now - Number(period.value) * 3_600_000).toISOString();
}
