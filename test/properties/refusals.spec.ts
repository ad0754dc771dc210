// Refusals on random small clouds: the counts equal a count by brute force, the cause is minimal, each nearest host, repaired as
// named, is a candidate, and each change gives exactly the hosts that it names. BERTH_ROUNDS is the number of refusals,
// BERTH_SEED another seed; a failure names the cloud.
import type { RequestFix, ResourceRequest } from '../../src/placement/candidate-search';
import { findFixes, judgeHosts, refusalOf } from '../../src/placement/candidate-search';
import { runToCompletion } from '../../src/platform/values/task';
import { simulatedGraph } from '../../src/scheduler/simulate/simulated-graph';
import { decideDry, rootsWithCandidates } from './refusal-asked';
import type { ClaimCounts } from './refusal-claims';
import { RefusalJudge } from './refusal-claims';
import type { Provider, RefusalCase } from './refusal-worlds';
import { drawRefusalCase } from './refusal-worlds';

const ROUNDS = Number(process.env['BERTH_ROUNDS'] ?? 2_000);
const SEED = Number(process.env['BERTH_SEED'] ?? 1);
const SENTENCE_MAX = 240;

jest.setTimeout(36_000_000);

const graphOf = (providers: readonly Provider[]) =>
  simulatedGraph(providers, { aggregates: new Map(), traits: new Map() });

/** Law: a host fails something exactly if it has no candidate. */
function faultsOfVerdicts({ document }: RefusalCase, request: ResourceRequest): readonly string[] {
  const fitting = rootsWithCandidates(document, request);
  return runToCompletion(judgeHosts(graphOf(document.providers ?? []), request)).flatMap(({ root, failures }) =>
    fitting.has(root.uuid) === (failures.length === 0)
      ? []
      : [`${root.name}: ${failures.map(({ code }) => code).join()}`],
  );
}

/** The roots that have a candidate after the change. */
function after(fix: RequestFix, providers: readonly Provider[], request: ResourceRequest): ReadonlySet<string> {
  const { kind, conditions, amount } = fix;
  const [condition] = conditions;
  const [name = ''] = condition?.names ?? [];
  if (kind === 'without') {
    const parts = conditions.flatMap((each) => each.parts);
    return rootsWithCandidates(
      { providers },
      parts.reduce((from, part) => part.without(from), request),
    );
  }
  if (kind === 'amount') {
    const groups = request.groups.map((group) =>
      condition?.groups.includes(group.suffix) === true
        ? { ...group, resources: new Map([...group.resources, [name, amount ?? 0]]) }
        : group,
    );
    return rootsWithCandidates({ providers }, { ...request, groups });
  }
  const gaining = providers.filter(({ uuid, parent_uuid: parent }) => {
    if (parent !== undefined && parent !== null) return false;
    const changed = providers.map((each) =>
      each.uuid === uuid ? { ...each, traits: [...(each.traits ?? []), name] } : each,
    );
    return rootsWithCandidates({ providers: changed }, request).has(uuid);
  });
  return new Set(gaining.map(({ uuid }) => uuid));
}

function faultsOfFixes({ document }: RefusalCase, request: ResourceRequest, kinds: Record<string, number>): string[] {
  const providers = document.providers ?? [];
  const graph = graphOf(providers);
  const before = rootsWithCandidates({ providers }, request);
  const hosts = runToCompletion(judgeHosts(graph, request)).filter(({ failures }) => failures.length > 0);
  const { cause } = runToCompletion(refusalOf(hosts));
  const judged = new Set(hosts.map(({ root }) => root.uuid));
  return runToCompletion(findFixes(graph, request, { hosts, cause })).flatMap((fix) => {
    kinds[fix.kind] = (kinds[fix.kind] ?? 0) + 1;
    const gained = [...after(fix, providers, request)].filter((uuid) => !before.has(uuid) && judged.has(uuid));
    const named = fix.roots.map(({ uuid }) => uuid);
    if (gained.sort().join() === named.sort().join()) return [];
    return [
      `${fix.kind} ${fix.conditions.map(({ names }) => names.join()).join(' and ')}: ${gained.join()}, not ${named.join()}`,
    ];
  });
}

it(`${ROUNDS} refusals are true, seed ${SEED}`, async () => {
  const counts: ClaimCounts = {
    resource: 0,
    sum: 0,
    split: 0,
    never: 0,
    trait: 0,
    together: 0,
    filter: 0,
    one: 0,
    several: 0,
    near: 0,
    only: 0,
  };
  const kinds: Record<string, number> = { without: 0, amount: 0, trait: 0 };
  const wrong: object[] = [];
  let refusals = 0;
  for (let at = 0; refusals < ROUNDS && at < 20 * ROUNDS; at += 1) {
    const drawn = drawRefusalCase(SEED + at * 7919);
    const { decision, request } = await decideDry(drawn);
    const { refusal, sentence } = decision.summary;
    if (request === null || decision.outcome !== 'no_valid_host' || refusal === null || refusal.hosts === 0) continue;
    refusals += 1;
    const faults = [
      ...faultsOfVerdicts(drawn, request),
      ...new RefusalJudge(drawn.document, request, decision, counts).faults(),
      ...faultsOfFixes(drawn, request, kinds),
      ...(sentence.length > SENTENCE_MAX ? ['the sentence is too long'] : []),
    ];
    if (refusal.only !== null) counts.only += 1;
    if (at % 50 === 0 && (await decideDry(drawn)).decision.summary.sentence !== sentence)
      faults.push('another sentence');
    if (faults.length > 0) wrong.push({ seed: drawn.seed, sentence, faults, document: JSON.stringify(drawn.document) });
  }
  expect({ wrong: wrong.slice(0, 3), refusals }).toEqual({ wrong: [], refusals: ROUNDS });
  // Coverage: every kind of statement must occur.
  expect(Object.entries({ ...counts, ...kinds }).filter(([, count]) => count < ROUNDS / 1000)).toEqual([]);
});
