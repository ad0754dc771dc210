import { Controller, Get } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { ok } from '../../platform/http/answer';
import { TEXT } from '../../platform/http/answer-schemas';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Policy } from '../../platform/http/route.decorators';
import { queryFault } from '../../platform/values/field-fault';
import { CloudReader } from '../../scheduler/cloud/cloud-reader';
import { KnownNames } from '../cloud/known-names';
import { FlavorFits } from '../fit/flavor-fits';
import { ReportQuery } from '../report-query';
import { FindingsCache } from '../stranded/findings-cache';
import { StrandedAmounts } from '../stranded/stranded-amounts';
import type { CellValue } from './cloud-map';
import { cloudMapBody, FlavorCells, hasTrait, strandedOf, useOf } from './cloud-map';
import { CLOUD_MAP } from './map.responses';

const PARAMETERS = {
  resource_class: TEXT,
  trait: TEXT,
  flavor: TEXT,
  stranded: { ...TEXT, description: 'A resource class: the stranded share of its capacity.' },
};

@Controller('reports/map')
export class MapController {
  constructor(
    private readonly cloud: CloudReader,
    private readonly fits: FlavorFits,
    private readonly names: KnownNames,
    private readonly findings: FindingsCache,
  ) {}

  @Get()
  @Operation(
    'showCloudMap',
    'Shows every host with its place, its status and one number to colour it by.',
    json(CLOUD_MAP),
    { query: PARAMETERS },
  )
  @ClientFunction('reports.map')
  @Policy('berth:reports:hosts')
  async show(@Context() caller: RequestContext): Promise<Answer> {
    const query = new ReportQuery(caller.queryText, Object.keys(PARAMETERS));
    const [resourceClass, trait, flavor] = [query.one('resource_class'), query.one('trait'), query.one('flavor')];
    const stranded = query.one('stranded');
    if ([resourceClass, trait, flavor, stranded].filter((given) => given !== undefined).length > 1) {
      throw queryFault('resource_class, trait, flavor, stranded', 'exclude each other: a cell has one value');
    }
    const asked = flavor === undefined ? null : await this.fits.named('flavor', flavor);
    const cloud = await this.cloud.current(caller);
    if (resourceClass !== undefined) await this.names.checkClasses(cloud.graph, 'resource_class', [resourceClass]);
    if (trait !== undefined) await this.names.checkTraits(cloud.graph, 'trait', [trait]);
    if (stranded !== undefined) await this.names.checkClasses(cloud.graph, 'stranded', [stranded]);
    const cells = asked && new FlavorCells(await this.fits.reasonsAgainst(asked, cloud, caller));
    const amounts = stranded === undefined ? null : new StrandedAmounts(await this.findings.newest());
    const valueOf = ((): CellValue | null => {
      if (resourceClass !== undefined) return useOf(resourceClass);
      if (trait !== undefined) return hasTrait(trait);
      if (stranded !== undefined) return strandedOf(stranded, amounts);
      return cells && cells.valueOf;
    })();
    const legend = { reasons: cells?.reasons ?? [], stranded: amounts?.present(cloud.atMs) ?? null };
    return ok(cloudMapBody(cloud, valueOf, legend));
  }
}
