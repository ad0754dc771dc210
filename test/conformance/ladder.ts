// Ladders: the order of validation of one route. The request starts with every fault of the route; each rung removes
// the reported fault, until the request is valid. This asserts every status and the order of validation, in every era
// of the route.
import { join } from 'node:path';
import type { ApiVersion } from '../../src/platform/microversion/api-version';
import type { Feature } from '../../src/platform/microversion/api-version';
import type { Caller, Given, Step } from './case-file';
import { readYaml } from './case-file';
import type { Era, RouteContract } from './contract';
import { erasOf } from './contract';

/** Parts of a request; a fault replaces some. */
interface Parts {
  readonly path?: string;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly as?: Caller;
}

interface Window {
  readonly from?: Feature;
  readonly until?: Feature;
}

interface Fault extends Parts, Window {
  readonly status: number;
  readonly code?: string;
  readonly detail?: string;
}

interface Good extends Parts, Window {
  readonly status: number;
  readonly sees?: Step['sees'];
  readonly shows?: Step['shows'];
}

/** 415, 406 and 403 by number; `since` for the version check of the route; other faults explicitly. */
type Rung = 415 | 406 | 403 | 'since' | Fault;

export interface Ladder {
  readonly route: string;
  /** Statuses that the route's declarations suggest but the contract excludes, with the reason. */
  readonly never?: readonly (Window & { readonly status: number; readonly because: string })[];
  /** Features that change answers or effects without a router declaration. */
  readonly features?: readonly Feature[];
  readonly since?: Feature;
  /** The status below `since`; default: 404. */
  readonly below?: 404 | 405;
  readonly given?: readonly Given[];
  readonly good: Good | readonly Good[];
  readonly chain: readonly Rung[];
}

interface PathContract {
  readonly path: string;
  readonly sample: string;
  /** The exact `Allow` header. */
  readonly allow: string;
}

interface RoutesFile {
  readonly paths: readonly PathContract[];
  readonly ladders: readonly Ladder[];
}

export const ROUTES = readYaml(join(__dirname, 'routes.yaml')) as RoutesFile;

/** Features that change the answers of all routes. */
const EVERYWHERE: readonly Feature[] = ['errorCodes'];

export function ladderEras(ladder: Ladder, contract: RouteContract): readonly Era[] {
  return erasOf([...contract.features, ...(ladder.features ?? []), ...EVERYWHERE]);
}

export const holds = (window: Window, api: ApiVersion): boolean =>
  (window.from === undefined || api.has(window.from)) && (window.until === undefined || !api.has(window.until));

const STRANGER: Caller = { user: 'stranger', project: 'elsewhere', roles: ['member'] };

const BUILT_IN: Readonly<Record<'401' | '415' | '406' | '403' | 'length', Fault>> = {
  401: { status: 401, as: 'nobody' },
  length: { status: 400, detail: 'content-type', headers: { 'content-type': null } },
  415: { status: 415, headers: { 'content-type': 'text/plain' } },
  406: { status: 406, headers: { accept: 'text/plain' } },
  403: { status: 403, as: STRANGER },
};

/** The rungs of one era as steps, the valid request last. */
export function stepsOf(ladder: Ladder, api: ApiVersion): readonly Step[] {
  const method = ladder.route.split(' ')[0] ?? '';
  const good = [ladder.good].flat().find((each) => holds(each, api));
  const isBelow = ladder.since !== undefined && !api.has(ladder.since);
  const faults = faultsOf(ladder, api, isBelow);
  if (good === undefined && !isBelow) throw new Error(`${ladder.route} has no good request at ${api.text}`);
  const base: Good = good ?? [ladder.good].flat()[0] ?? { status: 200 };
  const steps = faults.map((fault, i) => stepOf(method, base, faults.slice(i), fault));
  if (isBelow) return [...steps, stepOf(method, base, [], { status: ladder.below ?? 404 })];
  return [...steps, { ...stepOf(method, base, [], { status: base.status }), ...effects(base) }];
}

const effects = ({ sees, shows }: Good): Partial<Step> => ({
  ...(sees !== undefined && { sees }),
  ...(shows !== undefined && { shows }),
});

function faultsOf(ladder: Ladder, api: ApiVersion, isBelow: boolean): readonly Fault[] {
  if (ladder.route === 'GET /') return [];
  const faults: Fault[] = [BUILT_IN[401], BUILT_IN.length];
  for (const rung of ladder.chain) {
    if (rung === 'since') {
      if (isBelow) break;
    } else if (typeof rung === 'number') faults.push(BUILT_IN[rung]);
    else if (holds(rung, api)) faults.push(rung);
  }
  return faults;
}

/** The request with all the given faults, the first of them applied last. */
function stepOf(method: string, good: Good, faults: readonly Fault[], expected: Fault): Step {
  const parts = faults.reduceRight<Parts>((under, fault) => overlaid(under, fault), good);
  const { path = '', json, headers, as } = parts;
  // A body without a content type is refused for every method.
  const hasNoType = headers?.['content-type'] === null;
  return {
    do: `${method} ${path}`,
    status: expected.status,
    ...(json !== undefined && { json }),
    ...(json === undefined && hasNoType && { text: '{}' }),
    ...(headers !== undefined && { headers }),
    ...(as !== undefined && { as }),
    ...(expected.code !== undefined && { code: expected.code }),
    ...(expected.detail !== undefined && { detail: expected.detail }),
  };
}

function overlaid(under: Parts, fault: Parts): Parts {
  const { path = under.path, json = under.json, as = under.as } = fault;
  const headers = { ...under.headers, ...fault.headers };
  return { path: path ?? '', json, headers, ...(as !== undefined && { as }) };
}
