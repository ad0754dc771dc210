import { Entity } from 'typeorm';
import { IntegerColumn, TextColumn, TimeColumn } from '../../platform/database/columns';
import type { Uuid } from '../../platform/values/uuid';
import type { GroupPolicyName } from '../../scheduling-rules/request-spec/request-spec';
import { Registered } from '../registered.entity';

@Entity('server_groups')
export class ServerGroup extends Registered {
  @TextColumn({ update: false }) readonly uuid!: Uuid;
  @TextColumn() readonly name!: string;
  @TextColumn({ nullable: true }) readonly projectId!: string | null;
  @TextColumn({ nullable: true }) readonly userId!: string | null;
  @TextColumn() readonly policy!: GroupPolicyName;
  /** For anti-affinity only; null means 1. */
  @IntegerColumn({ nullable: true }) readonly maxServerPerHost!: number | null;
  /** Incremented when a transaction locks the group's row, which serialises the placements of a group. */
  @IntegerColumn({ insert: false, update: false }) readonly version!: number;
  /** In the order in which they joined. */
  readonly members!: readonly GroupMember[];
}

@Entity('server_group_members')
export class ServerGroupMember {
  @IntegerColumn({ primary: true }) readonly groupId!: number;
  @TextColumn({ primary: true, name: 'instance_uuid' }) readonly uuid!: Uuid;
  /** The service host that runs it; null if it is not placed. */
  @TextColumn({ nullable: true }) readonly host!: string | null;
  @TimeColumn() readonly createdAtMs!: number;
}

export type GroupMember = Pick<ServerGroupMember, 'uuid' | 'host'>;
