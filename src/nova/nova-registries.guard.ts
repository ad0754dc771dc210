// In the place of nova-scheduler, the registries of hosts, services and host aggregates show nova's. Only nova changes
// them, so a write is refused with the command of nova.
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../platform/values/errors';

/** By method and the end of the route. `{host}` and others are replaced by the parameters of the path. */
const COMMANDS: Readonly<Record<string, string>> = {
  'PATCH services/:host': 'openstack compute service set --disable {host} nova-compute (or --enable, --down, --up)',
  'DELETE services/:host': 'openstack compute service delete, with the id of the service of {host}',
  'DELETE hosts/:host/:node': 'openstack compute service delete, with the id of the service of {host}',
  'PUT hosts/:host/:node': 'nova-compute on {host} reports it to nova',
  'POST host_aggregates': 'openstack aggregate create',
  'PUT host_aggregates/:uuid': 'openstack aggregate set',
  'PATCH host_aggregates/:uuid': 'openstack aggregate set',
  'DELETE host_aggregates/:uuid': 'openstack aggregate delete',
  'POST host_aggregates/:uuid/hosts': 'openstack aggregate add host',
  'DELETE host_aggregates/:uuid/hosts/:host': 'openstack aggregate remove host, with {host}',
  'PATCH host_aggregates/:uuid/metadata': 'openstack aggregate set --property KEY=VALUE',
};

@Injectable()
export class NovaRegistriesGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const { method, params, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    const [, route = ''] = (routeOptions.url ?? '').split('/scheduler/');
    const command = COMMANDS[`${method} ${route}`];
    if (command === undefined) return true;
    const given = params as Readonly<Record<string, string>>;
    const filled = command.replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? name);
    throw new DomainError(
      'scheduler.in_use',
      `Hosts, services and host aggregates are those of nova ([nova] enabled), so only nova changes them: ${filled}.`,
    );
  }
}
