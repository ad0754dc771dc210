// What a server is besides the instance that Berth placed, and what was done to it.
import { Entity } from 'typeorm';
import { JsonColumn, RowId, TextColumn, TimeColumn } from '../../../database/columns';
import type { RegisteredFlavor } from '../../../compute/flavors/flavor.entity';
import type { Registered } from '../../../compute/registered.entity';
import { Dated } from '../../../database/dated.entity';
import type { Uuid } from '../../../domain/uuid';

/** `resized`: where it was is kept for it until the move is confirmed or reverted. */
export type VmState =
  'building' | 'active' | 'stopped' | 'paused' | 'suspended' | 'resized' | 'shelved_offloaded' | 'error';

/** A flavor as it was when the server got it. */
export type ServerFlavor = Omit<RegisteredFlavor, keyof Registered>;

/** Why a server is in error. `details` is for administrators: it names hosts. */
export interface ServerFault {
  readonly message: string;
  readonly details: string;
  readonly atMs: number;
}

/** What is kept because clients read it again. */
interface ServerDetails {
  readonly description: string | null;
  readonly hostname: string;
  readonly reservationId: string;
  readonly launchIndex: number;
  readonly keyName: string | null;
  readonly diskConfig: string;
  readonly configDrive: string;
  readonly accessIPv4: string;
  readonly accessIPv6: string;
  readonly hasNetwork: boolean;
  readonly securityGroups: readonly string[];
  readonly tags: readonly string[];
  readonly isLocked: boolean;
  readonly lockedReason: string | null;
}

@Entity('facade_servers')
export class ServerRecord extends Dated {
  @RowId() readonly id!: number;
  @TextColumn() readonly uuid!: Uuid;
  @TextColumn() readonly name!: string;
  @TextColumn() readonly projectId!: string;
  @TextColumn() readonly userId!: string;
  @TextColumn() readonly vmState!: VmState;
  /** What is being done to it; null: nothing. */
  @TextColumn({ nullable: true }) readonly taskState!: string | null;
  @JsonColumn() readonly flavor!: ServerFlavor;
  /** While it is resized. */
  @JsonColumn({ nullable: true }) readonly oldFlavor!: ServerFlavor | null;
  @TextColumn({ nullable: true }) readonly imageUuid!: Uuid | null;
  /** The request as it is sent to the scheduler, without instances. */
  @JsonColumn() readonly request!: unknown;
  @JsonColumn() readonly metadata!: Readonly<Record<string, string>>;
  @JsonColumn() readonly details!: ServerDetails;
  @JsonColumn({ nullable: true }) readonly fault!: ServerFault | null;
  @TimeColumn({ nullable: true }) readonly launchedAtMs!: number | null;
}

export type NewServer = Omit<ServerRecord, 'id' | 'updatedAtMs'>;
/** A server that has no state yet, since no host has been looked for. */
export type RequestedServer = Omit<NewServer, 'vmState' | 'taskState' | 'fault' | 'launchedAtMs'>;
export type ServerChange = Partial<Omit<ServerRecord, 'id' | 'uuid' | 'createdAtMs'>>;

@Entity('facade_server_actions')
export class ServerAction {
  @RowId() readonly id!: number;
  @TextColumn() readonly serverUuid!: Uuid;
  @TextColumn() readonly requestId!: string;
  @TextColumn() readonly action!: string;
  @TextColumn() readonly userId!: string;
  @TextColumn() readonly projectId!: string;
  @TimeColumn() readonly startedAtMs!: number;
  @TimeColumn({ nullable: true }) readonly finishedAtMs!: number | null;
  /** Why it failed; null: it did not. */
  @TextColumn({ nullable: true }) readonly message!: string | null;
  /** The same for administrators: it names hosts. */
  @TextColumn({ nullable: true }) readonly details!: string | null;
  @TextColumn({ nullable: true }) readonly host!: string | null;
}

export type NewAction = Omit<ServerAction, 'id'>;
