// The request as it travels: snake_case, everything but the flavor and its owner optional. Shapes are checked before
// (scheduler.schema.ts); what they mean is normalize-request.ts.

/** Values of extra specs and properties as they travel. */
export type Scalar = string | number | boolean;

/** The flavor given inline. */
export interface FlavorBody {
  readonly name?: string | null;
  readonly vcpus: number;
  readonly memory_mb: number;
  readonly root_gb?: number;
  readonly ephemeral_gb?: number;
  readonly swap?: number;
  readonly extra_specs?: Readonly<Record<string, Scalar>>;
}

/** The image given inline. */
export interface ImageBody {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly disk_format?: string | null;
  readonly properties?: Readonly<Record<string, Scalar>>;
}

/** The server group given inline. */
export interface InstanceGroupBody {
  readonly uuid?: string | null;
  readonly name?: string | null;
  readonly project_id?: string | null;
  readonly policy: 'affinity' | 'anti-affinity' | 'soft-affinity' | 'soft-anti-affinity';
  readonly rules?: { readonly max_server_per_host?: number | null } | null;
  readonly members?: readonly string[];
  readonly hosts?: readonly string[];
}

export interface RequestedDestinationBody {
  readonly host?: string | null;
  readonly node?: string | null;
  readonly cell?: string | null;
  readonly allow_cross_cell_move?: boolean;
  readonly aggregates?: readonly (readonly string[])[];
  readonly forbidden_aggregates?: readonly string[];
}

export interface RequestedResourcesBody {
  readonly requester_id: string;
  readonly resources: Readonly<Record<string, number>>;
  readonly required_traits?: readonly string[];
  readonly forbidden_traits?: readonly string[];
  readonly aggregates?: readonly (readonly string[])[];
  readonly forbidden_aggregates?: readonly string[];
  readonly in_tree?: string | null;
}

export interface RequestedNetworkBody {
  readonly network_id?: string | null;
  readonly port_id?: string | null;
  readonly vnic_type?: string | null;
  readonly aggregates?: readonly string[] | null;
}

export interface NetworkMetadataBody {
  readonly physnets?: readonly string[];
  readonly tunneled?: boolean;
}

export interface RetryBody {
  readonly num_attempts?: number;
  readonly hosts?: readonly (readonly string[])[];
}

export interface RequestBody {
  readonly instances?: readonly string[];
  readonly num_instances?: number;
  readonly min_count?: number | null;
  readonly flavor: FlavorBody | string;
  readonly image?: ImageBody | string | null;
  readonly is_bfv?: boolean;
  readonly project_id: string;
  readonly user_id: string;
  readonly availability_zone?: string | null;
  readonly scheduler_hints?: Readonly<Record<string, unknown>> | null;
  readonly ignore_hosts?: readonly string[] | null;
  readonly force_hosts?: readonly string[] | null;
  readonly force_nodes?: readonly string[] | null;
  readonly requested_destination?: RequestedDestinationBody | null;
  readonly instance_group?: InstanceGroupBody | string | null;
  readonly requested_resources?: readonly RequestedResourcesBody[] | null;
  readonly request_level_params?: {
    readonly root_required?: readonly string[];
    readonly root_forbidden?: readonly string[];
    readonly same_subtree?: readonly (readonly string[])[];
  } | null;
  readonly requested_networks?: readonly RequestedNetworkBody[] | null;
  readonly network_metadata?: NetworkMetadataBody | null;
  /** `auto`, or absent: what flavor and image ask for. A document is judged by the NUMA code. */
  readonly numa_topology?: unknown;
  /** `auto`, or absent: what the flavor asks for. A list is judged by the PCI code. */
  readonly pci_requests?: unknown;
  readonly retry?: RetryBody | null;
}
