import { Controller, Get } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { ok } from '../../platform/http/answer';
import { TEXT } from '../../platform/http/answer-schemas';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Policy } from '../../platform/http/route.decorators';
import { listQueryOf, presentPage } from '../registry-page';
import { pageIn } from '../registry-page.sql';
import { pageParameters, pageSchemaOf } from '../registry.responses';
import type { AvailabilityZone } from './availability-zones.loader';
import { AvailabilityZones } from './availability-zones.loader';
import { ZONE } from './availability-zones.responses';

const FILTERS = { name: TEXT, host: TEXT };

@Controller('scheduler/availability_zones')
export class AvailabilityZonesController {
  constructor(private readonly zones: AvailabilityZones) {}

  @Get()
  @Operation(
    'listAvailabilityZones',
    'Lists availability zones with their hosts.',
    json(pageSchemaOf('AvailabilityZones', 'availability_zones', ZONE.schema)),
    { query: pageParameters(FILTERS) },
  )
  @ClientFunction('availabilityZones.list')
  @Policy('berth:scheduler:availability_zones:list')
  async list(@Context() { queryText }: RequestContext): Promise<Answer> {
    const query = listQueryOf(queryText, Object.keys(FILTERS));
    const [name, host] = [query.filters.last('name'), query.filters.last('host')];
    const all = await this.zones.list(Date.now());
    const isFound = (zone: AvailabilityZone): boolean =>
      (name ?? zone.name) === zone.name && (host === undefined || zone.hosts.some((each) => each.host === host));
    const page = pageIn(all, (zone) => zone.name, query, isFound);
    return ok(presentPage('availability_zones', page, ZONE.present));
  }
}
