// Client of the Compute API for what a plan needs: servers, their moves and why one failed, and services.
import { CommandFailed } from '../command-context';
import { ServiceClient, ServiceRefused } from '../remote/service-client';
import type { OpenStackSettings } from './openstack-login';
import { logIn } from './openstack-login';

/** Names the reason of a failed action, the target of a cold migration, and services by uuid. */
const VERSION = 'compute 2.84';
const TIMEOUT_MS = 60_000;
const UNAUTHORIZED = 401;
const NOT_FOUND = 404;
const NO_REASON = 'The compute service gives no reason.';

export interface Server {
  readonly status: string;
  readonly host: string | null;
  /** Null: nothing is being done to it. */
  readonly task: string | null;
}

type Fields = Readonly<Record<string, string | null | undefined>>;

export class ComputeClient {
  private client: Promise<ServiceClient> | undefined;

  constructor(private readonly settings: OpenStackSettings) {}

  /** Null: it does not exist. */
  async server(uuid: string): Promise<Server | null> {
    const answer = await this.ask((client) => client.get<{ readonly server: Fields }>(`/servers/${uuid}`)).catch(
      (error: unknown) => {
        if (error instanceof ServiceRefused && error.status === NOT_FOUND) return null;
        throw error;
      },
    );
    if (answer === null) return null;
    const { status, 'OS-EXT-SRV-ATTR:host': host, 'OS-EXT-STS:task_state': task } = answer.server;
    if (host !== undefined) return { status: status ?? '', host, task: task ?? null };
    throw new CommandFailed('These credentials do not show the hosts of servers. Use those of an administrator.');
  }

  act(uuid: string, action: object): Promise<void> {
    return this.ask((client) => client.post(`/servers/${uuid}/action`, action));
  }

  /** Why the last action on the server failed. */
  async lastFault(uuid: string): Promise<string> {
    const path = `/servers/${uuid}/os-instance-actions`;
    type Actions = { readonly instanceActions: readonly Fields[] };
    const [last] = (await this.ask((client) => client.get<Actions>(path))).instanceActions;
    if (last === undefined) return NO_REASON;
    type Action = { readonly instanceAction: { readonly events: readonly Fields[] } };
    const { instanceAction } = await this.ask((client) => client.get<Action>(`${path}/${last.request_id}`));
    const { details, traceback } = instanceAction.events.find(({ result }) => result === 'Error') ?? {};
    return details ?? traceback?.trim().split('\n').at(-1) ?? NO_REASON;
  }

  /** Disables the compute service of a host. False: it was disabled already. */
  async disable(host: string, reason: string): Promise<boolean> {
    type Services = { readonly services: readonly Fields[] };
    const query = { binary: 'nova-compute', host };
    const [service] = (await this.ask((client) => client.get<Services>('/os-services', query))).services;
    if (service === undefined) throw new CommandFailed(`The compute service knows no host '${host}'.`);
    if (service.status === 'disabled') return false;
    const change = { status: 'disabled', disabled_reason: reason };
    await this.ask((client) => client.put(`/os-services/${service.id}`, change));
    return true;
  }

  /** Logs in again once if the token has expired. */
  private async ask<T>(work: (client: ServiceClient) => Promise<T>): Promise<T> {
    const client = (this.client ??= this.connected());
    try {
      return await work(await client);
    } catch (error) {
      if (!(error instanceof ServiceRefused) || error.status !== UNAUTHORIZED) throw error;
      if (this.client === client) this.client = this.connected();
      return work(await this.client);
    }
  }

  private async connected(): Promise<ServiceClient> {
    const { token, endpoint: url } = await logIn(this.settings);
    return new ServiceClient({ url, token, isText: true, timeoutMs: TIMEOUT_MS, version: VERSION });
  }
}
