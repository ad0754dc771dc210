import { Controller, Get } from '@nestjs/common';
import { queryFault } from '../../domain/field-fault';
import { TEXT } from '../../http/answer-schemas';
import { Operation, json } from '../../http/operation.decorator';
import type { RequestContext } from '../../http/request-context';
import { Context, Policy } from '../../http/route.decorators';
import { turns } from '../../turns/turns';
import { KnownNames } from '../cloud/known-names';
import { ReportedCloud } from '../cloud/reported-cloud';
import type { Cloud } from '../cloud/reported-cloud';
import { FlavorFits, hostsThatFit } from '../fit/flavor-fits';
import { ReportQuery } from '../report-query';
import { hasTrait, presentMap, useOf } from './cloud-map';
import type { CellValue } from './cloud-map';
import { CLOUD_MAP } from './map.responses';

const PARAMETERS = { resource_class: TEXT, trait: TEXT, flavor: TEXT };

@Controller('reports/map')
export class MapController {
  constructor(
    private readonly cloud: ReportedCloud,
    private readonly fits: FlavorFits,
    private readonly names: KnownNames,
  ) {}

  @Get()
  @Operation('showCloudMap', 'Shows every host with its place, its status and one number to colour it by.', {
    answers: { 200: json(CLOUD_MAP) },
    query: PARAMETERS,
  })
  @Policy('berth:reports:hosts')
  async show(@Context() caller: RequestContext): Promise<object> {
    const query = new ReportQuery(caller.queryText, Object.keys(PARAMETERS));
    const [resourceClass, trait, flavor] = [query.one('resource_class'), query.one('trait'), query.one('flavor')];
    if ([resourceClass, trait, flavor].filter((given) => given !== undefined).length > 1) {
      throw queryFault('resource_class, trait, flavor', 'exclude each other: a cell has one value');
    }
    const asked = flavor === undefined ? null : await this.fits.named('flavor', flavor);
    const cloud = await this.cloud.current(caller);
    const values = async (): Promise<CellValue> => {
      if (resourceClass !== undefined) return this.useIn(cloud, resourceClass);
      if (trait !== undefined) return this.traitIn(cloud, trait);
      if (asked === null) return () => null;
      const fitting = await turns.run(hostsThatFit(cloud.graph, cloud.hosts, asked), caller);
      return (host) => (fitting.has(host) ? 1 : 0);
    };
    return turns.run(presentMap(cloud, await values()), caller);
  }

  private async useIn({ graph }: Cloud, resourceClass: string): Promise<CellValue> {
    await this.names.checkClasses(graph, 'resource_class', [resourceClass]);
    return useOf(resourceClass);
  }

  private async traitIn({ graph }: Cloud, trait: string): Promise<CellValue> {
    await this.names.checkTraits(graph, 'trait', [trait]);
    return hasTrait(trait);
  }
}
