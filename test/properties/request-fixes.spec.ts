// Changes that an explanation offers, on random small clouds: each is applied, and the hosts that gain a candidate are
// counted again. BERTH_ROUNDS is the number of clouds, BERTH_SEED repeats a run; a failure names the cloud.
import type { ConditionReport, ResourceRequest } from '../../src/placement/candidate-search';
import { reportConditions } from '../../src/placement/candidate-search';
import { runToCompletion } from '../../src/platform/values/task';
import { simulatedGraph } from '../../src/scheduler/simulate/simulated-graph';
import { decideDry, rootsWithCandidates } from './refusal-asked';
import type { Provider } from './refusal-worlds';
import { drawRefusalCase } from './refusal-worlds';

const ROUNDS = Number(process.env['BERTH_ROUNDS'] ?? 400);
const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

jest.setTimeout(3_700_000);

/** The roots that have a candidate after the change. */
function after(
  { kind, conditions, amount }: ConditionReport['fixes'][number],
  providers: readonly Provider[],
  request: ResourceRequest,
): ReadonlySet<string> {
  const [condition] = conditions;
  const [name = ''] = condition?.names ?? [];
  if (kind === 'without')
    return rootsWithCandidates(
      { providers },
      conditions.reduce((from, each) => each.without(from), request),
    );
  if (kind === 'amount') {
    const groups = request.groups.map((group) =>
      group.suffix === condition?.group
        ? { ...group, resources: new Map([...group.resources, [name, amount ?? 0]]) }
        : group,
    );
    return rootsWithCandidates({ providers }, { ...request, groups });
  }
  const roots = providers.filter(({ parent_uuid: parent }) => parent === undefined || parent === null);
  const gaining = roots.filter(({ uuid }) => {
    const changed = providers.map((each) =>
      each.uuid === uuid ? { ...each, traits: [...(each.traits ?? []), name] } : each,
    );
    return rootsWithCandidates({ providers: changed }, request).has(uuid);
  });
  return new Set(gaining.map(({ uuid }) => uuid));
}

it(`each offered change gives exactly the hosts that it names a candidate, in ${ROUNDS} clouds, seed ${SEED}`, async () => {
  const counts = { without: 0, amount: 0, trait: 0, several: 0 };
  const wrong: object[] = [];
  for (let at = 0, clouds = 0; clouds < ROUNDS; at += 1) {
    const drawn = drawRefusalCase(SEED + at * 7919);
    const providers = drawn.document.providers ?? [];
    const { request } = await decideDry(drawn);
    if (request === null) continue;
    clouds += 1;
    const graph = simulatedGraph(providers, { aggregates: new Map(), traits: new Map() });
    const before = rootsWithCandidates({ providers }, request);
    for (const fix of runToCompletion(reportConditions(graph, request)).fixes) {
      counts[fix.kind] += 1;
      if (fix.conditions.length > 1) counts.several += 1;
      const gained = [...after(fix, providers, request)].filter((uuid) => !before.has(uuid)).sort();
      const named = fix.roots.map(({ uuid }) => uuid).sort();
      if (JSON.stringify(gained) === JSON.stringify(named)) continue;
      const { kind, conditions, amount } = fix;
      wrong.push({ seed: drawn.seed, kind, conditions: conditions.map(({ text }) => text), amount, named, gained });
    }
  }
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(Object.entries(counts).filter(([, count]) => count < ROUNDS / 100)).toEqual([]);
});
