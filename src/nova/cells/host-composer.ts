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
import type { NodeContent } from './node-rows';
import { withInstances } from './node-rows';
import type { ComputeNode } from './node-table';
import type { Heartbeat, LeftOutHost, LeftOutReason } from './nova-facts';
import type { ComputeService } from './service-table';

/** Ids of nodes are unique in one cell only. */
const IDS_OF_CELL = 2 ** 32;

const NO_PENDING: readonly PendingInstance[] = Object.freeze([]);
const NO_RELEASED: readonly ReleasedInstance[] = Object.freeze([]);

interface HostRows {
  readonly cell: Cell;
  readonly service: ComputeService;
  readonly nodes: readonly ComputeNode[];
}

/** The facts of one host with what they were built from. */
interface Composed {
  /** `factsOf` adds later heartbeats. */
  facts: ServiceFacts;
  readonly service: ComputeService;
  /** The valid nodes, in the order of `facts.hosts`. */
  readonly nodes: readonly ComputeNode[];
  /** All nodes of a host share its instances. */
  readonly instances: readonly ReportedInstance[];
}

export class HostComposer {
  /** Ids are never used for another host. */
  private readonly ids = new Map<string, number>();
  private readonly composed = new Map<number, Composed>();
  private readonly changed = new ChangedIds();
  private readonly touched = new ChangedIds();
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

  /** Services that had a heartbeat after the version. */
  heartbeatsSince(version: number): readonly Heartbeat[] {
    return this.touched.since(version).flatMap((id) => {
      const lastSeenUpMs = this.composed.get(id)?.service.lastSeenUpMs ?? null;
      return lastSeenUpMs === null ? [] : [{ id, lastSeenUpMs }];
    });
  }

  factsOf(id: number): ServiceFacts | undefined {
    const composed = this.composed.get(id);
    if (composed === undefined) return undefined;
    const { facts } = composed;
    const { lastSeenUpMs } = composed.service;
    if (facts.service.lastSeenUpMs !== lastSeenUpMs)
      composed.facts = { ...facts, service: { ...facts.service, lastSeenUpMs } };
    return composed.facts;
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

  /** The service of the host had a heartbeat. It does not change whether the host is left out. */
  touch(host: string): void {
    const id = this.ids.get(host);
    if (id !== undefined && this.composed.has(id)) this.touched.add(this.nextVersion(), id);
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

  private join(host: string, { cell, service, nodes }: HostRows, omissions: LeftOutHost[]): Composed | null {
    const id = this.ids.get(host) ?? this.ids.size + 1;
    const known = this.composed.get(id);
    const instances = cell.instances.ofHost(host);
    const valid: ComputeNode[] = [];
    for (const node of nodes) {
      const { content, row } = node;
      if ('report' in content) valid.push(node);
      else {
        const why = content.isNew ? 'has not reported' : 'invalid row';
        omissions.push(omissionOf(host, row.hypervisor_hostname, cell, why, content.problem));
      }
    }
    if (valid.length === 0) return null;
    const hasSameHosts =
      known?.instances === instances &&
      known.facts.hosts[0]?.serviceVersion === service.version &&
      known.nodes.length === valid.length &&
      known.nodes.every((node, at) => node === valid[at]);
    const hosts = hasSameHosts ? known.facts.hosts : hostsOf({ cell, service, nodes: valid }, instances, known);
    const facts = { id, host, service: service.service, hosts, pending: NO_PENDING, released: NO_RELEASED };
    return { facts, service, nodes: hasSameHosts ? known.nodes : valid, instances };
  }
}

/** A report is the same object as before while its row and the instances are the same. */
function hostsOf(
  { cell, service, nodes }: HostRows,
  instances: readonly ReportedInstance[],
  known: Composed | undefined,
): readonly HostFacts[] {
  const former = new Map<number, { readonly node: ComputeNode; readonly report: HostReport | undefined }>();
  if (known?.instances === instances) {
    for (const [at, node] of known.nodes.entries()) {
      former.set(node.row.id, { node, report: known.facts.hosts[at]?.report });
    }
  }
  return nodes.map((node) => {
    const { row, content, savedAtMs } = node;
    const before = former.get(row.id);
    const isSame = before?.node.content === content && before.report !== undefined;
    return {
      id: cell.mapping.id * IDS_OF_CELL + row.id,
      node: row.hypervisor_hostname ?? '',
      uuid: row.uuid,
      cell: cell.mapping.uuid,
      serviceVersion: service.version,
      report: isSame ? before.report : withInstances(reportIn(content), instances),
      reportedAtMs: savedAtMs,
    };
  });
}

function reportIn(content: NodeContent): HostReport {
  if ('report' in content) return content.report;
  throw new TypeError(`A node is not valid: ${content.problem}`);
}

const omissionOf = (
  host: string,
  node: string | null,
  cell: Cell,
  reason: LeftOutReason,
  detail: string | null = null,
): LeftOutHost => ({ host, node, cell: cell.mapping.uuid, reason, detail });
