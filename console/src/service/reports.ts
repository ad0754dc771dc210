// The reports, typed by hand until the client has functions for them.
import type { Session } from '@berth/client';

export interface ClassFigures {
  readonly total: number;
  readonly reserved: number;
  readonly capacity: number;
  readonly used: number;
  readonly free: number;
}

export interface StrandedFigures {
  readonly amount: number;
  readonly exact: boolean;
  readonly hosts: number;
  readonly because: readonly {
    readonly lacks: string;
    readonly hosts: number;
    readonly amount: number;
    readonly sentence: string;
  }[];
}

export interface GroupFigures extends ClassFigures {
  readonly usable: number;
  readonly largest_free: number;
  readonly largest_free_host: Named | null;
  readonly stranded: StrandedFigures | null;
}

export interface Named {
  readonly uuid: string;
  readonly name: string;
}

export type GroupBy = 'total' | 'availability_zone' | 'host_aggregate' | 'placement_aggregate' | 'trait';

export interface CapacityGroup {
  readonly key: string | null;
  readonly name: string | null;
  readonly hosts: number;
  readonly hosts_usable: number;
  readonly resource_classes: Readonly<Record<string, GroupFigures>>;
}

export interface CapacityReport {
  readonly at: string;
  readonly group_by: GroupBy;
  readonly groups: readonly CapacityGroup[];
  readonly stranded: {
    readonly state: 'current' | 'computing';
    readonly at: string | null;
    readonly age_s: number | null;
    readonly flavors: number;
  };
  readonly next_marker: string | null;
}

export type HostStatus = 'up' | 'disabled' | 'down' | 'silent' | 'unreported' | 'sharing';

export interface HostRow {
  readonly uuid: string;
  readonly name: string;
  readonly host: string | null;
  readonly node: string | null;
  readonly availability_zone: string | null;
  readonly host_aggregates: readonly Named[];
  readonly placement_aggregates: readonly string[];
  readonly traits: number;
  readonly providers: number;
  readonly instances: number;
  readonly status: HostStatus;
  readonly status_reason: string | null;
  readonly last_seen_up: string | null;
  readonly resource_classes: Readonly<Record<string, ClassFigures>>;
}

export interface HostsReport {
  readonly at: string;
  readonly count: number;
  readonly hosts: readonly HostRow[];
  readonly next_marker: string | null;
}

export interface InventoryFigures extends ClassFigures {
  readonly min_unit: number;
  readonly max_unit: number;
  readonly step_size: number;
  readonly allocation_ratio: number;
}

export interface ProviderNode {
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly parent_uuid: string | null;
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
  readonly resource_classes: Readonly<Record<string, InventoryFigures>>;
  readonly consumers: number;
  readonly children: readonly ProviderNode[];
}

export interface HostConsumer {
  readonly uuid: string;
  readonly consumer_type: string | null;
  readonly project_id: string;
  readonly user_id: string;
  readonly generation: number;
  readonly instance: {
    readonly flavor: string | null;
    readonly image: string | null;
    readonly availability_zone: string | null;
    readonly server_group: string | null;
    readonly decision: string | null;
  } | null;
  readonly allocations: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface HostReport {
  readonly at: string;
  readonly host: HostRow;
  readonly service: {
    readonly status: string;
    readonly disabled_reason: string | null;
    readonly forced_down: boolean;
    readonly state: string;
    readonly last_seen_up: string | null;
  } | null;
  readonly hypervisor: {
    readonly type: string | null;
    readonly version: number | string | null;
    readonly hostname: string | null;
  } | null;
  readonly tree: ProviderNode;
  readonly tree_truncated: boolean;
  readonly shared: readonly {
    readonly uuid: string;
    readonly name: string;
    readonly aggregates: readonly string[];
    readonly resource_classes: Readonly<Record<string, ClassFigures>>;
  }[];
  readonly consumers: readonly HostConsumer[];
  readonly consumers_truncated: boolean;
  readonly decisions: readonly {
    readonly request_id: string;
    readonly at: string;
    readonly outcome: string;
    readonly verdict: 'selected' | 'alternate' | 'rejected' | 'passed' | 'not_considered';
    readonly by: string | null;
    readonly code: string | null;
    readonly message: string | null;
  }[];
  readonly flavors: readonly {
    readonly id: string;
    readonly name: string;
    readonly fits: boolean;
    readonly hinders: readonly string[];
  }[];
  readonly flavors_truncated: boolean;
}

export interface MapReport {
  readonly at: string;
  readonly zones: readonly (string | null)[];
  readonly host_aggregates: readonly Named[];
  readonly statuses: readonly HostStatus[];
  readonly hosts: readonly (readonly [
    uuid: string,
    name: string,
    zone: number,
    aggregates: readonly number[],
    status: number,
    value: number | null,
  ])[];
  readonly truncated?: boolean;
}

export interface FlavorsReport {
  readonly at: string | null;
  readonly state: 'current' | 'computing';
  readonly age_s: number | null;
  readonly flavors: readonly {
    readonly id: string;
    readonly name: string;
    readonly vcpus: number;
    readonly memory_mb: number;
    readonly root_gb: number;
    readonly fit: number;
    readonly at_least: boolean;
    readonly hosts: number;
    readonly binding: readonly {
      readonly kind: 'resource' | 'condition';
      readonly name: string;
      readonly hosts: number;
      readonly sentence: string;
    }[];
    readonly error: string | null;
  }[];
  readonly next_marker: string | null;
}

export interface RefusalsReport {
  readonly at: string;
  readonly since: string;
  readonly decisions: number;
  readonly placed: number;
  readonly refused: number;
  readonly reasons: readonly {
    readonly name: string;
    readonly code: string;
    readonly refusals: number;
    readonly hosts: number;
    readonly sentence: string;
    readonly last: string;
  }[];
  readonly truncated: boolean;
}

export interface AdviceReport {
  readonly at: string | null;
  readonly state: 'current' | 'computing';
  readonly age_s: number | null;
  readonly advice: readonly {
    readonly kind: string;
    readonly severity: 'error' | 'warning' | 'note';
    readonly sentence: string;
    readonly count: number;
    readonly subjects: readonly { readonly kind: string; readonly id: string; readonly name: string }[];
    readonly commands: readonly string[];
    readonly link: string | null;
  }[];
  readonly truncated: boolean;
}

type Value = string | number | readonly string[] | undefined;

const textOf = (query: Readonly<Record<string, Value>>): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue;
    for (const each of typeof value === 'object' ? value : [String(value)]) params.append(name, each);
  }
  return params.size === 0 ? '' : `?${params.toString()}`;
};

export function reportsOf(session: Session) {
  const read =
    <T>(path: string) =>
    async (query: Readonly<Record<string, Value>> = {}, signal?: AbortSignal): Promise<T> => {
      const { document } = await session.send(
        { method: 'GET', target: `/reports/${path}${textOf(query)}` },
        { signal, version: '1.39' },
      );
      return document as T;
    };
  return {
    capacity: read<CapacityReport>('capacity'),
    hosts: read<HostsReport>('hosts'),
    host: (uuid: string, signal?: AbortSignal) => read<HostReport>(`hosts/${encodeURIComponent(uuid)}`)({}, signal),
    map: read<MapReport>('map'),
    flavors: read<FlavorsReport>('flavors'),
    refusals: read<RefusalsReport>('refusals'),
    advice: read<AdviceReport>('advice'),
  };
}

export type Reports = ReturnType<typeof reportsOf>;
