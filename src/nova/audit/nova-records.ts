// What nova's databases say about instances, migrations and compute nodes, as an audit needs it.
import { addTo } from '../../platform/values/lists-by-key';
import type { Flavor, Image } from '../../scheduling-rules/request-spec/request-spec';

/** A compute node, by the uuid of its root provider. */
export interface AuditedNode {
  readonly uuid: string;
  /** Id of the cell that has it. */
  readonly cell: number;
  /** Null: the node is deleted. */
  readonly host: string | null;
  readonly node: string;
  /** The compute service of the host is disabled. */
  readonly isDisabled: boolean;
}

/** Compute nodes by root provider and by host. */
export class NodeIndex {
  private readonly byUuid = new Map<string, AuditedNode>();
  private readonly byHost = new Map<string, AuditedNode[]>();

  constructor(nodes: Iterable<AuditedNode>) {
    for (const node of nodes) this.add(node);
  }

  add(node: AuditedNode): void {
    this.byUuid.set(node.uuid, node);
    if (node.host !== null) addTo(this.byHost, node.host, node);
  }

  find(uuid: string): AuditedNode | undefined {
    return this.byUuid.get(uuid);
  }

  ofHost(host: string): readonly AuditedNode[] {
    return this.byHost.get(host) ?? [];
  }

  live(): Iterable<AuditedNode> {
    return [...this.byHost.values()].flat();
  }
}

/** A live instance. */
export interface AuditedInstance {
  readonly uuid: string;
  readonly host: string | null;
  readonly node: string | null;
  readonly vmState: string | null;
  readonly taskState: string | null;
  readonly projectId: string;
  readonly userId: string;
  /** One of the two copies during a move between cells. */
  readonly isHidden: boolean;
  /** Hosts of moves that have not ended, and of evacuations whose source has not been cleaned. */
  readonly moveHosts: ReadonlySet<string>;
  /** A move has not ended. */
  readonly isMoving: boolean;
  /** What decides its amounts; null: the record cannot be read. */
  readonly sizing: Sizing | null;
}

export interface Sizing {
  readonly flavor: Flavor;
  /** Only its properties count. */
  readonly image: Image;
  readonly isVolumeBacked: boolean;
}

export type KnownConsumer =
  | { readonly kind: 'instance'; readonly instance: AuditedInstance }
  /** nova creates the instance: its mapping has no cell yet. */
  | { readonly kind: 'building' }
  /** No host took the instance. */
  | { readonly kind: 'buried' }
  | { readonly kind: 'migration'; readonly isOpen: boolean; readonly status: string | null }
  /** Its cell could not be read. */
  | { readonly kind: 'unreadable'; readonly cell: string }
  /** No readable cell knows it. */
  | { readonly kind: 'unknown'; readonly wasDeleted: boolean };

/** A host aggregate of nova. */
export interface AuditedAggregate {
  readonly uuid: string;
  readonly name: string;
  readonly hosts: readonly string[];
}

export interface UnreadableCell {
  readonly id: number;
  readonly name: string;
  readonly reason: string;
  /** Host names that `host_mappings` assigns to it. */
  readonly hosts: number;
}
