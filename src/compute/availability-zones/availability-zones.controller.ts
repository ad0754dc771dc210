import { Controller, Get } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { ok } from '../../platform/http/answer';
import { TEXT } from '../../platform/http/answer-schemas';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Policy } from '../../platform/http/route.decorators';
import { listQueryOf, presentPage, unknownMarker } from '../registry-page';
import { cutAt, pageOf } from '../registry-page.sql';
import { pageParameters, pageSchemaOf } from '../registry.responses';
import type { AvailabilityZone } from './availability-zones.loader';
import { AvailabilityZones } from './availability-zones.loader';
import { AVAILABILITY_ZONE } from './availability-zones.responses';

const FILTERS = { name: TEXT, host: TEXT };

@Controller('scheduler/availability_zones')
export class AvailabilityZonesController {
  constructor(private readonly zones: AvailabilityZones) {}

  @Get()
  @Operation(
    'listAvailabilityZones',
    'Lists availability zones with their hosts.',
    json(pageSchemaOf('AvailabilityZones', 'availability_zones', AVAILABILITY_ZONE)),
    { query: pageParameters(FILTERS) },
  )
  @ClientFunction('availabilityZones.list')
  @Policy('berth:scheduler:availability_zones:list')
  async list(@Context() { queryText }: RequestContext): Promise<Answer> {
    const query = listQueryOf(queryText, Object.keys(FILTERS));
    const [name, host] = [query.filters.last('name'), query.filters.last('host')];
    const all = await this.zones.list(Date.now());
    if (query.marker !== undefined && !all.some((zone) => zone.name === query.marker)) {
      throw unknownMarker(query.marker);
    }
    const matchingZones = all
      .filter((zone) => name === undefined || zone.name === name)
      .filter((zone) => host === undefined || zone.hosts.some((each) => each.host === host))
      .filter((zone) => query.marker === undefined || zone.name > query.marker);
    const page = pageOf(cutAt(query.limit, matchingZones), (zone) => zone.name);
    return ok(presentPage('availability_zones', page, presentZone));
  }
}

/** A zone is available if at least one of its hosts is up and enabled. */
const presentZone = ({ name, isDefault, hosts }: AvailabilityZone): object => ({
  name,
  default: isDefault,
  available: hosts.some(({ isUp, isEnabled }) => isUp && isEnabled),
  hosts_total: hosts.length,
  hosts_up: hosts.filter(({ isUp }) => isUp).length,
  hosts: hosts.map(({ host, isUp, isEnabled }) => ({
    host,
    state: isUp ? 'up' : 'down',
    status: isEnabled ? 'enabled' : 'disabled',
  })),
});
