// Servers: names and states of servers are stored here, their hosts in the registry of instances. A new server is stored in
// the transaction that concludes its claim, so that there is neither a claim without a server nor a server without its end.
import { Injectable } from '@nestjs/common';
import type { InstanceRecord } from '../../../compute/instances/instance.entity';
import { InstancesService } from '../../../compute/instances/instances.service';
import { SCHEDULER_LIMITS } from '../../../config/limits';
import { Database } from '../../../database/database';
import { unlessGone } from '../../../database/lost-reference';
import type { WriteTx } from '../../../database/sql';
import { readOn, unknownMarker } from '../../../compute/registry-page';
import type { Page, PageQuery } from '../../../compute/registry-page';
import { cutAt, pageOf } from '../../../compute/registry-page.sql';
import { Conflict, NotFound } from '../../../domain/errors';
import { canonicalUuid } from '../../../domain/uuid';
import type { Uuid } from '../../../domain/uuid';
import { maySee } from '../compute-request';
import type { ComputeCaller } from '../compute-request';
import { PlacementOfServers } from './placement-of-servers';
import type { ServerAsker, ServerRequest } from './placement-of-servers';
import type {
  NewAction,
  RequestedServer,
  ServerAction,
  ServerChange,
  ServerFault,
  ServerRecord,
} from './server.entity';
import * as repository from './servers.repository';
import type { ServerFilter, ServerUsage } from './servers.repository';

/** A server, and where it is; undefined: nowhere. */
export interface Server extends ServerRecord {
  readonly instance: InstanceRecord | undefined;
}

interface ServerQuery extends ServerFilter, PageQuery {
  readonly host?: string | undefined;
  readonly flavorId?: string | undefined;
}

const noSuchServer = (id: string): NotFound => new NotFound(`Instance ${id} could not be found.`);

@Injectable()
export class ServersService {
  constructor(
    private readonly db: Database,
    private readonly instances: InstancesService,
    private readonly placement: PlacementOfServers,
  ) {}

  /** Throws not_found, also for what the caller does not see. */
  async get(id: string, caller: ComputeCaller): Promise<Server> {
    const uuid = canonicalUuid(id);
    const found = uuid === undefined ? undefined : await this.find(uuid);
    if (found === undefined || !maySee(caller, found.projectId)) throw noSuchServer(id);
    return found;
  }

  /** The newest first. Throws invalid_input for a marker that is no server. */
  async list(query: ServerQuery): Promise<Page<Server>> {
    const { host, flavorId, limit, marker, ...filter } = query;
    const isWanted = ({ instance, flavor }: Server): boolean =>
      (host === undefined || instance?.host === host) && (flavorId === undefined || flavor.id === flavorId);
    const from = marker === undefined ? undefined : await this.rowOf(marker);
    const found = await readOn(limit, from, async (before) => {
      const part = await this.db.readMuch(async (sql) => {
        const servers = await repository.listServers(sql, filter, { before, limit: SCHEDULER_LIMITS.listDefault });
        const uuids = servers.map(({ uuid }) => uuid);
        const placed = await this.instances.find(sql, uuids);
        return servers.map((server) => ({ ...server, instance: placed.get(server.uuid) }));
      });
      const last = part.length < SCHEDULER_LIMITS.listDefault ? undefined : part.at(-1);
      return { items: part.filter(isWanted), next: last?.id ?? null };
    });
    return pageOf(cutAt(limit, found), ({ uuid }) => uuid);
  }

  usageOf(projectId: string): Promise<ServerUsage> {
    return this.db.readMuch((sql) => repository.usageOf(sql, projectId));
  }

  namesOf(uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, string>> {
    return this.db.read((sql) => repository.namesOf(sql, uuids));
  }

  /**
   * Creates servers that are active on their hosts, or in error with the reason. Those that find a host are written in
   * the transaction that concludes their claims. Throws what the request is refused for; then there are none.
   */
  async create(servers: readonly RequestedServer[], minCount: number, asker: ServerAsker): Promise<void> {
    const creation = { action: 'create', requestId: asker.requestId, startedAtMs: Date.now() };
    const [{ request }] = servers as readonly [RequestedServer];
    const uuids = servers.map(({ uuid }) => uuid);
    const { placed, fault } = await this.placement.place(request as ServerRequest, uuids, {
      asker,
      minCount,
      alternates: true,
      conclude: (tx, found) =>
        insertIn(
          tx,
          servers.filter(({ uuid }) => found.includes(uuid)),
          creation,
          null,
        ),
    });
    if (fault !== null)
      await this.db.write((tx) =>
        insertIn(
          tx,
          servers.filter(({ uuid }) => !placed.includes(uuid)),
          creation,
          fault,
        ),
      );
  }

  /** Nothing but a name, a description, metadata. Throws not_found. */
  async change(id: string, caller: ComputeCaller, changed: (before: Server) => ServerChange): Promise<Server> {
    const before = await this.get(id, caller);
    await this.db.write((tx) => repository.updateServers(tx, [before.uuid], changed(before), Date.now()));
    return this.get(before.uuid, caller);
  }

  /** Whatever it is doing. Throws not_found; conflict for somebody who may not unlock it. */
  async remove(id: string, caller: ComputeCaller): Promise<void> {
    const server = await this.get(id, caller);
    refuseLocked(server, caller);
    await this.removeAll([server.uuid]);
  }

  /** The newest first. Throws not_found. */
  async actions(id: string, caller: ComputeCaller): Promise<readonly ServerAction[]> {
    const { uuid } = await this.get(id, caller);
    return this.db.read((sql) => repository.listActions(sql, uuid));
  }

  /** Something was done to a server, and has ended. Throws not_found when the server is gone meanwhile. */
  note(action: NewAction): Promise<void> {
    return this.db.write((tx) =>
      unlessGone(
        tx,
        () => noSuchServer(action.serverUuid),
        () => repository.insertActions(tx, [action]),
      ),
    );
  }

  /** Throws not_found when the server is gone meanwhile. */
  async finish(uuid: Uuid, change: ServerChange, action: NewAction): Promise<void> {
    const isThere = await this.db.write(async (tx) => {
      if ((await repository.updateServers(tx, [uuid], { ...change, taskState: null }, Date.now())) === 0) return false;
      await repository.insertActions(tx, [action]);
      await repository.trimActions(tx, uuid);
      return true;
    });
    if (isThere) return;
    await this.instances.releaseAll([uuid]);
    throw noSuchServer(uuid);
  }

  /** From here on nothing else is done to the server. Throws conflict. */
  async take(server: Server, taskState: string, action: string): Promise<void> {
    if (await this.db.write((tx) => repository.takeServer(tx, server, taskState))) return;
    const now = await this.find(server.uuid);
    if (now === undefined) throw noSuchServer(server.uuid);
    const [kind, state] = now.taskState === null ? ['vm_state', now.vmState] : ['task_state', now.taskState];
    throw new Conflict(`Cannot '${action}' instance ${server.uuid} while it is in ${kind} ${state}`);
  }

  /** Nothing is done to the server any more. */
  async leave(uuid: Uuid): Promise<void> {
    await this.db.write((tx) => repository.updateServers(tx, [uuid], { taskState: null }, Date.now()));
  }

  private find(uuid: Uuid): Promise<Server | undefined> {
    return this.db.read(async (sql) => {
      const found = await repository.findServer(sql, uuid);
      if (found === undefined) return undefined;
      return { ...found, instance: (await this.instances.find(sql, [uuid])).get(uuid) };
    });
  }

  private async rowOf(marker: string): Promise<number> {
    const uuid = canonicalUuid(marker);
    const found = uuid === undefined ? undefined : await this.find(uuid);
    if (found === undefined) throw unknownMarker(marker);
    return found.id;
  }

  private async removeAll(uuids: readonly Uuid[]): Promise<void> {
    await this.db.write(async (tx) => {
      await this.instances.releaseIn(tx, uuids, Date.now());
      await repository.deleteServers(tx, uuids);
    });
  }
}

/** Servers with the action that created them: active, or in error for the reason given. */
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
    servers.map((server) => ({ ...actionOf(server, creation), finishedAtMs: nowMs, message, details })),
  );
}

/** Only administrators pass by a lock. */
export function refuseLocked({ uuid, details }: ServerRecord, { isAdmin }: ComputeCaller): void {
  if (details.isLocked && !isAdmin) throw new Conflict(`Instance ${uuid} is locked`);
}

/** What is done to a server by somebody, not ended yet. */
export const actionOf = (
  { uuid, projectId, userId }: Pick<ServerRecord, 'uuid' | 'projectId' | 'userId'>,
  { action, requestId, startedAtMs }: Pick<NewAction, 'action' | 'requestId' | 'startedAtMs'>,
): NewAction => ({
  serverUuid: uuid,
  requestId,
  action,
  userId,
  projectId,
  startedAtMs,
  finishedAtMs: null,
  message: null,
  details: null,
  host: null,
});
