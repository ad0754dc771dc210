// Charges a fitted instance to the host's cells, and releases it. Both return a new topology; cells that the host no
// longer reports are ignored.

import type { HostNumaCell, HostNumaTopology } from '../request-spec/numa-topology';
import { pagesNeeded } from './fit-pages';
import type { FittedNumaCell, FittedNumaTopology } from './fitted-topology';

export const chargeTopology = (host: HostNumaTopology, fitted: FittedNumaTopology): HostNumaTopology =>
  move(host, fitted, {
    sign: 1,
    cpus: (pinned, heldCpus) => [...pinned, ...heldCpus.filter((cpu) => !pinned.includes(cpu))],
  });

/** Law: charging and then releasing restores the topology. No value falls below 0. */
export const releaseTopology = (host: HostNumaTopology, fitted: FittedNumaTopology): HostNumaTopology =>
  move(host, fitted, { sign: -1, cpus: (pinned, heldCpus) => pinned.filter((cpu) => !heldCpus.includes(cpu)) });

interface Direction {
  readonly sign: 1 | -1;
  readonly cpus: (pinned: readonly number[], heldCpus: readonly number[]) => readonly number[];
}

function move(host: HostNumaTopology, { cells }: FittedNumaTopology, direction: Direction): HostNumaTopology {
  const byCell = new Map(cells.map((cell) => [cell.hostCell, cell]));
  return {
    ...host,
    cells: host.cells.map((cell) => {
      const fitted = byCell.get(cell.id);
      return fitted === undefined ? cell : moved(cell, fitted, direction);
    }),
  };
}

/** Uses the fitted page size; without one, the smallest of the cell. */
function moved(cell: HostNumaCell, fitted: FittedNumaCell, { sign, cpus }: Direction): HostNumaCell {
  const changed = (amount: number, by: number): number => Math.max(0, amount + sign * by);
  const sizeKb = fitted.pageSizeKb ?? smallestSizeKb(cell);
  return {
    ...cell,
    cpuUsage: changed(cell.cpuUsage, fitted.sharedCpus),
    memoryUsageMb: changed(cell.memoryUsageMb, fitted.memoryMb),
    pinnedCpus: cpus(cell.pinnedCpus, fitted.heldCpus),
    mempages: cell.mempages.map((pages) =>
      pages.sizeKb === sizeKb ? { ...pages, used: changed(pages.used, pagesNeeded(fitted, pages)) } : pages,
    ),
  };
}

const smallestSizeKb = ({ mempages }: HostNumaCell): number => Math.min(...mempages.map(({ sizeKb }) => sizeKb));
