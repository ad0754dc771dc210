// The worked examples of nova's manual, through the pipeline with every built-in weigher.

import { runToCompletion } from '../../platform/values/task';
import type { HostState } from '../host-state/host-state';
import { bind } from '../pipeline/bind';
import type { ConfiguredValues } from '../pipeline/options';
import { hostInAggregates, hostState, requestSpec, TEST_ENVIRONMENT } from '../pipeline/pipeline.fixture';
import { weigherTask } from '../pipeline/run-weighers';
import type { RequestSpec } from '../request-spec/request-spec';
import { BUILT_IN_WEIGHERS } from './index';

interface Weighed {
  /** Total weights by host. */
  readonly totals: Readonly<Record<string, number>>;
  readonly order: readonly string[];
}

function weigh(hosts: readonly HostState[], values: ConfiguredValues = {}, spec: Partial<RequestSpec> = {}): Weighed {
  const bound = BUILT_IN_WEIGHERS.map((weigher) => bind(weigher, values));
  const { ranking } = runToCompletion(weigherTask(bound, hosts, requestSpec(spec), TEST_ENVIRONMENT));
  return {
    totals: Object.fromEntries(ranking.map(({ state, weight }) => [state.host, weight])),
    order: ranking.map(({ state }) => state.host),
  };
}

function expectTotals({ totals }: Weighed, expected: Readonly<Record<string, number>>): void {
  expect(Object.keys(totals).sort()).toEqual(Object.keys(expected).sort());
  for (const [host, weight] of Object.entries(expected))
    expect([host, totals[host]]).toEqual([host, expect.closeTo(weight, 9)]);
}

const host = (name: string, given: Partial<HostState>): HostState =>
  hostState({ host: name, cpuAllocationRatio: 4, ...given });
const A = host('A', { freeRamMb: 4096, vcpusTotal: 8, vcpusUsed: 2, freeDiskMb: 102400 });
const B = host('B', { freeRamMb: 2048, vcpusTotal: 8, vcpusUsed: 0, freeDiskMb: 51200, numIoOps: 2 });
const C = host('C', { freeRamMb: -100, vcpusTotal: 4, vcpusUsed: 20, freeDiskMb: 102400, numIoOps: 4 });
const RAM = 'ram_weight_multiplier';
const only = (multiplier: string, value: number): ConfiguredValues => ({
  filter_scheduler: {
    ram_weight_multiplier: 0,
    cpu_weight_multiplier: 0,
    disk_weight_multiplier: 0,
    io_ops_weight_multiplier: 0,
    [multiplier]: value,
  },
});

it('defaults: more of everything free, less to do', () => {
  const weighed = weigh([C, B, A]);
  expectTotals(weighed, { A: 2.9375, B: 1.5, C: 0 });
  expect(weighed.order).toEqual(['A', 'B', 'C']);
});

it('removing one host changes the weights of the others', () => {
  expectTotals(weigh([A, C]), { A: 3, C: 0 });
});

it('overrides of aggregates: the smallest counts, and one that is no number makes all be ignored', () => {
  const hosts = [
    { ...A, ...hostInAggregates('A', { [RAM]: '-2' }, { [RAM]: '3' }), freeRamMb: 4096 },
    { ...B, ...hostInAggregates('B', { [RAM]: '-2' }), freeRamMb: 2048 },
    { ...C, ...hostInAggregates('C', { [RAM]: '3' }, { [RAM]: 'oops' }), freeRamMb: -100 },
  ];
  const weighed = weigh(hosts, only(RAM, 7));
  expectTotals(weighed, { A: -2, B: -1, C: 0 });
  expect(weighed.order).toEqual(['C', 'B', 'A']);
});

it('equal hosts: a fixed minimum gives 1, the others 0', () => {
  const twins = ['A', 'B'].map((name) =>
    hostState({ host: name, freeRamMb: 1000, failedBuilds: 2, hypervisorVersion: 6_002_000 }),
  );
  expectTotals(weigh(twins), { A: 1, B: 1 });
});

it('PCI: fewer free devices are better; devices beyond 99 make no difference', () => {
  const pool = { vendorId: 'v', productId: 'p', devType: 'type-PCI' as const, numaNode: null, tags: {} };
  const hosts = [0, 3, 150].map((count) => hostState({ host: `free ${count}`, pciPools: [{ ...pool, count }] }));
  expectTotals(weigh(hosts), { 'free 0': 1, 'free 3': 96 / 99, 'free 150': 0 });
});

it('a batch: every instance is weighed against the remaining amounts', () => {
  const asB = { ...B, aggregates: hostInAggregates('B', { [RAM]: '-2' }).aggregates };
  const first = weigh([{ ...A, numIoOps: 0 }, asB]);
  expectTotals(first, { A: 2.9375, B: -0.5 });
  const second = weigh([{ ...A, freeRamMb: 3584, vcpusUsed: 3, freeDiskMb: 92160, numIoOps: 1 }, asB]);
  expectTotals(second, { A: 2.40625, B: 1 + 51200 / 92160 - 2 * (2048 / 3584) - 1 });
  expect([first.order[0], second.order[0]]).toEqual(['A', 'A']);
});

it('fewer than two hosts are not weighed at all', () => {
  const values = { metrics: { weight_setting: ['m=1'] } };
  expect(weigh([A], values)).toEqual({ totals: { A: 0 }, order: ['A'] });
});
