// Joins what the cells know of a host to the facts of the scheduler, and names the hosts that it leaves out.
import type {
  HostFacts,
  HostReport,
  PendingInstance,
  ReleasedInstance,
  ReportedInstance,
  ServiceFacts,
} from '../../scheduling-rules/host-state/host-facts';
import type { Cell } from './cell';
import { ChangedIds } from './changed-ids';
import { withInstances } from './node-rows';
import type { ComputeNode } from './node-table';
import type { LeftOutHost, LeftOutReason } from './nova-facts';
import type { ComputeService } from './service-table';

/** Ids of nodes are unique in one cell only. */
const IDS_OF_CELL = 2 ** 32;

const NO_PENDING: readonly PendingInstance[] = Object.freeze([]);
const NO_RELEASED: readonly ReleasedInstance[] = Object.freeze([]);

interface Composed {
  readonly facts: ServiceFacts;
  /** The report of each node with its parts. While these are the same objects, the report is the same object. */
  readonly reports: ReadonlyMap<number, JoinedReport>;
}

interface JoinedReport {
  readonly base: HostReport;
  readonly instances: readonly ReportedInstance[];
  readonly report: HostReport;
}

export class HostComposer {
  /** Ids are never used for another host. */
  private readonly ids = new Map<string, number>();
  private readonly composed = new Map<number, Composed>();
  private readonly changed = new ChangedIds();
  private readonly omissions = new Map<string, readonly LeftOutHost[]>();

  constructor(
    private readonly cells: ReadonlyMap<number, Cell>,
    private readonly cellIdOf: (host: string) => number | undefined,
    private readonly nextVersion: () => number,
  ) {}

  get size(): number {
    return this.composed.size;
  }

  idsSince(version: number): readonly number[] {
    return this.changed.since(version);
  }

  factsOf(id: number): ServiceFacts | undefined {
    return this.composed.get(id)?.facts;
  }

  leftOut(max: number): { readonly leftOut: readonly LeftOutHost[]; readonly leftOutCount: number } {
    const leftOut: LeftOutHost[] = [];
    let leftOutCount = 0;
    for (const list of this.omissions.values()) {
      leftOutCount += list.length;
      if (leftOut.length < max) leftOut.push(...list.slice(0, max - leftOut.length));
    }
    return { leftOut, leftOutCount };
  }

  /** Builds the facts of one host again. */
  compose(host: string, nowMs: number): void {
    const omissions: LeftOutHost[] = [];
    const composed = this.build(host, nowMs, omissions);
    if (omissions.length > 0) this.omissions.set(host, omissions);
    else this.omissions.delete(host);
    const known = this.ids.get(host);
    if (composed === null && (known === undefined || !this.composed.has(known))) return;
    const id = known ?? this.ids.size + 1;
    this.ids.set(host, id);
    if (composed === null) this.composed.delete(id);
    else this.composed.set(id, composed);
    this.changed.add(this.nextVersion(), id);
  }

  /** Null: the host is left out, or no cell has it. */
  private build(host: string, nowMs: number, omissions: LeftOutHost[]): Composed | null {
    const cellId = this.cellIdOf(host);
    const reason: LeftOutReason = cellId === undefined ? 'not mapped' : 'mapped to another cell';
    for (const [id, other] of this.cells) {
      if (id !== cellId && other.hasHost(host)) omissions.push(omissionOf(host, null, other, reason));
    }
    const cell = cellId === undefined ? undefined : this.cells.get(cellId);
    if (cell === undefined) return null;
    const leaveOut = (why: LeftOutReason): null => {
      omissions.push(omissionOf(host, null, cell, why));
      return null;
    };
    if (cell.stateAt(nowMs) !== 'ready') return leaveOut('cell is not ready');
    const service = cell.services.ofHost(host);
    const nodes = cell.nodes.ofHost(host);
    if (service === undefined) return nodes.size === 0 ? null : leaveOut('no compute service');
    if (nodes.size === 0) return leaveOut('no compute node');
    return this.join(host, { cell, service, nodes: [...nodes.values()] }, omissions);
  }

  private join(
    host: string,
    from: { readonly cell: Cell; readonly service: ComputeService; readonly nodes: readonly ComputeNode[] },
    omissions: LeftOutHost[],
  ): Composed | null {
    const { cell, service, nodes } = from;
    const id = this.ids.get(host) ?? this.ids.size + 1;
    const known = this.composed.get(id)?.reports;
    // All nodes of a host share its instances.
    const instances = cell.instances.ofHost(host);
    const reports = new Map<number, JoinedReport>();
    const hosts: HostFacts[] = [];
    for (const { row, content, savedAtMs } of nodes) {
      if ('problem' in content) {
        const why = content.isNew ? 'has not reported' : 'invalid row';
        omissions.push(omissionOf(host, row.hypervisor_hostname, cell, why, content.problem));
        continue;
      }
      const nodeId = cell.mapping.id * IDS_OF_CELL + row.id;
      const joined = joinedReport(content.report, instances, known?.get(nodeId));
      reports.set(nodeId, joined);
      hosts.push({
        id: nodeId,
        node: row.hypervisor_hostname ?? '',
        uuid: row.uuid,
        cell: cell.mapping.uuid,
        serviceVersion: service.version,
        report: joined.report,
        reportedAtMs: savedAtMs,
      });
    }
    if (hosts.length === 0) return null;
    const facts = { id, host, service: service.service, hosts, pending: NO_PENDING, released: NO_RELEASED };
    return { facts, reports };
  }
}

function joinedReport(
  base: HostReport,
  instances: readonly ReportedInstance[],
  known: JoinedReport | undefined,
): JoinedReport {
  if (known?.base === base && known.instances === instances) return known;
  return { base, instances, report: withInstances(base, instances) };
}

const omissionOf = (
  host: string,
  node: string | null,
  cell: Cell,
  reason: LeftOutReason,
  detail: string | null = null,
): LeftOutHost => ({ host, node, cell: cell.mapping.uuid, reason, detail });
