// Refusals of batches on random small clouds: how many instances fit, and which hosts the earlier ones filled.
// BERTH_ROUNDS is the number of refusals, BERTH_SEED repeats a run; a failure names the cloud.
import type { SimulationDto } from '../../src/scheduler/simulate/simulation.schema';
import { decideDry, rootsWithCandidates } from './refusal-asked';
import type { RefusalCase } from './refusal-worlds';
import { drawRefusalCase } from './refusal-worlds';

const ROUNDS = Number(process.env['BERTH_ROUNDS'] ?? 400);
const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const BATCH = 6;

jest.setTimeout(3_700_000);

const withCount = ({ document, seed }: RefusalCase, count: number): RefusalCase => ({
  seed,
  document: { ...document, request: { ...document.request, num_instances: count, min_count: count } },
});

/** The cloud after the claims of a placed batch. */
function afterClaims(document: SimulationDto, { placements }: Awaited<ReturnType<typeof decideDry>>): SimulationDto {
  const used = new Map(document.providers?.map((each) => [each.uuid, { ...each.used }]));
  for (const { selected } of placements) {
    for (const [uuid, { resources }] of Object.entries(selected?.candidate.allocations ?? {})) {
      const of = used.get(uuid) ?? {};
      for (const [name, amount] of Object.entries(resources)) of[name] = (of[name] ?? 0) + amount;
    }
  }
  return {
    ...document,
    providers: (document.providers ?? []).map((each) => ({ ...each, used: used.get(each.uuid) ?? {} })),
  };
}

it(`${ROUNDS} refusals of batches are true, seed ${SEED}`, async () => {
  const wrong: object[] = [];
  let [refusals, taken] = [0, 0];
  for (let at = 0; refusals < ROUNDS && at < 20 * ROUNDS; at += 1) {
    const drawn = drawRefusalCase(SEED + at * 7919);
    const { decision, request } = await decideDry(withCount(drawn, BATCH));
    const { sentence } = decision.summary;
    const [, fit] = /^(\d+) of 6 instances fits?/.exec(sentence) ?? [];
    if (request === null || fit === undefined) continue;
    refusals += 1;
    const faults: string[] = [];
    // The same seed draws the same hosts.
    const placed = await decideDry(withCount(drawn, Number(fit)));
    if (placed.refusal !== null) faults.push(`${fit} do not fit`);
    const after = afterClaims(drawn.document, placed);
    const before = rootsWithCandidates(drawn.document, request);
    const left = rootsWithCandidates(after, request);
    const claimed = decision.summary.refusal?.counts.find(({ condition }) => condition.kind === 'claim');
    if (claimed !== undefined) {
      taken += 1;
      const filled = [...before].filter((uuid) => !left.has(uuid)).length;
      if (filled < claimed.figures.hosts) faults.push(`${filled} hosts are filled, not ${claimed.figures.hosts}`);
    }
    if (faults.length > 0) wrong.push({ seed: drawn.seed, sentence, faults, document: JSON.stringify(drawn.document) });
  }
  expect({ wrong: wrong.slice(0, 3), refusals }).toEqual({ wrong: [], refusals: ROUNDS });
  expect(taken).toBeGreaterThan(ROUNDS / 10);
});
