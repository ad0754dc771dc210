// PCI data: pools of equal free devices of a host, and the requests of an instance.

export type PciDeviceType = 'type-PCI' | 'type-PF' | 'type-VF' | 'type-VDPA';
export type PciNumaPolicy = 'required' | 'socket' | 'legacy' | 'preferred';

export interface PciPool {
  readonly vendorId: string;
  readonly productId: string;
  readonly devType: PciDeviceType;
  readonly numaNode: number | null;
  /** Number of free devices. */
  readonly count: number;
  readonly tags: Readonly<Record<string, string>>;
}

/**
 * `count` devices that each match one of the alternatives: every property equal, ignoring case. Null: the device does
 * not have the property.
 */
export interface PciRequest {
  readonly requestId: string | null;
  readonly aliasName: string | null;
  readonly count: number;
  readonly alternatives: readonly Readonly<Record<string, string | null>>[];
  readonly numaPolicy: PciNumaPolicy | null;
}
