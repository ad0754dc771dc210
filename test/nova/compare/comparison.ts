// Asks nova's scheduler and Berth the same requests on the same rows, one after the other, and undoes their claims.
import { randomUUID } from 'node:crypto';
import { ALL_POWERFUL } from '../../support/service';
import type { Answer } from '../conductor';
import { ComparedCloud } from './compared-cloud';
import { Dice } from './dice';
import { KNOWN_DIFFERENCES } from './kinds';
import { claim, release } from './placement-report';
import type { ReferenceAnswer } from './reference';
import type { ComparedRequest } from './requests';
import { generateRequest } from './requests';
import type { Verdict } from './verdict';
import { verdictOf } from './verdict';
import { generateWorld } from './world';

const HOSTS = 40;
const INSTANCES = 80;
/** Names of a request that a difference shows. */
const SHOWN_HOSTS = 8;

export interface ComparedCase extends Verdict {
  readonly kind: string;
  /** The allocations that the calls left behind differ. */
  readonly claims: string;
  readonly request: ComparedRequest;
  readonly nova: ReferenceAnswer;
  /** Reasons of Berth for the hosts that it rejected; only of differences. */
  readonly decision: unknown;
}

export async function compare(seed: number, requests: number, only?: ReadonlySet<string>): Promise<ComparedCase[]> {
  const dice = new Dice(seed);
  const world = generateWorld(dice, HOSTS, INSTANCES);
  const all = Array.from({ length: requests }, (_, at) => generateRequest({ dice, world }, at));
  const cloud = await ComparedCloud.start(world);
  try {
    const cases: ComparedCase[] = [];
    for (const request of all) {
      if (only === undefined || only.has(request.kind)) cases.push(await compareOne(cloud, withCells(request, cloud)));
    }
    return cases;
  } finally {
    await cloud.stop();
  }
}

/** The generated destination names the cell by its place. */
function withCells(request: ComparedRequest, { cells }: ComparedCloud): ComparedRequest {
  const { destination } = request;
  if (destination?.['cell'] === undefined) return request;
  return { ...request, destination: { ...destination, cell: cells[destination['cell'] as number] } };
}

async function compareOne(cloud: ComparedCloud, request: ComparedRequest): Promise<ComparedCase> {
  const nova = await cloud.reference.select(request);
  const novaClaims = await takeClaims(cloud, request);
  const requestId = `req-${randomUUID()}`;
  const { instances, return_alternates } = request;
  const berth: Answer = await cloud.conductor.select(
    { spec_obj: nova.sent, instance_uuids: instances, return_alternates },
    { requestId },
  );
  const berthClaims = await takeClaims(cloud, request);
  const verdict = verdictOf(request, nova, berth);
  const isOtherClaim = verdict.outcome === 'same' && novaClaims !== berthClaims;
  const claims = isOtherClaim ? `claims: nova: ${novaClaims}; Berth: ${berthClaims}` : '';
  const isDifferent = isOtherClaim || verdict.outcome === 'different';
  const outcome = !isDifferent ? verdict.outcome : KNOWN_DIFFERENCES.has(request.kind) ? 'known' : 'different';
  const decision = isDifferent ? await decisionOf(cloud, requestId) : null;
  return { ...verdict, outcome, kind: request.kind, claims, request, nova, decision };
}

/** The allocations of the request's instances as a text; then they are again as before the call. */
async function takeClaims({ berth }: ComparedCloud, { instances, moved }: ComparedRequest): Promise<string> {
  const texts: string[] = [];
  for (const uuid of instances) {
    const { json } = await berth.request({ path: `/allocations/${uuid}` });
    const entries = Object.entries(json.allocations as Record<string, { readonly resources: object }>);
    const claims = entries.map(
      ([provider, { resources }]) => `${provider} ${JSON.stringify(Object.entries(resources).sort())}`,
    );
    texts.push(claims.sort().join(', '));
    await release(berth, uuid);
    if (moved !== undefined) await claim(berth, moved);
  }
  return texts.join('; ');
}

async function decisionOf({ berth }: ComparedCloud, requestId: string): Promise<unknown> {
  for (let tries = 0; tries < 20; tries += 1) {
    const { status, json } = await berth.request({ path: `/scheduler/decisions/${requestId}`, headers: ALL_POWERFUL });
    if (status === 200) return json;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  return null;
}

/** One line for each kind, and a sum. */
export function tableOf(cases: readonly ComparedCase[]): string {
  const kinds = [...new Set(cases.map(({ kind }) => kind))];
  const line = (name: string, of: readonly ComparedCase[]): string =>
    [
      name.padEnd(14),
      of.length,
      of.filter(({ outcome }) => outcome === 'same').length,
      of.filter(({ outcome }) => outcome === 'tie').length,
      of.filter(({ outcome }) => outcome === 'known').length,
      of.filter(({ outcome }) => outcome === 'different').length,
      of.filter(({ isRefusal }) => isRefusal).length,
      of.filter(({ isUnique, isRefusal }) => isUnique && !isRefusal).length,
      new Set(of.flatMap(({ chosen }) => chosen)).size,
    ]
      .map((cell) => (typeof cell === 'number' ? String(cell).padStart(10) : cell))
      .join('');
  const head = [
    'kind'.padEnd(14),
    ...['requests', 'same', 'tie', 'known', 'different', 'refusals', 'one best', 'hosts'].map((each) =>
      each.padStart(10),
    ),
  ];
  const known = [...KNOWN_DIFFERENCES].map(([kind, why]) => `known difference of ${kind}: ${why}`);
  return [
    head.join(''),
    ...kinds.map((kind) =>
      line(
        kind,
        cases.filter((each) => each.kind === kind),
      ),
    ),
    line('all', cases),
    ...known,
    '',
  ].join('\n');
}

/** A difference with the request, the weights of nova, and the reasons of Berth. */
export function shown({ kind, why, claims, request, nova, decision }: ComparedCase): string {
  const { instances, kind: _kind, return_alternates: _alternates, ...parts } = request;
  const weights = nova.passes.map((hosts) =>
    hosts
      .slice(0, SHOWN_HOSTS)
      .map(([host, weight]) => `${host} ${weight}`)
      .join(', '),
  );
  return [
    `${kind}: ${why}${claims}`,
    `  request: ${JSON.stringify(parts)} × ${instances.length}`,
    ...weights.map((line, at) => `  weights of nova, pass ${at}: ${line}`),
    ...weightsOfBerth(decision),
    `  rejected by Berth: ${JSON.stringify((decision as any)?.summary?.rejected ?? null)}`,
  ].join('\n');
}

const weightsOfBerth = (decision: any): string[] =>
  (decision?.passes ?? []).map(({ ranking }: any, at: number) => {
    const hosts = (ranking ?? []).slice(0, SHOWN_HOSTS).map(({ host, weight }: any) => `${host} ${weight}`);
    return `  weights of Berth, pass ${at}: ${hosts.join(', ')}`;
  });
