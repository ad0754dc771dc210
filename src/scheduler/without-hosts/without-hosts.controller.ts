import 'reflect-metadata';
import { Controller, Post } from '@nestjs/common';
import { refuseQuery } from '../../compute/registry-page';
import { IsNames } from '../../compute/registry-schema';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { ANYTHING, byName, COUNT, listOf, orNull, TEXT, UUID } from '../../platform/http/answer-schemas';
import { DtoBody } from '../../platform/http/dto-body.decorator';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { ChangesNothing, Context, Policy, Weighed } from '../../platform/http/route.decorators';
import { closed, named } from '../../platform/microversion/versioned-schema';
import type { TriedGroup } from './without-hosts.service';
import { WithoutHostsService } from './without-hosts.service';

export class WithoutHostsDto {
  @IsNames(SCHEDULER_LIMITS.hostsNamed) readonly hosts!: readonly string[];
}

/** `groups` in the order of the trial: each finds the room that the ones before it left. */
const WITHOUT_HOSTS = named(
  'TriedWithoutHosts',
  closed({
    request_id: TEXT,
    instances: COUNT,
    placed: COUNT,
    groups: listOf(
      closed({
        request: byName(ANYTHING),
        instances: listOf(closed({ uuid: UUID, name: orNull(TEXT), host: TEXT })),
        placed: COUNT,
        places: listOf(closed({ host: TEXT, instances: COUNT })),
        reason: orNull(TEXT),
      }),
    ),
  }),
);

@Controller('scheduler/without_hosts')
export class WithoutHostsController {
  constructor(private readonly without: WithoutHostsService) {}

  @Post()
  @Operation('tryWithoutHosts', 'Shows where the instances of hosts would go without these hosts.', json(WITHOUT_HOSTS))
  @ClientFunction('scheduler.withoutHosts')
  @Policy('berth:scheduler:without_hosts')
  @ChangesNothing()
  @Weighed()
  async try(@DtoBody(WithoutHostsDto) { hosts }: WithoutHostsDto, @Context() caller: RequestContext): Promise<object> {
    refuseQuery(caller.queryText);
    const groups = await this.without.try([...new Set(hosts)], caller);
    return {
      request_id: caller.requestId,
      instances: groups.reduce((sum, { instances }) => sum + instances.length, 0),
      placed: groups.reduce((sum, group) => sum + group.hosts.length, 0),
      groups: groups.map(presentGroup),
    };
  }
}

function presentGroup({ request, instances, hosts, reason }: TriedGroup): object {
  const counts = new Map<string, number>();
  for (const host of hosts) counts.set(host, (counts.get(host) ?? 0) + 1);
  return {
    request,
    instances: instances.map(({ uuid, name, host }) => ({ uuid, name, host })),
    placed: hosts.length,
    places: Array.from(counts, ([host, count]) => ({ host, instances: count })),
    reason,
  };
}
