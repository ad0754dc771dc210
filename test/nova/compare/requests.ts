// Generates requests of many kinds. Each names what nova-api and nova-conductor know; nova's own code makes the request
// spec of it.
import type { Tools } from './kinds';
import { KINDS, namesOf } from './kinds';
import type { RunningInstance } from './world';

export interface Flavor {
  readonly vcpus: number;
  readonly memory_mb: number;
  readonly root_gb: number;
  readonly ephemeral_gb: number;
  readonly swap: number;
  readonly extra_specs: Readonly<Record<string, string>>;
}

export interface Group {
  readonly uuid: string;
  readonly policy: string;
  readonly rules: Readonly<Record<string, string>>;
  readonly members: readonly string[];
  readonly hosts: readonly string[];
}

/** The parts of a request that differ from those of a plain one. */
export interface RequestParts {
  readonly flavor?: Partial<Flavor>;
  readonly image?: {
    readonly id?: string;
    readonly disk_format?: string;
    readonly properties?: Readonly<Record<string, string>>;
  };
  readonly is_bfv?: boolean;
  readonly project_id?: string;
  readonly availability_zone?: string;
  readonly hints?: Readonly<Record<string, readonly string[]>>;
  readonly ignore_hosts?: readonly string[];
  readonly force_hosts?: readonly string[];
  readonly force_nodes?: readonly string[];
  readonly destination?: Readonly<Record<string, unknown>>;
  readonly group?: Group;
  /** Groups of ports. */
  readonly requested_resources?: readonly object[];
  /** PCI requests of ports. */
  readonly pci_ports?: readonly object[];
  /** Physical networks that the instance's NUMA cells must reach. */
  readonly physnets?: readonly string[];
  /** Hosts of earlier attempts. */
  readonly retry?: readonly string[];
}

export interface ComparedRequest extends RequestParts {
  readonly kind: string;
  readonly flavor: Flavor;
  readonly instances: readonly string[];
  readonly return_alternates: boolean;
  /** Instances that have allocations before the call. */
  readonly moved?: RunningInstance;
}

export function generateRequest(tools: Tools, at: number): ComparedRequest {
  const { dice } = tools;
  const [kind, generate] = KINDS[at % KINDS.length] as (typeof KINDS)[number];
  const { batch = 1, moved, flavor, ...parts } = generate(tools);
  const instances = moved === undefined ? Array.from({ length: batch }, () => dice.uuid()) : [moved.uuid];
  const { group } = parts;
  const isFree = moved === undefined && parts.force_hosts === undefined && parts.force_nodes === undefined;
  const ignored = isFree && dice.chance(0.7) ? { ignore_hosts: namesOf(tools, dice.int(1, 32)) } : {};
  return {
    kind,
    ...ignored,
    ...parts,
    // A new member is in its group before it is scheduled.
    ...(group !== undefined && { group: { ...group, members: [...group.members, ...instances] } }),
    flavor: {
      vcpus: dice.int(1, 4),
      memory_mb: dice.pick([512, 1_024, 2_048, 3_000]),
      root_gb: dice.int(1, 20),
      ephemeral_gb: dice.int(0, 3),
      swap: dice.pick([0, 0, 512, 1_500]),
      ...flavor,
      extra_specs: flavor?.extra_specs ?? {},
    },
    instances,
    return_alternates: moved === undefined,
    ...(moved !== undefined && { moved }),
  };
}
