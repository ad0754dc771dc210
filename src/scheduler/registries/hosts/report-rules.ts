// What a report may not say although every field of it is well formed. Pure.
import type { HostReportBody, NumaCellBody } from '../../host-state/host-facts';

export interface ReportProblem {
  /** The path of the field. */
  readonly field: string;
  readonly why: string;
}

/** The first contradiction; undefined when there is none. */
export function problemOfReport(report: HostReportBody): ReportProblem | undefined {
  return problemOfCells(report.numa_topology?.cells ?? []) ?? problemOfInstances(report.instances ?? []);
}

function problemOfCells(cells: readonly NumaCellBody[]): ReportProblem | undefined {
  const ids = new Set<number>();
  const cellOf = new Map<number, number>();
  for (const [at, cell] of cells.entries()) {
    const path = `numa_topology.cells.${at}`;
    if (ids.has(cell.id)) return { field: `${path}.id`, why: `two cells have the id ${cell.id}` };
    ids.add(cell.id);
    // Within a cell a CPU may be in both sets: hosts of old do not keep shared and dedicated ones apart.
    const own = new Set([...(cell.cpuset ?? []), ...(cell.pcpuset ?? [])]);
    for (const cpu of own) {
      const other = cellOf.get(cpu);
      if (other !== undefined) return { field: path, why: `CPU ${cpu} is in cell ${other} as well` };
      cellOf.set(cpu, cell.id);
    }
    const stray = (cell.pinned_cpus ?? []).find((cpu) => !own.has(cpu));
    if (stray !== undefined) return { field: `${path}.pinned_cpus`, why: `CPU ${stray} is no CPU of the cell` };
  }
  return undefined;
}

function problemOfInstances(instances: readonly { readonly uuid: string }[]): ReportProblem | undefined {
  const seen = new Set<string>();
  for (const [at, { uuid }] of instances.entries()) {
    const key = uuid.toLowerCase();
    if (seen.has(key)) return { field: `instances.${at}.uuid`, why: `${uuid} is listed twice` };
    seen.add(key);
  }
  return undefined;
}
