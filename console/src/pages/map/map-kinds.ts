// The kinds of cells of a map: every host has exactly one kind, and the legend lists them. Colour alone never carries
// the meaning: cells are filled or hollow, and problems have a mark.
import type { HostStatus, MapReport } from '../../service/reports';
import { countOf, countText, shareText } from '../../shown/amount';
import { countBy } from '../../shown/count-by';
import { readable } from '../../shown/readable';
import { STATUS_NAMES, STATUSES } from '../../shown/status-text';
import type { MapHost } from './map-groups';
import type { Subject, SubjectKind } from './map-subject';

export type CellMark = 'none' | 'cross' | 'bar' | 'slash' | 'dot' | 'ring';

export interface CellKind {
  /** The kind's name in addresses. */
  readonly key: string;
  readonly name: string;
  /** Key of its colours. */
  readonly look: Look;
}

export type Look = `use ${number}` | `reason ${number}` | 'over-full' | 'hollow' | 'has' | HostStatus;

export const isOfScale = ({ look }: CellKind): boolean => look.startsWith('use ');

type Reason = MapReport['reasons'][number];

/** Reasons with a colour of their own; hosts with further ones share one kind. */
const REASONS_SHOWN = 6;

export const USE_STEPS = 10;

const SCALE: readonly CellKind[] = Array.from({ length: USE_STEPS }, (_, step) => {
  const [from, to] = [step * USE_STEPS, (step + 1) * USE_STEPS];
  return { key: String(from), name: `${from} to ${to} %`, look: `use ${step}` };
});

const stepOf = (share: number): string =>
  String(USE_STEPS * Math.min(USE_STEPS - 1, Math.max(0, Math.floor(share * USE_STEPS))));

const hollow = (key: string, name: string): CellKind => ({ key, name, look: 'hollow' });

/** Statuses of hosts that accept nothing: what is free there is not to be had. */
const UNUSABLE: readonly HostStatus[] = ['disabled', 'down', 'silent'];

const statusKind = (status: HostStatus): CellKind => ({ key: status, name: STATUS_NAMES[status], look: status });

/** The number of hosts of a kind, without the shared pools, which are not hosts. */
type Counted = (key: string) => number;

/** The kinds of a map, and what the map says. */
interface Scheme {
  readonly kinds: readonly CellKind[];
  /** The key of the host's kind. */
  readonly keyOf: (host: MapHost) => string;
  /** What the cell of one host shows; absent if its status says all. */
  readonly phraseOf?: (host: MapHost) => string;
  /** One sentence for all hosts. */
  readonly sentenceOf: (counted: Counted, all: number) => string;
}

type SchemeOf = (name: string, report: MapReport) => Scheme;

const SCHEMES: Readonly<Record<SubjectKind, SchemeOf>> = {
  use: (name) => ({
    kinds: [
      ...SCALE,
      { key: 'over-full', name: 'over-full', look: 'over-full' },
      hollow('none', 'has none'),
      ...UNUSABLE.map(statusKind),
    ],
    keyOf: ({ share = null, status }) => {
      if (share === null) return 'none';
      if (share > 1) return 'over-full';
      return UNUSABLE.includes(status) ? status : stepOf(share);
    },
    phraseOf: ({ share = null }) => {
      if (share === null) return `has no ${name}`;
      return share > 1 ? `${name} over-full: ${shareText(share)}` : `${shareText(share)} of ${name} used`;
    },
    sentenceOf: (counted, all) => {
      const full = counted('over-full');
      const unusable = UNUSABLE.reduce((sum, status) => sum + counted(status), 0);
      return [
        sharedBy(all - counted('none'), all, name),
        ...(full === 0 ? [] : [`over-full on ${countText(full)}`]),
        ...(unusable === 0 ? [] : [`${countText(unusable)} disabled or down`]),
      ].join(', ');
    },
  }),
  stranded: (name) => ({
    kinds: [...SCALE, hollow('none', 'not judged')],
    keyOf: ({ share = null }) => (share === null ? 'none' : stepOf(share)),
    phraseOf: ({ share = null }) => (share === null ? `${name} not judged` : `${shareText(share)} of ${name} stranded`),
    sentenceOf: (counted, all) =>
      sharedBy(all - counted('none') - counted('0'), all, `more than 10 % of their ${name} stranded`),
  }),
  trait: (name) => ({
    kinds: [{ key: 'yes', name: `has ${name}`, look: 'has' }, hollow('no', 'has not')],
    keyOf: ({ has }) => (has === true ? 'yes' : 'no'),
    phraseOf: ({ has }) => `${has === true ? 'has' : 'has not'} ${name}`,
    sentenceOf: (counted, all) => sharedBy(counted('yes'), all, name),
  }),
  flavor: flavorScheme,
  status: () => ({
    kinds: STATUSES.map(statusKind),
    keyOf: ({ status }) => status,
    sentenceOf: (counted) =>
      STATUSES.filter((status) => counted(status) > 0)
        .map((status) => `${countText(counted(status))} ${STATUS_NAMES[status]}`)
        .join(', '),
  }),
};

/** One kind for hosts with room, and one for each of the most frequent reasons. */
function flavorScheme(name: string, { hosts, reasons }: MapReport): Scheme {
  const reasonOf = ({ reason }: MapHost): Reason | undefined => (reason === undefined ? undefined : reasons[reason]);
  const shown = [...countBy(hosts.map(reasonOf))]
    .flatMap(([reason, count]) => (reason === undefined ? [] : [{ reason, count }]))
    .sort((a, b) => b.count - a.count)
    .slice(0, REASONS_SHOWN)
    .map(({ reason }) => reason);
  return {
    kinds: [
      { key: 'yes', name: `has room for ${name}`, look: 'has' },
      ...shown.map((reason, at): CellKind => {
        const look = reason.kind === 'status' ? (reason.name as HostStatus) : (`reason ${at}` as const);
        return { key: keyOfReason(reason), name: reasonText(reason), look };
      }),
      hollow('no', 'no room for another reason'),
    ],
    keyOf: (host) => {
      const reason = reasonOf(host);
      if (host.fits === true) return 'yes';
      return reason !== undefined && shown.includes(reason) ? keyOfReason(reason) : 'no';
    },
    phraseOf: (host) => {
      const reason = reasonOf(host);
      if (host.fits === true) return `has room for ${name}`;
      return `no room for ${name}: ${reason === undefined ? 'the reason is unknown' : reasonText(reason)}`;
    },
    sentenceOf: (counted, all) => sharedBy(counted('yes'), all, `room for ${name} now`),
  };
}

const keyOfReason = ({ kind, name }: Reason): string => `${kind}:${name}`;

const reasonText = ({ kind, name, sentence }: Reason): string =>
  kind === 'status' ? STATUS_NAMES[name as HostStatus] : readable(sentence);

const sharedBy = (count: number, all: number, what: string): string =>
  `${countText(count)} of ${countOf(all, 'host')} ${count === 1 ? 'has' : 'have'} ${what}`;

export interface Shades {
  readonly kinds: readonly CellKind[];
  /** The key of the kind of each host. */
  readonly keys: readonly string[];
  /** Cells by the key of their kind. */
  readonly counts: ReadonlyMap<string, number>;
  readonly phraseOf: Scheme['phraseOf'];
  readonly sentence: string;
}

export function shadesOf({ kind, name }: Subject, report: MapReport): Shades {
  const { kinds, keyOf, phraseOf, sentenceOf } = SCHEMES[kind](name, report);
  const keys = report.hosts.map(keyOf);
  const counts = countBy(keys);
  const isCounted = (at: number): boolean => kind === 'status' || report.hosts[at]?.status !== 'sharing';
  const counted = keys.filter((_, at) => isCounted(at));
  const byKey = countBy(counted);
  const sentence = sentenceOf((key) => byKey.get(key) ?? 0, counted.length);
  return { kinds, keys, counts, phraseOf, sentence };
}
