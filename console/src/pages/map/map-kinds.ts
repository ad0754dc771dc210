// The kinds of cells of a map: every host has exactly one kind, and the legend lists them. Colour alone never carries
// the meaning: cells are filled or hollow, and problems have a mark.
import { countOf, countText, shareText } from '../../shown/amount';
import type { HostStatus, MapReport } from '../../service/reports';
import type { MapHost } from './map-groups';
import type { Subject } from './map-subject';

export type CellMark = 'none' | 'cross' | 'bar' | 'slash' | 'dot' | 'ring';

export interface CellKind {
  /** The kind's name in addresses. */
  readonly key: string;
  readonly name: string;
  /** Key of its colours. */
  readonly look: Look;
}

export type Look = `use ${number}` | 'over-full' | 'hollow' | 'has' | HostStatus;

export const USE_STEPS = 10;

const HAS_NONE: CellKind = { key: 'none', name: 'has none', look: 'hollow' };
const OVER_FULL: CellKind = { key: 'over-full', name: 'over-full', look: 'over-full' };
const USE_KINDS: readonly CellKind[] = [
  ...Array.from({ length: USE_STEPS }, (_, step): CellKind => {
    const [from, to] = [step * USE_STEPS, (step + 1) * USE_STEPS];
    return { key: String(from), name: `${from} to ${to} %`, look: `use ${step}` };
  }),
  OVER_FULL,
  HAS_NONE,
];

function kindsOf({ kind, name }: Subject, statuses: readonly HostStatus[]): readonly CellKind[] {
  switch (kind) {
    case 'use':
      return USE_KINDS;
    case 'trait':
      return [
        { key: 'yes', name: `has ${name}`, look: 'has' },
        { key: 'no', name: 'has not', look: 'hollow' },
      ];
    case 'flavor':
      return [
        { key: 'yes', name: `has room for ${name}`, look: 'has' },
        { key: 'no', name: 'no room', look: 'hollow' },
      ];
    case 'status':
      return statuses.map((status) => ({ key: status, name: status, look: status }));
  }
}

/** The kind of a host, as an index into the kinds of the subject. */
function cellKindOf({ kind }: Subject, host: MapHost): number {
  const value = host[5];
  if (kind === 'status') return host[4];
  if (kind !== 'use') return value === 1 ? 0 : 1;
  if (value === null) return USE_STEPS + 1;
  if (value > 1) return USE_STEPS;
  return Math.min(USE_STEPS - 1, Math.max(0, Math.floor(value * USE_STEPS)));
}

export interface Shades {
  readonly kinds: readonly CellKind[];
  /** The kind of each host. */
  readonly of: Uint8Array;
  /** The number of hosts of each kind. */
  readonly counts: readonly number[];
}

export function kindsIn(subject: Subject, { hosts, statuses }: MapReport): Shades {
  const kinds = kindsOf(subject, statuses);
  const counts = kinds.map(() => 0);
  const of = Uint8Array.from(hosts, (host) => {
    const kind = cellKindOf(subject, host);
    counts[kind] = (counts[kind] ?? 0) + 1;
    return kind;
  });
  return { kinds, of, counts };
}

/** Phrase for one host. */
export function phraseOf({ kind, name }: Subject, host: MapHost): string | undefined {
  const value = host[5];
  switch (kind) {
    case 'use':
      if (value === null) return `has no ${name}`;
      return value > 1 ? `${name} over-full: ${shareText(value)}` : `${shareText(value)} of ${name} used`;
    case 'trait':
      return value === 1 ? `has ${name}` : `has not ${name}`;
    case 'flavor':
      return value === 1 ? `has room for ${name}` : `no room for ${name}`;
    case 'status':
      return undefined;
  }
}

/** Sentence for all hosts. */
export function sentenceOf({ kind, name }: Subject, { kinds, counts, of }: Shades): string {
  const counted = (key: string): number => counts[kinds.findIndex((each) => each.key === key)] ?? 0;
  const all = of.length;
  switch (kind) {
    case 'use': {
      const full = counted('over-full');
      return `${sharedBy(all - counted('none'), all, name)}${full === 0 ? '' : `, over-full on ${countText(full)}`}`;
    }
    case 'trait':
      return sharedBy(counted('yes'), all, name);
    case 'flavor':
      return sharedBy(counted('yes'), all, `room for ${name} now`);
    case 'status':
      return kinds.flatMap(({ name: status }, index) => hostsText(counts[index] ?? 0, status)).join(', ');
  }
}

const sharedBy = (count: number, all: number, what: string): string =>
  `${countText(count)} of ${countOf(all, 'host')} ${count === 1 ? 'has' : 'have'} ${what}`;

const hostsText = (count: number, what: string): readonly string[] =>
  count === 0 ? [] : [`${countText(count)} ${what}`];
