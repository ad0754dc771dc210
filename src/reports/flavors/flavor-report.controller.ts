import { Controller, Get } from '@nestjs/common';
import { pageIn } from '../../compute/registry-page.sql';
import { pageParameters } from '../../compute/registry.responses';
import { TEXT } from '../../platform/http/answer-schemas';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Policy } from '../../platform/http/route.decorators';
import { REPEATED } from '../../platform/http/schema-validator';
import { ReportQuery } from '../report-query';
import type { NewestFinding } from '../stranded/findings-cache';
import { FindingsCache } from '../stranded/findings-cache';
import { FLAVOR_REPORT, presentFlavorReport } from './flavor-report.presenter';

const PARAMETERS = pageParameters({
  flavor: { ...TEXT, [REPEATED]: true, description: 'These flavors only, by id or name.' },
});

@Controller('reports/flavors')
export class FlavorReportController {
  constructor(private readonly findings: FindingsCache) {}

  @Get()
  @Operation(
    'reportFlavors',
    'Shows how many more instances of each flavor fit, and the bottleneck for the next one.',
    json(FLAVOR_REPORT),
    { query: PARAMETERS },
  )
  @ClientFunction('reports.flavors')
  @Policy('berth:reports:flavors')
  async show(@Context() caller: RequestContext): Promise<object> {
    const query = new ReportQuery(caller.queryText, Object.keys(PARAMETERS));
    const names = query.all('flavor');
    const asked = { limit: query.limit(), marker: query.one('marker') };
    const newest = await this.newest(names);
    const all = newest.finding?.flavors ?? [];
    const wanted = new Set(names);
    const found =
      wanted.size === 0 ? all : all.filter(({ flavor }) => wanted.has(flavor.id) || wanted.has(flavor.name));
    // Before anything was found there is no page to go on from.
    const page = newest.finding === null ? { items: [], next: null } : pageIn(found, ({ flavor }) => flavor.id, asked);
    return presentFlavorReport(newest, page, Date.now());
  }

  /** How many of a flavor fit does not depend on what else is asked for; those behind the bound have a finding of their own. */
  private async newest(names: readonly string[]): Promise<NewestFinding> {
    const all = await this.findings.newest();
    if (all.finding === null) return all;
    const known = new Set(all.finding.flavors.flatMap(({ flavor }) => [flavor.id, flavor.name]));
    if (names.every((name) => known.has(name))) return all;
    return this.findings.newest(names);
  }
}
