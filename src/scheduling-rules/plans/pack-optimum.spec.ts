// How many hosts a packing empties, against the exact optimum of a mixed integer program, which knows no order of moves.
import { env } from 'node:process';
import highsLoader from 'highs';
import { seededRandom } from '../../platform/values/random';
import { endOf } from './judge.fixture';
import { classesOf, type Model, modelCloud } from './plan-cloud.fixture';
import { plan } from './planner';
import { randomModel } from './random-model.fixture';

const ROUNDS = Number(env['BERTH_ROUNDS'] ?? 8);

/** The fewest used hosts: instances to hosts within amounts, traits, zones and groups that are kept apart. */
function programOf(model: Model): string {
  const hosts = [...model.hosts.keys()];
  const instances = [...model.instances.keys()];
  const x = (instance: number, host: number): string => `x_${instance}_${host}`;
  const rows: string[] = [];
  const fixed: string[] = [];
  for (const at of instances) {
    const each = model.instances[at] as Model['instances'][number];
    rows.push(`${hosts.map((host) => x(at, host)).join(' + ')} = 1`);
    const start = model.hosts.findIndex(({ name }) => name === each.host);
    const isStuck = each.fixed !== undefined || (each.group !== undefined && model.groups?.[each.group] === 'affinity');
    for (const host of hosts) {
      const of = model.hosts[host] as Model['hosts'][number];
      const isRefused =
        of.closed !== undefined ||
        (each.zone !== undefined && each.zone !== of.zone) ||
        !(each.traits ?? []).every((trait) => of.traits?.includes(trait));
      if (host !== start && (isRefused || isStuck)) fixed.push(`${x(at, host)} = 0`);
      rows.push(`y_${host} - ${x(at, host)} >= 0`);
    }
  }
  for (const host of hosts) {
    for (const resource of classesOf(model)) {
      const terms = instances.map((at) => `${model.instances[at]?.amounts[resource] ?? 0} ${x(at, host)}`);
      rows.push(`${terms.join(' + ')} <= ${model.hosts[host]?.capacity[resource] ?? 0}`);
    }
    for (const [group, policy] of Object.entries(model.groups ?? {})) {
      const members = instances.filter((at) => model.instances[at]?.group === group);
      if (policy === 'anti-affinity' && members.length > 1) {
        rows.push(`${members.map((at) => x(at, host)).join(' + ')} <= 1`);
      }
    }
  }
  const binaries = hosts.flatMap((host) => [`y_${host}`, ...instances.map((at) => x(at, host))]);
  return [
    'Minimize',
    ` obj: ${hosts.map((host) => `y_${host}`).join(' + ')}`,
    'Subject To',
    ...rows.map((row, at) => ` r${at}: ${row}`),
    'Bounds',
    ...fixed.map((row) => ` ${row}`),
    'Binary',
    ` ${binaries.join(' ')}`,
    'End',
  ].join('\n');
}

it('empties nearly as many hosts as the exact optimum, and never more', async () => {
  const highs = await highsLoader();
  let [optimum, emptied] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    const model = randomModel(seededRandom(1_000 + round), 10, 14);
    const ask = {
      goal: { kind: 'pack', flavor: null },
      staying: new Set<number>(),
      untouched: new Set<number>(),
      maxMoves: null,
      maxMovesPerHost: 2,
      minGain: 0,
      seed: 1,
    } as const;
    const answer = await plan(modelCloud(model), ask, { isTimeUp: () => false, pause: () => Promise.resolve() });
    const best = model.hosts.length - Math.round(highs.solve(programOf(model)).ObjectiveValue);
    const found = model.hosts.length - new Set(endOf(model, answer)).size;
    expect([round, found <= best]).toEqual([round, true]);
    optimum += best;
    emptied += found;
  }
  expect(emptied).toBeGreaterThanOrEqual(0.8 * optimum);
});
