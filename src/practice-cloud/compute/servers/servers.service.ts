// Stores the names and states of servers; the registry of instances stores their hosts. The transaction that concludes
// a claim also stores the new servers, so a claim never exists without its server.
import { Injectable } from '@nestjs/common';
import type { InstanceRecord } from '../../../compute/instances/instance.entity';
import { InstancesService } from '../../../compute/instances/instances.service';
import type { Page, PageQuery } from '../../../compute/registry-page';
import { readOn, unknownMarker } from '../../../compute/registry-page';
import { cutAt, pageOf } from '../../../compute/registry-page.sql';
import { SCHEDULER_LIMITS } from '../../../platform/config/limits/scheduler';
import { Database } from '../../../platform/database/database';
import type { WriteTx } from '../../../platform/database/sql';
import { Conflict, NotFound } from '../../../platform/values/errors';
import type { Uuid } from '../../../platform/values/uuid';
import { canonicalUuid } from '../../../platform/values/uuid';
import type { ComputeCaller } from '../compute-request';
import { maySee } from '../compute-request';
import type { ServerCaller, ServerRequest } from './placement-of-servers';
import { PlacementOfServers } from './placement-of-servers';
import type {
  NewAction,
  RequestedServer,
  ServerAction,
  ServerChange,
  ServerFault,
  ServerRecord,
  VmState,
} from './server.entity';
import type { ServerUsage } from './servers.repository';
import * as repository from './servers.repository';

/** A server and its instance; undefined if it is not placed. */
export interface Server extends ServerRecord {
  readonly instance: InstanceRecord | undefined;
}

interface ServerQuery extends PageQuery {
  /** Undefined: of all projects. */
  readonly projectId: string | undefined;
  /** A listed server passes all of them. */
  readonly tests: readonly ((server: Server) => boolean)[];
}

/** Servers that a list reads and tests at once: a test can take tens of microseconds. */
const TESTED_AT_ONCE = 200;

const noSuchServer = (id: string): NotFound => new NotFound(`Instance ${id} could not be found.`);

@Injectable()
export class ServersService {
  constructor(
    private readonly db: Database,
    private readonly instances: InstancesService,
    private readonly placement: PlacementOfServers,
  ) {}

  /** Throws not_found, also if the caller must not see the server. */
  async get(id: string, caller: ComputeCaller): Promise<Server> {
    const found = await this.visible(id, caller);
    if (found === undefined) throw noSuchServer(id);
    return found;
  }

  /** Newest first. Throws invalid_input if the marker is not a server that the caller can see. */
  async list({ projectId, tests, limit, marker }: ServerQuery, caller: ComputeCaller): Promise<Page<Server>> {
    const from = marker === undefined ? undefined : await this.rowOf(marker, caller);
    const size = tests.length === 0 ? Math.min(limit + 1, SCHEDULER_LIMITS.listDefault) : TESTED_AT_ONCE;
    const found = await readOn(limit, from, async (before) => {
      const part = await this.db.readMuch(async (sql) => {
        const servers = await repository.listServers(sql, projectId, { before, limit: size });
        const uuids = servers.map(({ uuid }) => uuid);
        const placed = await this.instances.find(sql, uuids);
        return servers.map((server) => ({ ...server, instance: placed.get(server.uuid) }));
      });
      const last = part.length < size ? undefined : part.at(-1);
      return { items: part.filter((server) => tests.every((test) => test(server))), next: last?.id ?? null };
    });
    return pageOf(cutAt(limit, found), ({ uuid }) => uuid);
  }

  usageOf(projectId: string): Promise<ServerUsage> {
    return this.db.readMuch((sql) => repository.usageOf(sql, projectId));
  }

  /** Names of the servers that the caller can see, by uuid. */
  async namesOf(uuids: readonly Uuid[], caller: ComputeCaller): Promise<ReadonlyMap<Uuid, string>> {
    const rows = await this.db.read((sql) => repository.namesOf(sql, uuids));
    return new Map(rows.flatMap((row) => (maySee(caller, row.projectId) ? [[row.uuid, row.name] as const] : [])));
  }

  /**
   * Creates servers that are active on their hosts, or in error with the reason. The transaction that concludes the
   * claims writes the placed servers. Throws if the request is refused; then no server exists.
   */
  async create(servers: readonly RequestedServer[], minCount: number, schedulerCaller: ServerCaller): Promise<void> {
    const creation = { action: 'create', requestId: schedulerCaller.requestId, startedAtMs: Date.now() };
    const [{ request }] = servers as readonly [RequestedServer];
    const insert = (tx: WriteTx, isChosen: (uuid: Uuid) => boolean, reason: ServerFault | null): Promise<void> => {
      const chosen = servers.filter(({ uuid }) => isChosen(uuid));
      return insertIn(tx, chosen, creation, reason);
    };
    const { placed, fault } = await this.placement.place(request as ServerRequest, servers, {
      schedulerCaller,
      minCount,
      alternates: true,
      conclude: (tx, found) => insert(tx, (uuid) => found.includes(uuid), null),
    });
    if (fault !== null) await this.db.write((tx) => insert(tx, (uuid) => !placed.includes(uuid), fault));
  }

  /** Changes the name, the description or the metadata. Throws not_found. */
  async change(id: string, caller: ComputeCaller, changed: (before: Server) => ServerChange): Promise<Server> {
    const before = await this.get(id, caller);
    const change = changed(before);
    await this.db.write(async (tx) => {
      await repository.updateServers(tx, [before.uuid], change, Date.now());
      if (change.name !== undefined) await this.instances.renameIn(tx, before.uuid, change.name);
    });
    return this.get(before.uuid, caller);
  }

  /**
   * Deletes the server in any state. Throws not_found; conflict if it is locked and the caller is not an administrator.
   */
  async remove(id: string, caller: ComputeCaller): Promise<void> {
    const server = await this.get(id, caller);
    refuseLocked(server, caller);
    await this.db.write(async (tx) => {
      await this.instances.releaseIn(tx, [server.uuid], Date.now());
      await repository.deleteServers(tx, [server.uuid]);
    });
  }

  /** Newest first. Throws not_found. */
  async actions(id: string, caller: ComputeCaller): Promise<readonly ServerAction[]> {
    const { uuid } = await this.get(id, caller);
    return this.db.read((sql) => repository.listActions(sql, uuid));
  }

  /** Writes what an action did. Throws not_found, and releases the instance, if the server has been deleted. */
  async record(uuid: Uuid, change: ServerChange, action: NewAction): Promise<void> {
    const isThere = await this.db.write(async (tx) => {
      if ((await repository.updateServers(tx, [uuid], change, Date.now())) === 0) return false;
      await repository.insertActions(tx, [action]);
      await repository.trimActions(tx, uuid);
      return true;
    });
    if (isThere) return;
    await this.instances.releaseAll([uuid]);
    throw noSuchServer(uuid);
  }

  /** Starts an action, which excludes all other actions on the server. Throws conflict. */
  async take(server: Server, taskState: string, action: string): Promise<void> {
    if (await this.db.write((tx) => repository.takeServer(tx, server, taskState))) return;
    const now = await this.find(server.uuid);
    if (now === undefined) throw noSuchServer(server.uuid);
    const [kind, state] = now.taskState === null ? ['vm_state', now.vmState] : ['task_state', now.taskState];
    throw new Conflict(`Cannot '${action}' instance ${server.uuid} while it is in ${kind} ${state}`);
  }

  /** Ends an action that was refused. It changed nothing. */
  async leave(uuid: Uuid): Promise<void> {
    await this.db.write((tx) => repository.leaveServer(tx, uuid));
  }

  private async visible(id: string, caller: ComputeCaller): Promise<Server | undefined> {
    const uuid = canonicalUuid(id);
    const found = uuid === undefined ? undefined : await this.find(uuid);
    return found !== undefined && maySee(caller, found.projectId) ? found : undefined;
  }

  private find(uuid: Uuid): Promise<Server | undefined> {
    return this.db.read(async (sql) => {
      const found = await repository.findServer(sql, uuid);
      if (found === undefined) return undefined;
      return { ...found, instance: (await this.instances.find(sql, [uuid])).get(uuid) };
    });
  }

  private async rowOf(marker: string, caller: ComputeCaller): Promise<number> {
    const found = await this.visible(marker, caller);
    if (found === undefined) throw unknownMarker(marker);
    return found.id;
  }
}

/** Inserts servers with their create action: active, or in error with the given reason. */
async function insertIn(
  tx: WriteTx,
  servers: readonly RequestedServer[],
  creation: Pick<NewAction, 'action' | 'requestId' | 'startedAtMs'>,
  fault: ServerFault | null,
): Promise<void> {
  const nowMs = Date.now();
  const state =
    fault === null
      ? ({ vmState: 'active', launchedAtMs: nowMs } as const)
      : ({ vmState: 'error', launchedAtMs: null } as const);
  await repository.insertServers(
    tx,
    servers.map((server) => ({ ...server, ...state, taskState: null, fault })),
  );
  const { message = null, details = null } = fault ?? {};
  await repository.insertActions(
    tx,
    servers.map((server) => ({ ...actionOf(server.uuid, server, creation), finishedAtMs: nowMs, message, details })),
  );
}

/** Throws conflict unless the server is in one of the states. */
export function refuseState({ uuid, vmState }: ServerRecord, from: readonly VmState[], action: string): void {
  if (from.includes(vmState)) return;
  throw new Conflict(`Cannot '${action}' instance ${uuid} while it is in vm_state ${vmState}`);
}

/** Only administrators can act on a locked server. */
export function refuseLocked({ uuid, details }: ServerRecord, { isAdmin }: ComputeCaller): void {
  if (details.isLocked && !isAdmin) throw new Conflict(`Instance ${uuid} is locked`);
}

/** An action of this owner, which has finished now. */
export const actionOf = (
  serverUuid: Uuid,
  { projectId, userId }: Pick<ServerRecord, 'projectId' | 'userId'>,
  { action, requestId, startedAtMs }: Pick<NewAction, 'action' | 'requestId' | 'startedAtMs'>,
): NewAction => ({
  serverUuid,
  requestId,
  action,
  userId,
  projectId,
  startedAtMs,
  finishedAtMs: Date.now(),
  message: null,
  details: null,
  host: null,
});
