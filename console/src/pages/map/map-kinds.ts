// The kinds of cells of a map: every host has exactly one kind, and the legend lists them. Colour alone never carries
// the meaning: cells are filled or hollow, and problems have a mark.
import type { HostStatus, MapReport } from '../../service/reports';
import { countOf, countText, shareText } from '../../shown/amount';
import { readable } from '../../shown/readable';
import { STATUS_NAMES } from '../../shown/status-text';
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

export type Look = `use ${number}` | `reason ${number}` | 'over-full' | 'hollow' | 'has' | HostStatus;

type Reason = MapReport['reasons'][number];

/** Reasons with a colour of their own; hosts with further ones share one kind. */
const REASONS_SHOWN = 6;

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

/** Statuses of hosts that accept nothing: what is free there is not to be had. */
const UNUSABLE: readonly HostStatus[] = ['disabled', 'down', 'silent'];

const statusKind = (status: HostStatus): CellKind => ({ key: status, name: STATUS_NAMES[status], look: status });

const STRANDED_KINDS: readonly CellKind[] = [
  ...USE_KINDS.slice(0, USE_STEPS),
  { key: 'none', name: 'not judged', look: 'hollow' },
];

/** The kinds of a map, and how a host's value leads to one of them. */
interface Kinds {
  readonly kinds: readonly CellKind[];
  readonly kindOf: (host: MapHost) => number;
}

/** One kind for hosts with room, and one for each of the most frequent reasons. */
function flavorKinds(name: string, { hosts, reasons }: Pick<MapReport, 'hosts' | 'reasons'>): Kinds {
  const counts = reasons.map(() => 0);
  for (const host of hosts) if (host[5] !== 1) counts[placeOf(host)] = (counts[placeOf(host)] ?? 0) + 1;
  const shown = reasons
    .map((_, place) => place)
    .sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0))
    .slice(0, REASONS_SHOWN);
  const kinds: CellKind[] = [
    { key: 'yes', name: `has room for ${name}`, look: 'has' },
    ...shown.map((place, at): CellKind => {
      const reason = reasons[place] as Reason;
      return { key: `${reason.kind}:${reason.name}`, name: reasonText(reason), look: lookOfReason(reason, at) };
    }),
    { key: 'no', name: 'no room for another reason', look: 'hollow' },
  ];
  const kindOf = (host: MapHost): number => {
    if (host[5] === 1) return 0;
    const at = shown.indexOf(placeOf(host));
    return at === -1 ? kinds.length - 1 : at + 1;
  };
  return { kinds, kindOf };
}

/** Position of the host's reason in the report. */
const placeOf = (host: MapHost): number => -(host[5] ?? 0);

const reasonText = ({ kind, name, sentence }: Reason): string =>
  kind === 'status' ? STATUS_NAMES[name as HostStatus] : readable(sentence);

const lookOfReason = ({ kind, name }: Reason, at: number): Look =>
  kind === 'status' ? (name as HostStatus) : `reason ${at}`;

function kindsOf({ kind, name }: Subject, report: MapReport): Kinds {
  const kindOf = (host: MapHost): number => cellKindOf({ kind, name }, host, report.statuses);
  if (kind === 'flavor') return flavorKinds(name, report);
  return { kinds: fixedKinds({ kind, name }, report.statuses), kindOf };
}

function fixedKinds({ kind, name }: Subject, statuses: readonly HostStatus[]): readonly CellKind[] {
  switch (kind) {
    case 'stranded':
      return STRANDED_KINDS;
    case 'flavor':
    case 'use':
      return [...USE_KINDS, ...UNUSABLE.map(statusKind)];
    case 'trait':
      return [
        { key: 'yes', name: `has ${name}`, look: 'has' },
        { key: 'no', name: 'has not', look: 'hollow' },
      ];
    case 'status':
      return statuses.map(statusKind);
  }
}

/** The kind of a host, as an index into the kinds of the subject. */
function cellKindOf({ kind }: Subject, host: MapHost, statuses: readonly HostStatus[]): number {
  const value = host[5];
  if (kind === 'status') return host[4];
  if (kind === 'trait') return value === 1 ? 0 : 1;
  if (value === null) return kind === 'use' ? USE_STEPS + 1 : USE_STEPS;
  if (value > 1 && kind === 'use') return USE_STEPS;
  const unusable = UNUSABLE.findIndex((status) => status === statuses[host[4]]);
  if (unusable !== -1 && kind === 'use') return USE_KINDS.length + unusable;
  return Math.min(USE_STEPS - 1, Math.max(0, Math.floor(value * USE_STEPS)));
}

export interface Shades {
  readonly kinds: readonly CellKind[];
  /** The kind of each host. */
  readonly of: Uint8Array;
  /** The number of cells of each kind. */
  readonly counts: readonly number[];
  /** The same without the shared pools, which are not hosts. */
  readonly hosts: readonly number[];
}

export function kindsIn(subject: Subject, report: MapReport): Shades {
  const { hosts } = report;
  const { kinds, kindOf } = kindsOf(subject, report);
  const counts = kinds.map(() => 0);
  const pools = kinds.map(() => 0);
  const of = Uint8Array.from(hosts, (host) => {
    const kind = kindOf(host);
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (report.statuses[host[4]] === 'sharing') pools[kind] = (pools[kind] ?? 0) + 1;
    return kind;
  });
  return { kinds, of, counts, hosts: counts.map((count, kind) => count - (pools[kind] ?? 0)) };
}

/** Phrase for one host. */
export function phraseOf(
  { kind, name }: Subject,
  host: MapHost,
  { reasons }: Pick<MapReport, 'reasons'>,
): string | undefined {
  const value = host[5];
  switch (kind) {
    case 'use':
      if (value === null) return `has no ${name}`;
      return value > 1 ? `${name} over-full: ${shareText(value)}` : `${shareText(value)} of ${name} used`;
    case 'trait':
      return value === 1 ? `has ${name}` : `has not ${name}`;
    case 'flavor':
      if (value === 1) return `has room for ${name}`;
      return `no room for ${name}: ${reasonTextAt(reasons, host)}`;
    case 'stranded':
      return value === null ? `${name} not judged` : `${shareText(value)} of ${name} stranded`;
    case 'status':
      return undefined;
  }
}

function reasonTextAt(reasons: readonly Reason[], host: MapHost): string {
  const reason = reasons[placeOf(host)];
  return reason === undefined ? 'the reason is unknown' : reasonText(reason);
}

/** Sentence for all hosts. */
export function sentenceOf({ kind, name }: Subject, { kinds, counts, hosts }: Shades): string {
  const counted = (key: string): number => hosts[kinds.findIndex((each) => each.key === key)] ?? 0;
  const all = hosts.reduce((sum, each) => sum + each, 0);
  switch (kind) {
    case 'use': {
      const full = counted('over-full');
      const unusable = UNUSABLE.reduce((sum, status) => sum + counted(status), 0);
      const more = [
        ...(full === 0 ? [] : [`over-full on ${countText(full)}`]),
        ...(unusable === 0 ? [] : [`${countText(unusable)} disabled or down`]),
      ];
      return [sharedBy(all - counted('none'), all, name), ...more].join(', ');
    }
    case 'trait':
      return sharedBy(counted('yes'), all, name);
    case 'flavor':
      return sharedBy(counted('yes'), all, `room for ${name} now`);
    case 'stranded':
      return sharedBy(all - counted('none') - counted('0'), all, `more than 10 % of their ${name} stranded`);
    case 'status':
      return kinds.flatMap(({ name: status }, index) => hostsText(counts[index] ?? 0, status)).join(', ');
  }
}

const sharedBy = (count: number, all: number, what: string): string =>
  `${countText(count)} of ${countOf(all, 'host')} ${count === 1 ? 'has' : 'have'} ${what}`;

const hostsText = (count: number, what: string): readonly string[] =>
  count === 0 ? [] : [`${countText(count)} ${what}`];
