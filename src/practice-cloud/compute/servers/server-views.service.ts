// What the presenters of servers need beyond the servers: the states of their hosts, and for a single one its groups.
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RegistriesConfig } from '../../../compute/registries.config';
import { ServerGroupsService } from '../../../compute/server-groups/server-groups.service';
import type { ComputeRequest } from '../compute-request';
import { ComputeHosts } from '../hypervisors/compute-hosts.service';
import type { ServerView } from './servers.presenter';
import { presentServer } from './servers.presenter';
import type { Server } from './servers.service';

/** For the administrator of the guest; nothing sets it. */
export const newPassword = (): string => randomBytes(9).toString('base64url');

@Injectable()
export class ServerViews {
  constructor(
    private readonly groups: ServerGroupsService,
    private readonly hosts: ComputeHosts,
    private readonly config: RegistriesConfig,
  ) {}

  async of(servers: readonly Server[], computeRequest: ComputeRequest): Promise<ServerView> {
    const { serviceDownSeconds: downSeconds, defaultZone } = this.config;
    const roots = new Set(servers.flatMap(({ instance }) => instance?.hostUuid ?? []));
    const hosts = await this.hosts.ofRoots(roots, computeRequest.context);
    return { ...computeRequest, nowMs: Date.now(), downSeconds, defaultZone, hosts };
  }

  async shown(server: Server, computeRequest: ComputeRequest, present = presentServer): Promise<object> {
    const view = await this.of([server], computeRequest);
    if (!computeRequest.api.has('groupsOfServer')) return present(server, view);
    const { items } = await this.groups.list({ member: server.uuid }, { limit: 1, marker: undefined });
    return present(server, { ...view, groups: items.map(({ uuid }) => uuid) });
  }
}
