// The request spec: what a request means once the wire form is put aside, and the wire form itself. Data only; how one
// becomes the other is normalize-request.ts.

/** A flavor. Swap is MiB, disks are GiB. */
export interface Flavor {
  readonly name: string | null;
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly rootGb: number;
  readonly ephemeralGb: number;
  readonly swapMb: number;
  readonly extraSpecs: Readonly<Record<string, string>>;
}

/** An image. One built from a volume may lack id, name and disk format. */
export interface Image {
  readonly id: string | null;
  readonly name: string | null;
  readonly diskFormat: string | null;
  readonly properties: Readonly<Record<string, string>>;
}

/** One request, seen for one instance of its batch. */
export interface RequestSpec {
  /** The instance this pass places. */
  readonly instanceUuid: string;
  /** The whole batch, in order. */
  readonly instanceUuids: readonly string[];
  readonly projectId: string;
  readonly userId: string;
  readonly flavor: Flavor;
  readonly image: Image | null;
  readonly isBfv: boolean;
  /** Every hint is a list of texts. */
  readonly schedulerHints: Readonly<Record<string, readonly string[]>>;
  readonly ignoreHosts: readonly string[];
  readonly rootRequired: readonly string[];
  readonly rootForbidden: readonly string[];
  readonly sameSubtree: readonly (readonly string[])[];
}

/** A part of the request that changes nothing, and why. */
export interface IgnoredField {
  readonly field: string;
  readonly why: string;
}

/** Values of extra specs and properties as they travel. */
export type Scalar = string | number | boolean;

/** The flavor as it travels. */
export interface FlavorBody {
  readonly name?: string | null;
  readonly vcpus: number;
  readonly memory_mb: number;
  readonly root_gb?: number;
  readonly ephemeral_gb?: number;
  readonly swap?: number;
  readonly extra_specs?: Readonly<Record<string, Scalar>>;
}

/** The image as it travels. */
export interface ImageBody {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly disk_format?: string | null;
  readonly properties?: Readonly<Record<string, Scalar>>;
}

/** The request as it travels. Fields typed `unknown` are known, and refused when they ask for anything. */
export interface RequestBody {
  readonly instances?: readonly string[];
  readonly num_instances?: number;
  readonly min_count?: number | null;
  readonly flavor: FlavorBody | string;
  readonly image?: ImageBody | string | null;
  readonly is_bfv?: boolean;
  readonly project_id: string;
  readonly user_id: string;
  readonly scheduler_hints?: Readonly<Record<string, unknown>>;
  readonly ignore_hosts?: readonly string[];
  readonly request_level_params?: {
    readonly root_required?: readonly string[];
    readonly root_forbidden?: readonly string[];
    readonly same_subtree?: readonly (readonly string[])[];
  };
  readonly availability_zone?: unknown;
  readonly force_hosts?: unknown;
  readonly force_nodes?: unknown;
  readonly requested_destination?: unknown;
  readonly instance_group?: unknown;
  readonly requested_resources?: unknown;
  readonly requested_networks?: unknown;
  readonly network_metadata?: unknown;
  readonly numa_topology?: unknown;
  readonly pci_requests?: unknown;
  readonly retry?: unknown;
}
