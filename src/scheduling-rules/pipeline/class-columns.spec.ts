// Law: a pass over kept columns equals the driver that filters and weighs every host, after any changes of some of them.
import { seededRandom } from '../../platform/values/random';
import { runToCompletion } from '../../platform/values/task';
import { filterSchedulerDriver } from '../drivers/filter-scheduler.driver';
import { BUILT_IN_FILTERS } from '../filters';
import type { HostState } from '../host-state/host-state';
import { BUILT_IN_WEIGHERS } from '../weighers';
import { Asking } from './asking';
import { bind } from './bind';
import { ClassColumns } from './class-columns';
import { ClassHosts } from './class-hosts';
import type { DriverAnswer } from './define-driver';
import { driverTask } from './define-driver';
import { expectSame, hostState, requestSpec } from './pipeline.fixture';
import { rejectionsByCode } from './run-filters';

const HOSTS = Number(process.env['BERTH_HOSTS'] ?? 450);
const STEPS = Number(process.env['BERTH_STEPS'] ?? 120);
const SEED = Number(process.env['BERTH_SEED'] ?? 1);
/** Some sums of them are almost equal. */
const AMOUNTS = [1_024, 1_024, 1_024, 2_048, 2_048.000_000_1, 4_096];

/** With the parts of the weights of the first `most` hosts. */
const shown = ({ stages, order, weighers }: DriverAnswer, ranked: number, most: number): object => {
  const best = order.slice(0, 100);
  return {
    ranked,
    stages: stages.map((stage) => [stage.in, stage.out, rejectionsByCode(stage)]),
    order: best.map(({ state, weight }) => [state.uuid, weight]),
    weighers: weighers.map((weigher) => weigher.partsOf(best.slice(0, most).map(({ state }) => state))),
  };
};

describe.each([
  ['few values', (random: () => number) => AMOUNTS[Math.floor(random() * AMOUNTS.length)] as number],
  ['one value', () => 1_024],
  ['many values', (random: () => number) => Math.floor(random() * 100_000)],
])('kept columns of hosts with %s', (_, amountOf) => {
  it(
    'give the order of all hosts after random changes',
    () => {
      const random = seededRandom(SEED);
      const aggregates = [
        [],
        [{ uuid: 'a', name: 'a', metadata: { ram_weight_multiplier: '-2' } }],
      ] as HostState['aggregates'][];
      const kindOf = HOSTS > 0 ? Array.from({ length: HOSTS }, () => aggregates[random() < 0.8 ? 0 : 1]) : [];
      const filters = BUILT_IN_FILTERS.filter(({ name }) => name === 'NumInstancesFilter').map((part) =>
        bind(part, { filter_scheduler: { max_instances_per_host: 50 } }),
      );
      const weighers = BUILT_IN_WEIGHERS.map((part) => bind(part, {}));
      const question = { spec: requestSpec(), filters, weighers, env: { nowMs: 0, novaCompat: false }, index: 0 };
      const columns = new ClassColumns(weighers.length, new ClassHosts(), ({ service }) => service);
      const now = new Map<number, HostState>();
      const candidates = [{ rootUuid: 'r', allocations: {}, mappings: {} }];
      const set = (at: number): void => {
        const host = `${random() < 0.05 ? 'a' : 'h'}${(at * 7_919) % 1_000}`;
        const state = hostState({
          host,
          node: host,
          uuid: `u${at}`,
          freeRamMb: amountOf(random),
          numInstances: random() < 0.1 ? 60 : Math.floor(random() * 2),
          ...(kindOf[at] && { aggregates: kindOf[at] }),
          candidates,
        });
        now.set(at, state);
        columns.ask({ uuid: `u${at}`, name: host, state, candidates, expiresAtMs: Infinity }, new Asking(question));
      };
      for (let at = 0; at < HOSTS; at += 1) set(at);
      for (let step = 0; step < STEPS; step += 1) {
        for (let changes = 0; changes < 1 + (step % 3); changes += 1) {
          const at = Math.floor(random() * HOSTS);
          if (random() < 0.2) {
            columns.remove(`u${at}`);
            now.delete(at);
          } else set(at);
        }
        const selection = { hostSubsetSize: 1, shuffleBestSameWeighedHosts: false, random, alternates: 0 };
        const kept = columns.pass(new Asking(question), selection);
        const hosts = [...now].sort(([one], [other]) => one - other).map(([, state]) => state);
        const anew = runToCompletion(
          driverTask(filterSchedulerDriver, { ...question, hosts, mode: 'first', selection, random }),
        );
        const most = step % 10 === 0 ? 100 : 5;
        expectSame(kept && shown(kept, kept.ranked, most), shown(anew, anew.order.length, most));
      }
    },
    Math.max(60_000, STEPS * 50),
  );
});
