// What a report may not say although every field of it is well formed. Pure.
import { hostReportOf } from '../../host-state/host-facts';
import type { HostReport, HostReportBody } from '../../host-state/host-facts';
import { RequestRefused } from '../../request/request-refusal';

export interface ReportProblem {
  /** The path of the field. */
  readonly field: string;
  readonly why: string;
}

/** The report as the scheduler reads it, or the first thing that keeps it from being read. */
export function readReport(body: HostReportBody): HostReport | ReportProblem {
  try {
    const report = hostReportOf(body);
    return problemOfPinnedCpus(report) ?? problemOfInstances(report) ?? report;
  } catch (refused) {
    if (!(refused instanceof RequestRefused)) throw refused;
    const { field, message } = refused;
    return { field, why: message.slice(field.length + 2) };
  }
}

export const isProblem = (read: HostReport | ReportProblem): read is ReportProblem => 'why' in read;

function problemOfPinnedCpus({ numaTopology }: HostReport): ReportProblem | undefined {
  for (const [at, { cpuset, pcpuset, pinnedCpus }] of (numaTopology?.cells ?? []).entries()) {
    const own = new Set([...cpuset, ...pcpuset]);
    const stray = pinnedCpus.find((cpu) => !own.has(cpu));
    if (stray !== undefined) {
      return { field: `numa_topology.cells[${at}].pinned_cpus`, why: `CPU ${stray} is no CPU of the cell` };
    }
  }
  return undefined;
}

function problemOfInstances({ instances }: HostReport): ReportProblem | undefined {
  const seen = new Set<string>();
  for (const [at, { uuid }] of instances.entries()) {
    if (seen.has(uuid)) return { field: `instances.${at}.uuid`, why: `${uuid} is listed twice` };
    seen.add(uuid);
  }
  return undefined;
}
