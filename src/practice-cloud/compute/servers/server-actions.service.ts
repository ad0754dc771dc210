// Actions on a server. An action sets the task state, which excludes other actions, does its work with the scheduler's
// services, and records the result. An action that finds no host is recorded as failed; any other error changes no
// state.
import { Injectable } from '@nestjs/common';
import { InstancesService } from '../../../compute/instances/instances.service';
import { RegistriesConfig } from '../../../compute/registries.config';
import { textsOf } from '../../../compute/registry-schema';
import { serviceStateOf } from '../../../compute/services/service-liveness';
import type { ErrorCode } from '../../../platform/values/errors';
import { Conflict, DomainError, InvalidInput } from '../../../platform/values/errors';
import { AfterDecisionService } from '../../../scheduler/after-decision/after-decision.service';
import type { WantedMove } from '../../../scheduler/after-decision/request-again';
import type { ComputeCaller } from '../compute-request';
import { forAdministrators } from '../compute-request';
import { ComputeHosts } from '../hypervisors/compute-hosts.service';
import { flavorSnapshot, refuseSmallFlavor } from './new-servers.service';
import type { ServerCaller, ServerRequest } from './placement-of-servers';
import { PlacementOfServers } from './placement-of-servers';
import type { NewAction, ServerChange, ServerFault, VmState } from './server.entity';
import type { ComputeRebuildDto } from './servers.schema';
import type { Server } from './servers.service';
import { actionOf, refuseLocked, refuseState, ServersService } from './servers.service';
import { VisibleReferences } from './visible-references';

/** The client that requests the action. */
export interface Doer {
  readonly caller: ComputeCaller;
  readonly schedulerCaller: ServerCaller;
}

/** The change of the server. `fault` is set if the action failed. */
interface Done {
  readonly change: ServerChange;
  readonly fault?: { readonly message: string; readonly details: string } | undefined;
}

interface Action {
  /** The name in the list of actions. */
  readonly name: string;
  readonly taskState: string;
  readonly from: readonly VmState[];
  readonly isForAdmins?: true;
}

const RUNNING: readonly VmState[] = ['active', 'stopped', 'paused'];

const ACTIONS = {
  resize: { name: 'resize', taskState: 'resize_prep', from: ['active', 'stopped'] },
  confirm: { name: 'confirmResize', taskState: 'resize_confirming', from: ['resized'] },
  revert: { name: 'revertResize', taskState: 'resize_reverting', from: ['resized'] },
  migrate: { name: 'migrate', taskState: 'resize_prep', from: ['active', 'stopped'], isForAdmins: true },
  liveMigrate: { name: 'live-migration', taskState: 'migrating', from: ['active', 'paused'], isForAdmins: true },
  evacuate: { name: 'evacuate', taskState: 'rebuilding', from: ['active', 'stopped', 'error'], isForAdmins: true },
  shelve: { name: 'shelve', taskState: 'shelving', from: [...RUNNING, 'suspended'] },
  /** From the state `shelved`, which no server has here: shelving frees the resources at once. */
  shelveOffload: { name: 'shelveOffload', taskState: 'shelving_offloading', from: [], isForAdmins: true },
  unshelve: { name: 'unshelve', taskState: 'unshelving', from: ['shelved_offloaded'] },
  rebuild: { name: 'rebuild', taskState: 'rebuilding', from: ['active', 'stopped', 'error'] },
} as const satisfies Readonly<Record<string, Action>>;

/** Actions that affect only the guest. Berth runs no guests, so they only change the state of the server. */
const GUEST_ACTIONS = {
  softReboot: { name: 'reboot', taskState: 'rebooting', from: ['active'], to: 'active' },
  hardReboot: { name: 'reboot', taskState: 'rebooting_hard', from: [...RUNNING, 'suspended', 'error'], to: 'active' },
  'os-start': { name: 'start', taskState: 'powering-on', from: ['stopped'], to: 'active' },
  'os-stop': { name: 'stop', taskState: 'powering-off', from: ['active', 'error'], to: 'stopped' },
  pause: { name: 'pause', taskState: 'pausing', from: ['active'], to: 'paused' },
  unpause: { name: 'unpause', taskState: 'unpausing', from: ['paused'], to: 'active' },
  suspend: { name: 'suspend', taskState: 'suspending', from: ['active'], to: 'suspended' },
  resume: { name: 'resume', taskState: 'resuming', from: ['suspended'], to: 'active' },
} as const satisfies Readonly<Record<string, Action & { readonly to: VmState }>>;

export type GuestAction = keyof typeof GUEST_ACTIONS;

/** Error codes of a search that found no host. */
const NO_HOST: readonly ErrorCode[] = ['scheduler.no_valid_host', 'scheduler.no_candidates', 'scheduler.claims_lost'];

@Injectable()
export class ServerActionsService {
  constructor(
    private readonly servers: ServersService,
    private readonly references: VisibleReferences,
    private readonly placement: PlacementOfServers,
    private readonly after: AfterDecisionService,
    private readonly instances: InstancesService,
    private readonly hosts: ComputeHosts,
    private readonly config: RegistriesConfig,
  ) {}

  /** Throws not_found, conflict, invalid_input. */
  resize(id: string, flavorRef: string, doer: Doer): Promise<ServerFault | null> {
    return this.run(id, ACTIONS.resize, doer, async (server) => {
      const flavor = await this.references.flavor('resize.flavorRef', flavorRef, doer.caller);
      if (flavor.id === server.flavor.id) throw new InvalidInput('When resizing, instances must change flavor!');
      const request = { ...requestOf(server), flavor: flavor.id };
      return this.moved(server, { type: 'resize', flavor: flavor.id }, doer, () =>
        Promise.resolve({ ...resized(server), flavor: flavorSnapshot(flavor), request }),
      );
    });
  }

  migrate(id: string, host: string | null, doer: Doer): Promise<ServerFault | null> {
    return this.run(id, ACTIONS.migrate, doer, async (server) => {
      await this.refuseUnknownTarget(host);
      return this.moved(server, { type: 'cold_migrate', host }, doer, () => Promise.resolve(resized(server)));
    });
  }

  confirmResize(id: string, doer: Doer): Promise<ServerFault | null> {
    return this.run(id, ACTIONS.confirm, doer, async ({ uuid, details }) => {
      await this.after.confirmMove(uuid);
      return { change: { vmState: details.stateBeforeResize ?? 'active', oldFlavor: null } };
    });
  }

  revertResize(id: string, doer: Doer): Promise<ServerFault | null> {
    return this.run(id, ACTIONS.revert, doer, async (server) => {
      await this.after.revertMove(server.uuid);
      const flavor = server.oldFlavor ?? server.flavor;
      const request = { ...requestOf(server), flavor: flavor.id };
      const vmState = server.details.stateBeforeResize ?? 'active';
      return { change: { vmState, oldFlavor: null, flavor, request } };
    });
  }

  liveMigrate(id: string, host: string | null, doer: Doer): Promise<ServerFault | null> {
    return this.run(id, ACTIONS.liveMigrate, doer, async (server) => {
      await this.refuseUnknownTarget(host);
      return this.moved(server, { type: 'live_migrate', host }, doer, () => this.confirmed(server, {}));
    });
  }

  /** Refused unless the host of the server is down. */
  evacuate(id: string, host: string | null, doer: Doer): Promise<ServerFault | null> {
    return this.run(id, ACTIONS.evacuate, doer, async (server) => {
      if (host !== null) await this.hosts.refuseUnknown(host);
      await this.refuseHostInUse(server, doer);
      const vmState = server.vmState === 'error' ? 'active' : server.vmState;
      return this.moved(server, { type: 'evacuate', host }, doer, () =>
        this.confirmed(server, { vmState, fault: null }),
      );
    });
  }

  /** Releases the allocations of the server. */
  shelve(id: string, doer: Doer): Promise<ServerFault | null> {
    return this.run(id, ACTIONS.shelve, doer, async ({ uuid }) => {
      await this.instances.releaseAll([uuid]);
      return { change: { vmState: 'shelved_offloaded' } };
    });
  }

  shelveOffload(id: string, doer: Doer): Promise<ServerFault | null> {
    return this.run(id, ACTIONS.shelveOffload, doer, () => Promise.resolve({ change: {} }));
  }

  /** Places the server with its original request, optionally in another zone or on a given host. */
  async unshelve(
    id: string,
    { zone, host }: { readonly zone: string | null | undefined; readonly host: string | undefined },
    doer: Doer,
  ): Promise<ServerFault | null> {
    if (host !== undefined && !doer.caller.isAdmin) throw forAdministrators('To choose a host');
    return this.run(id, ACTIONS.unshelve, doer, async (server) => {
      await this.refuseUnknownTarget(host);
      const {
        force_hosts: _hosts,
        force_nodes: _nodes,
        requested_destination: _there,
        ...schedulerRequest
      } = requestOf(server);
      const request = { ...schedulerRequest, ...(zone !== undefined && { availability_zone: zone }) };
      const target = host === undefined ? request : { ...request, requested_destination: { host } };
      const how = { schedulerCaller: doer.schedulerCaller, minCount: 1, alternates: false };
      const { fault } = await this.placement.place(target, [server], how);
      if (fault !== null) return { change: {}, fault };
      return { change: { vmState: 'active', request, launchedAtMs: Date.now() } };
    });
  }

  /** If the image differs, the filters that read images check it on the current host of the server. */
  rebuild(id: string, rebuildBody: ComputeRebuildDto, doer: Doer): Promise<ServerFault | null> {
    return this.run(id, ACTIONS.rebuild, doer, async (server) => {
      const image = await this.references.image('rebuild.imageRef', rebuildBody.imageRef, doer.caller);
      refuseSmallFlavor(server.flavor, image, server.imageUuid === null);
      const { metadata, name, description, key_name: keyName } = rebuildBody;
      if (typeof keyName === 'string') await this.references.keypair('rebuild.key_name', keyName, doer.caller);
      const imageUuid = image.uuid;
      const request = { ...requestOf(server), image: imageUuid };
      const fault = imageUuid === server.imageUuid ? null : await this.imageFault(server, request, doer);
      if (fault !== null) return { change: { vmState: 'error', fault }, fault };
      await this.instances.changeImage(server.uuid, image);
      const said = { ...(description !== undefined && { description }), ...(keyName !== undefined && { keyName }) };
      const details = { ...server.details, ...said };
      const given = { ...(name !== undefined && { name }), ...(metadata && { metadata: textsOf(metadata) }) };
      const vmState = server.vmState === 'stopped' ? 'stopped' : 'active';
      return { change: { vmState, fault: null, imageUuid, request, details, ...given } };
    });
  }

  inGuest(id: string, action: GuestAction, doer: Doer): Promise<ServerFault | null> {
    const { to: vmState, ...how } = GUEST_ACTIONS[action];
    return this.run(id, how, doer, () => Promise.resolve({ change: { vmState, fault: null } }));
  }

  /** Null unlocks the server. Only administrators unlock what another project locked. */
  async lock(
    id: string,
    lock: { readonly reason: string | null } | null,
    { caller, schedulerCaller }: Doer,
  ): Promise<void> {
    const startedAtMs = Date.now();
    const server = await this.servers.get(id, caller);
    const { isLocked, lockedBy = null } = server.details;
    const by = server.projectId === caller.projectId ? ('owner' as const) : ('admin' as const);
    if (lock !== null && isLocked && by === 'owner') return;
    if (lock === null && lockedBy === 'admin' && !caller.isAdmin)
      throw new DomainError('forbidden', `Instance ${server.uuid} is locked by an administrator.`);
    const locked = { isLocked: lock !== null, lockedBy: lock === null ? null : by, lockedReason: lock?.reason ?? null };
    const details = { ...server.details, ...locked };
    const done = { name: lock === null ? 'unlock' : 'lock', startedAtMs, change: { details } };
    await this.record(server, done, { caller, schedulerCaller });
  }

  /** Sets the state even while an action is in progress. */
  async resetState(id: string, vmState: 'active' | 'error', { caller, schedulerCaller }: Doer): Promise<void> {
    if (!caller.isAdmin) throw forAdministrators('os-resetState');
    const startedAtMs = Date.now();
    const server = await this.servers.get(id, caller);
    const change = { vmState, taskState: null, oldFlavor: null };
    await this.record(server, { name: 'reset_state', startedAtMs, change }, { caller, schedulerCaller });
  }

  /** Returns null, or the reason why the action failed. */
  private async run(
    id: string,
    { name, taskState, from, isForAdmins }: Action,
    { caller, schedulerCaller }: Doer,
    work: (server: Server) => Promise<Done>,
  ): Promise<ServerFault | null> {
    const startedAtMs = Date.now();
    const server = await this.servers.get(id, caller);
    if (isForAdmins === true && !caller.isAdmin) throw forAdministrators(name);
    refuseLocked(server, caller);
    refuseState(server, from, name);
    if (server.launchedAtMs === null)
      throw new Conflict(`Cannot '${name}' instance ${server.uuid}, which was never on a host`);
    await this.servers.take(server, taskState, name);
    let done: Done;
    try {
      done = await work(server);
    } catch (error) {
      await this.servers.leave(server.uuid);
      throw error;
    }
    const { change, fault } = done;
    const { message = null, details = null } = fault ?? {};
    const finished = { name, startedAtMs, change: { ...change, taskState: null } };
    const more = { message, details, host: server.instance?.host ?? null };
    await this.record(server, finished, { caller, schedulerCaller }, more);
    return fault === undefined ? null : { message: fault.message, details: fault.details, atMs: startedAtMs };
  }

  /** An action belongs to the caller that requested it, not to the owner of the server. */
  private record(
    { uuid }: Server,
    {
      name,
      startedAtMs,
      change,
    }: { readonly name: string; readonly startedAtMs: number; readonly change: ServerChange },
    { caller, schedulerCaller: { requestId } }: Doer,
    more: Partial<NewAction> = {},
  ): Promise<void> {
    return this.servers.record(uuid, change, {
      ...actionOf(uuid, caller, { action: name, requestId, startedAtMs }),
      ...more,
    });
  }

  /** Claims another host; `then` returns the change of the server after a successful claim. */
  private async moved(
    server: Server,
    {
      host = null,
      flavor = null,
      type,
    }: Pick<WantedMove, 'type'> & Partial<Pick<WantedMove, 'flavor'>> & { host?: string | null },
    { schedulerCaller }: Doer,
    then: () => Promise<ServerChange>,
  ): Promise<Done> {
    await this.endLeftMove(server);
    const target = host === null ? null : { host, node: null };
    try {
      await this.after.move(server.uuid, { type, flavor, target, ignoreHosts: [] }, schedulerCaller);
    } catch (error) {
      if (!(error instanceof DomainError) || !NO_HOST.includes(error.code)) throw error;
      return { change: {}, fault: { message: 'No valid host was found.', details: error.message } };
    }
    return { change: await then() };
  }

  private async confirmed({ uuid }: Server, change: ServerChange): Promise<ServerChange> {
    await this.after.confirmMove(uuid);
    return change;
  }

  /** Confirms the move of an interrupted action. The server is not resized, so it is on the target of that move. */
  private async endLeftMove({ uuid, instance }: Server): Promise<void> {
    if (instance?.state === 'moving') await this.after.confirmMove(uuid);
  }

  private async refuseUnknownTarget(host: string | null | undefined): Promise<void> {
    if (host === null || host === undefined || (await this.hosts.isKnown(host))) return;
    throw new InvalidInput(`Compute host ${host} could not be found.`);
  }

  private async refuseHostInUse({ instance }: Server, { schedulerCaller }: Doer): Promise<void> {
    if (instance === undefined) return;
    const { host, hostUuid } = instance;
    const service = (await this.hosts.ofRoots(new Set([hostUuid]), schedulerCaller)).get(hostUuid)?.service ?? null;
    const isDown = service !== null && serviceStateOf(service, Date.now(), this.config.serviceDownSeconds) === 'down';
    if (!isDown) throw new InvalidInput(`Compute service of ${host} is still in use.`);
  }

  private async imageFault(
    server: Server,
    request: ServerRequest,
    { schedulerCaller }: Doer,
  ): Promise<ServerFault | null> {
    const { instance } = server;
    if (instance === undefined) return null;
    const check: ServerRequest = {
      ...request,
      scheduler_hints: { ...request.scheduler_hints, _nova_check_type: ['rebuild'] },
      force_hosts: [instance.host],
      force_nodes: [instance.node],
    };
    return (await this.placement.place(check, [server], { schedulerCaller, minCount: 1, alternates: false })).fault;
  }
}

const requestOf = ({ request }: Server): ServerRequest => request as ServerRequest;

/** The change of a server that a resize or a migration has moved. It returns to its state when the move ends. */
const resized = ({ vmState, flavor, details }: Server): ServerChange => ({
  vmState: 'resized',
  oldFlavor: flavor,
  details: { ...details, stateBeforeResize: vmState },
});
