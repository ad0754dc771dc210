// Which statuses the contract demands of a route in an era: from the router's declarations, plus the conflicts that its
// ladder names. `scripts/conformance-cells.mjs` holds them against the cases that ran.
import { MICROVERSIONS } from '../../src/placement/microversions';
import type { ApiVersion } from '../../src/platform/microversion/api-version';
import type { Era, RouteContract } from './contract';
import { nameOf } from './contract';
import type { Ladder } from './ladder';
import { holds } from './ladder';

interface Demand {
  readonly route: string;
  /** First and last version, or the only one. */
  readonly era: string;
  readonly versions: readonly string[];
  /** Statuses; `2xx` for success. */
  readonly statuses: readonly string[];
  /** Statuses that must not occur at all. */
  readonly excluded: readonly string[];
}

export const versionsOf = ({ first, last }: Era): readonly string[] => {
  const all = MICROVERSIONS.all;
  return all.slice(all.indexOf(first), all.indexOf(last) + 1).map(({ text }) => text);
};

export const eraName = ({ first, last }: Era): string => (first === last ? first.text : `${first.text}-${last.text}`);

export function demandsOf(contract: RouteContract, ladder: Ladder, eras: readonly Era[]): readonly Demand[] {
  return eras.map((era) => ({
    route: nameOf(contract),
    era: eraName(era),
    versions: versionsOf(era),
    statuses: [...new Set(statusesOf(contract, ladder, era.first))].sort(),
    excluded: isBelow(contract, era.first) ? [] : excludedOf(ladder, era.first),
  }));
}

function statusesOf(contract: RouteContract, ladder: Ladder, api: ApiVersion): readonly string[] {
  const { since, takesJson, answersJson, policy, hasInput, path } = contract;
  const takesBody = takesJson !== undefined && (takesJson.until === undefined || !api.has(takesJson.until));
  const types = [...(takesBody ? ['415'] : []), ...(answersJson ? ['406'] : [])];
  const guarded = policy === undefined ? [] : ['401'];
  if (since !== undefined && isBelow(contract, api)) {
    return [...guarded, String(since.status), ...(since.order === 'after-content-type' ? types : [])];
  }
  const excluded = excludedOf(ladder, api);
  const namesEntity = path.includes('{') && !excluded.includes('404');
  const chain = ladder.chain.flatMap((rung) =>
    typeof rung === 'object' && holds(rung, api) ? [String(rung.status)] : [],
  );
  return [
    '2xx',
    ...guarded,
    ...(policy === undefined ? [] : ['403']),
    ...types,
    ...(namesEntity ? ['404'] : []),
    ...(hasInput ? ['400'] : []),
    ...chain,
  ];
}

/** The route does not exist yet. */
const isBelow = ({ since }: RouteContract, api: ApiVersion): boolean => since !== undefined && !api.has(since.feature);

const excludedOf = (ladder: Ladder, api: ApiVersion): readonly string[] =>
  (ladder.never ?? []).filter((each) => holds(each, api)).map(({ status }) => String(status));
