// Compares the fit with an independent brute force: every ordered selection of host cells, checked by the contract's
// rules. Small random worlds; the test message contains the seed of a failing one.

import { seededRandom } from '../../platform/values/random';
import { chargeInstance, placeInstance, releaseInstance } from '../host-state/charge-instance';
import { poolKey } from '../pci/charge';
import type {
  CpuPolicy,
  CpuThreadPolicy,
  HostNumaCell,
  InstanceNumaCell,
  InstanceNumaTopology,
} from '../request-spec/numa-topology';
import type { PciPool, PciRequest } from '../request-spec/pci-pool';
import type { NumaHost } from './fit';
import { fitNumaTopology } from './fit';
import { hostCell, instanceCell, numbers } from './numa.fixture';

const CASES = 3_000;

interface World {
  readonly host: NumaHost;
  readonly asked: InstanceNumaTopology;
  readonly pciRequests: readonly PciRequest[];
  readonly packing: boolean;
}

type Draw = <T>(values: readonly T[]) => T;

function drawer(seed: number): Draw {
  const random = seededRandom(seed);
  return (values) => values[Math.floor(random() * values.length)]!;
}

function worldOf(seed: number): World {
  const draw = drawer(seed);
  const hostCells = numbers(draw([1, 2, 2, 3, 3, 4])).map((id) => drawHostCell(draw, id));
  const policy = draw<CpuPolicy | null>([null, 'shared', 'dedicated', 'dedicated', 'mixed']);
  const threads = draw<CpuThreadPolicy | null>([null, 'prefer', 'require', 'isolate']);
  const pageSize = draw<InstanceNumaCell['pageSize']>([null, null, 'small', 'large', 'any', 2048]);
  const cells = numbers(draw([1, 1, 2, 2, 3])).map((id) => drawAsked(draw, id, { policy, threads, pageSize }));
  const pciPools = draw([null, unlike(numbers(draw([1, 2, 3])).map(() => drawPool(draw)))]);
  return {
    host: {
      topology: { cells: hostCells },
      cpuAllocationRatio: draw([0.5, 1, 1.5, 4]),
      ramAllocationRatio: draw([0.5, 1, 1.5]),
      pciPools,
    },
    asked: { cells, emulatorThreadsIsolated: policy === 'dedicated' && draw([false, false, true]) },
    pciRequests: pciPools === null ? [] : numbers(draw([0, 1, 1, 2])).map(() => drawRequest(draw)),
    packing: draw([false, true]),
  };
}

function drawHostCell(draw: Draw, id: number): HostNumaCell {
  const base = id * 100;
  const pcpuset = numbers(draw([0, 2, 4, 6]), base + 10);
  const cpuset = draw([numbers(draw([0, 1, 2, 4]), base), pcpuset]);
  const threads = draw([0, 1, 2, 3]);
  const siblings =
    threads === 0
      ? []
      : numbers(Math.ceil(pcpuset.length / threads)).map((core) => pcpuset.slice(core * threads, (core + 1) * threads));
  const memoryMb = draw([512, 1024, 2048]);
  return hostCell({
    id,
    socket: draw([null, 0, 0, 1]),
    cpuset,
    pcpuset,
    pinnedCpus: pcpuset.filter(() => draw([true, false, false])),
    siblings,
    memoryMb,
    cpuUsage: draw([0, 0, 1, 3]),
    memoryUsageMb: draw([0, 0, 256, 512]),
    mempages: draw([
      [],
      [{ sizeKb: 4, total: memoryMb * 256, used: draw([0, 100_000]), reserved: 0 }],
      [
        { sizeKb: 2048, total: draw([128, 512]), used: draw([0, 64]), reserved: draw([0, 10]) },
        { sizeKb: 4, total: memoryMb * 256, used: 0, reserved: draw([0, 65_536]) },
      ],
    ]),
  });
}

function drawAsked(
  draw: Draw,
  id: number,
  {
    policy,
    threads,
    pageSize,
  }: { policy: CpuPolicy | null; threads: CpuThreadPolicy | null; pageSize: InstanceNumaCell['pageSize'] },
): InstanceNumaCell {
  const dedicated = policy === 'dedicated' || policy === 'mixed' ? draw([1, 2, 3]) : 0;
  const shared = policy === 'dedicated' ? 0 : draw(policy === 'mixed' ? [0, 1, 2] : [1, 2]);
  return instanceCell({
    id,
    cpus: numbers(shared),
    pcpus: numbers(dedicated, shared),
    memoryMb: draw([127, 128, 256, 512, 1024]),
    pageSize,
    cpuPolicy: policy,
    cpuThreadPolicy: dedicated > 0 ? threads : null,
  });
}

const drawPool = (draw: Draw): PciPool => ({
  vendorId: 'v',
  productId: draw(['p', 'q']),
  devType: draw(['type-PCI', 'type-PCI', 'type-PF']),
  numaNode: draw([null, 0, 0, 1, 2]),
  count: draw([0, 1, 2]),
  tags: { slot: draw(['x', 'y']) },
});

/** Parsed reports have equal pools merged, so the worlds have no equal pools. */
const unlike = (pools: readonly PciPool[]): readonly PciPool[] => [
  ...new Map(pools.map((drawn) => [poolKey(drawn), drawn])).values(),
];

const drawRequest = (draw: Draw): PciRequest => ({
  requestId: null,
  aliasName: 'a',
  count: draw([1, 1, 2]),
  alternatives: draw([[{ product_id: 'P' }], [{ product_id: 'q' }, { slot: 'x' }], [{ dev_type: 'type-PF' }], [{}]]),
  numaPolicy: draw([null, 'required', 'socket', 'legacy', 'preferred'] as const),
});

// The brute force.

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function* selections(cells: readonly HostNumaCell[], count: number): Generator<readonly HostNumaCell[]> {
  if (count === 0) yield [];
  else
    for (const cell of cells)
      for (const rest of selections(
        cells.filter((other) => other !== cell),
        count - 1,
      ))
        yield [cell, ...rest];
}

function naiveOrder({ host, asked, pciRequests, packing }: World): readonly HostNumaCell[] {
  const cells = [...host.topology.cells];
  if (cells.length === asked.cells.length) return cells;
  const direction = packing ? 1 : -1;
  const pinned = asked.cells[0]?.cpuPolicy === 'dedicated' || asked.cells[0]?.cpuPolicy === 'mixed';
  const free = (cell: HostNumaCell): number => cell.pcpuset.filter((cpu) => !cell.pinnedCpus.includes(cpu)).length;
  cells.sort((a, b) => direction * (a.memoryMb - a.memoryUsageMb - (b.memoryMb - b.memoryUsageMb)));
  cells.sort((a, b) => (pinned ? direction * (free(a) - free(b)) : -direction * (a.cpuUsage - b.cpuUsage)));
  const pools = host.pciPools;
  if (pools === null) return cells;
  const near = (cell: HostNumaCell): number => sum(pools.filter((p) => p.numaNode === cell.id).map((p) => p.count));
  cells.sort((a, b) => (pciRequests.length > 0 ? near(b) - near(a) : near(a) - near(b)));
  return cells;
}

function naiveCellFits(cell: HostNumaCell, asked: InstanceNumaCell, extra: number, host: NumaHost): boolean {
  const pinned = asked.cpuPolicy === 'dedicated' || asked.cpuPolicy === 'mixed';
  const kib = asked.memoryMb * 1024;
  const sizes = cell.mempages.map((page) => page.sizeKb);
  const smallest = Math.min(...sizes);
  const holds = (page: HostNumaCell['mempages'][number], pages: number): boolean =>
    kib % page.sizeKb === 0 && pages * page.sizeKb >= kib;
  if (asked.pageSize !== null) {
    const wanted = asked.pageSize;
    const isAllowed = (size: number): boolean =>
      wanted === 'any' ||
      (wanted === 'small' ? size === smallest : wanted === 'large' ? size !== smallest : size === wanted);
    if (!cell.mempages.some((page) => isAllowed(page.sizeKb) && holds(page, page.total - page.used - page.reserved)))
      return false;
  } else if (sizes.length > 0) {
    const page = cell.mempages.find(({ sizeKb }) => sizeKb === smallest)!;
    if (!holds(page, pinned ? page.total - page.used - page.reserved : page.total)) return false;
  } else if (asked.memoryMb > cell.memoryMb) return false;
  if (pinned && sizes.length === 0 && asked.memoryMb > cell.memoryMb - cell.memoryUsageMb) return false;
  const dedicated = asked.pcpus.length + extra;
  if (dedicated > cell.pcpuset.length || asked.cpus.length > cell.cpuset.length) return false;
  const needsDedicated = asked.cpuThreadPolicy === 'isolate' || asked.cpuThreadPolicy === 'require' || extra > 0;
  if (pinned && asked.pcpus.length === 0 && needsDedicated) return false;
  if (dedicated > 0 && !naivePinningFits(cell, asked, extra)) return false;
  if (asked.cpuPolicy === 'dedicated') return true;
  if (cell.cpuUsage + asked.cpus.length > cell.cpuset.length * host.cpuAllocationRatio) return false;
  return cell.memoryUsageMb + asked.memoryMb <= cell.memoryMb * host.ramAllocationRatio;
}

function naivePinningFits(cell: HostNumaCell, asked: InstanceNumaCell, extra: number): boolean {
  const isFree = (cpu: number): boolean => cell.pcpuset.includes(cpu) && !cell.pinnedCpus.includes(cpu);
  const known = new Set(cell.siblings.flat());
  const cores = [...cell.siblings, ...cell.pcpuset.filter((cpu) => !known.has(cpu)).map((cpu) => [cpu])];
  const wanted = asked.pcpus.length;
  if (wanted + extra > cell.pcpuset.filter(isFree).length) return false;
  if (asked.cpuThreadPolicy === 'require') {
    return [2, 3, 4].some((t) => t * cores.filter((core) => core.filter(isFree).length >= t).length >= wanted);
  }
  if (asked.cpuThreadPolicy === 'isolate') {
    const isOneSet = [...cell.cpuset].sort().join() === [...cell.pcpuset].sort().join();
    if (cores.some((core) => core.length > 1) && !isOneSet) return false;
    const started = cores.filter((core) => core.some(isFree)).length;
    const size = Math.max(1, ...cell.siblings.map((core) => core.length));
    return cores.filter((core) => core.filter(isFree).length >= size).length >= wanted && started >= wanted + extra;
  }
  return true;
}

function naivePciFits(world: World, chosen: readonly HostNumaCell[]): boolean {
  const stock = (world.host.pciPools ?? []).map((p) => ({ ...p }));
  const cells = world.host.topology.cells;
  for (const { alternatives, count, numaPolicy } of world.pciRequests) {
    const is = (p: PciPool, wanted: Readonly<Record<string, string | null>>): boolean =>
      (wanted['product_id'] === undefined || wanted['product_id']?.toLowerCase() === p.productId) &&
      (wanted['dev_type'] === undefined || wanted['dev_type'] === p.devType) &&
      (wanted['slot'] === undefined || wanted['slot'] === p.tags['slot']);
    const matching = stock.filter((p) => alternatives.some((wanted) => is(p, wanted)));
    const total = (pools: readonly PciPool[]): number => sum(pools.map((p) => p.count));
    const on = matching.filter((p) => chosen.some((cell) => cell.id === p.numaNode));
    const unknown = matching.filter((p) => p.numaNode === null);
    const sockets = chosen.map((cell) => cell.socket);
    const isNear = (p: PciPool): boolean =>
      cells.some((cell) => cell.id === p.numaNode && sockets.includes(cell.socket));
    let usable: typeof matching;
    if (numaPolicy === 'required' || total(on) >= count) usable = on;
    else if (numaPolicy === 'socket') usable = sockets.includes(null) ? [] : matching.filter(isNear);
    else if (numaPolicy !== 'preferred' || total(on) + total(unknown) >= count) {
      usable = matching.filter((p) => on.includes(p) || unknown.includes(p));
    } else usable = [...on, ...matching.filter((p) => !on.includes(p))];
    const wantsPf = alternatives.some((wanted) => wanted['dev_type'] === 'type-PF');
    usable = usable.filter((p) => wantsPf || p.devType !== 'type-PF');
    if (total(usable) < count) return false;
    let missing = count;
    for (const p of usable) {
      const taken = Math.min(missing, p.count);
      p.count -= taken;
      missing -= taken;
    }
  }
  return true;
}

function bruteForce(world: World): readonly number[] | null {
  const { host, asked } = world;
  for (const chosen of selections(naiveOrder(world), asked.cells.length)) {
    const fits = asked.cells.every((cell, at) =>
      naiveCellFits(chosen[at]!, cell, at === 0 && asked.emulatorThreadsIsolated ? 1 : 0, host),
    );
    if (fits && naivePciFits(world, chosen)) return chosen.map(({ id }) => id);
  }
  return null;
}

const SEEDS = numbers(CASES);
const termsOf = ({ packing, pciRequests }: World): Parameters<typeof fitNumaTopology>[2] => ({
  packing,
  pciRequests,
  mappings: {},
  network: null,
});

describe('on small random hosts', () => {
  it('the fit is the first one that brute force finds', () => {
    let placed = 0;
    const wrong: unknown[] = [];
    for (const seed of SEEDS) {
      const world = worldOf(seed);
      const answer = fitNumaTopology(world.asked, world.host, termsOf(world));
      const found = answer.fits ? answer.fitted.cells.map(({ hostCell: id }) => id) : null;
      const expected = bruteForce(world);
      if (found?.join() !== expected?.join()) wrong.push({ seed, found, expected });
      if (found !== null) placed += 1;
    }
    expect(wrong).toEqual([]);
    // Both outcomes are frequent in the random worlds.
    expect(placed).toBeGreaterThan(CASES / 10);
    expect(placed).toBeLessThan((CASES * 9) / 10);
  });

  it('pins free dedicated CPUs, each once', () => {
    const wrong: number[] = [];
    for (const seed of SEEDS) {
      const world = worldOf(seed);
      const answer = fitNumaTopology(world.asked, world.host, termsOf(world));
      const cells = answer.fits ? answer.fitted.cells : [];
      const isRight = cells.every(({ hostCell: id, instanceCell: at, pinnedCpus, heldCpus }) => {
        const cell = world.host.topology.cells.find((candidate) => candidate.id === id)!;
        return (
          heldCpus.every((cpu) => cell.pcpuset.includes(cpu) && !cell.pinnedCpus.includes(cpu)) &&
          new Set(heldCpus).size === heldCpus.length &&
          new Set(pinnedCpus).size === world.asked.cells[at]?.pcpus.length &&
          pinnedCpus.every((cpu) => heldCpus.includes(cpu))
        );
      });
      if (!isRight) wrong.push(seed);
    }
    expect(wrong).toEqual([]);
  });

  it('a charge followed by its release changes nothing', () => {
    const wrong: number[] = [];
    for (const seed of SEEDS) {
      const { host, asked, pciRequests, packing } = worldOf(seed);
      const { topology: numaTopology, pciPools, cpuAllocationRatio, ramAllocationRatio } = host;
      const state = { numaTopology, pciPools, limits: { numa: { cpuAllocationRatio, ramAllocationRatio } } };
      const spec = { numaTopology: asked, pciRequests };
      const placement = placeInstance(state, spec, { mappings: {}, packing });
      if (placement === null) continue;
      const before = JSON.stringify({ numaTopology, pciPools });
      const charged = chargeInstance(state, placement);
      const isCharged = JSON.stringify(charged) !== before;
      if (!isCharged || JSON.stringify(releaseInstance(charged, placement)) !== before) wrong.push(seed);
    }
    expect(wrong).toEqual([]);
  });
});
