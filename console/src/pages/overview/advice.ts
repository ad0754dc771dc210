// Sorts advice by urgency and links its subjects to pages.
import { hostsNamedPath, pathTo } from '../../address/path-to';
import type { AdviceReport } from '../../service/reports';

export type Advice = AdviceReport['advice'][number];

const RANKS = ['error', 'warning', 'note'];

/** Stable sort: within a severity the service's order is kept. */
export const worstFirst = (advice: readonly Advice[]): readonly Advice[] =>
  [...advice].sort((a, b) => RANKS.indexOf(a.severity) - RANKS.indexOf(b.severity));

/** A key that does not depend on other advice. */
export const adviceKeyOf = ({ kind, subjects }: Advice): string =>
  [kind, ...subjects.slice(0, 1).map(({ id }) => id)].join('.');

/** The page of a subject; undefined if no page shows it. */
export function placeOf({ kind, id, name }: Advice['subjects'][number]): string | undefined {
  if (kind === 'provider') return `/hosts/${encodeURIComponent(id)}`;
  if (kind === 'host') return hostsNamedPath(name);
  const registry = REGISTRIES[kind];
  return registry === undefined ? undefined : pathTo(`/registries/${registry}`, { open: id });
}

const REGISTRIES: Readonly<Record<string, string>> = {
  host_aggregate: 'aggregates',
  server_group: 'groups',
  flavor: 'flavors',
};
