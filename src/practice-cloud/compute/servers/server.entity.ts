// Data of a server that its instance record does not have, and the actions on it.
import { Entity } from 'typeorm';
import type { RegisteredFlavor } from '../../../compute/flavors/flavor.entity';
import type { Registered } from '../../../compute/registered.entity';
import { JsonColumn, RowId, TextColumn, TimeColumn } from '../../../platform/database/columns';
import { Dated } from '../../../platform/database/dated.entity';
import type { Uuid } from '../../../platform/values/uuid';

/** `resized`: the claim on the old host is kept until the move is confirmed or reverted. */
export type VmState =
  | 'building'
  | 'active'
  | 'stopped'
  | 'paused'
  | 'suspended'
  | 'resized'
  | 'shelved_offloaded'
  | 'error';

/** A copy of the flavor, taken when the server was created or resized. */
export type ServerFlavor = Omit<RegisteredFlavor, keyof Registered>;

/** The reason for the state `error`. `details` names hosts and is for administrators only. */
export interface ServerFault {
  readonly message: string;
  readonly details: string;
  readonly atMs: number;
}

/** Values that are stored only because clients read them back. */
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
  /** `owner`: the project of the server. */
  readonly lockedBy?: 'owner' | 'admin' | null;
  readonly lockedReason: string | null;
  /** Of the last resize or migration. */
  readonly stateBeforeResize?: VmState;
}

@Entity('facade_servers')
export class ServerRecord extends Dated {
  @RowId() readonly id!: number;
  @TextColumn() readonly uuid!: Uuid;
  @TextColumn() readonly name!: string;
  @TextColumn() readonly projectId!: string;
  @TextColumn() readonly userId!: string;
  @TextColumn() readonly vmState!: VmState;
  /** The action in progress; null if there is none. */
  @TextColumn({ nullable: true }) readonly taskState!: string | null;
  @JsonColumn() readonly flavor!: ServerFlavor;
  /** Set while the server is resized. */
  @JsonColumn({ nullable: true }) readonly oldFlavor!: ServerFlavor | null;
  @TextColumn({ nullable: true }) readonly imageUuid!: Uuid | null;
  /** The scheduler request, without instances. */
  @JsonColumn() readonly request!: unknown;
  @JsonColumn() readonly metadata!: Readonly<Record<string, string>>;
  @JsonColumn() readonly details!: ServerDetails;
  @JsonColumn({ nullable: true }) readonly fault!: ServerFault | null;
  @TimeColumn({ nullable: true }) readonly launchedAtMs!: number | null;
}

export type NewServer = Omit<ServerRecord, 'id' | 'updatedAtMs'>;
/** A server without a state, before the search for a host. */
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
  /** The reason for a failure; null if the action succeeded. */
  @TextColumn({ nullable: true }) readonly message!: string | null;
  /** The reason for administrators, with names of hosts. */
  @TextColumn({ nullable: true }) readonly details!: string | null;
  @TextColumn({ nullable: true }) readonly host!: string | null;
}

export type NewAction = Omit<ServerAction, 'id'>;
