// The sentence of an entry of the time line.
import type { Schema } from '@berth/client';
import { amountText, countOf } from '../../shown/amount';
import { readable } from '../../shown/readable';

export type TimelineEntry = Schema<'TimelineEntry'>;
type Shown = Pick<TimelineEntry, 'fact' | 'was' | 'became' | 'changes' | 'hosts' | 'decision'>;

export function changeText({ fact, was, became, changes, hosts, decision }: Shown): string {
  if (decision !== null) return `${countOf(changes, 'refusal')}${fact.replace(/^\w+/, '')}: ${readable(became ?? '')}`;
  const [, name = ''] = /^(?:use of|inventory) (\S+)$/.exec(fact) ?? [];
  const shown = (text: string | null): string =>
    text?.replace(/(?:^|(?<=of |reserved ))\d+/g, (amount) => amountText(name, Number(amount))) ?? 'none';
  const where = changes > hosts.length ? [...hosts, countOf(changes, 'change')] : hosts;
  const subject = hosts.length === 0 ? `${fact}:` : `${where.join(', ')}: ${fact}`;
  if (was === 'yes' || became === 'yes') return `${subject} ${was === null ? 'added' : 'removed'}`;
  return `${subject} ${shown(was)} → ${shown(became)}`;
}
