import { Controller, Get } from '@nestjs/common';
import type { Walk } from '../../domain/walk';
import { queryFault } from '../../domain/field-fault';
import { ok } from '../../http/answer';
import type { Answer } from '../../http/answer';
import { TEXT } from '../../http/answer-schemas';
import { ClientFunction, Operation, json } from '../../http/operation.decorator';
import type { RequestContext } from '../../http/request-context';
import { Context, Policy } from '../../http/route.decorators';
import { turns } from '../../turns/turns';
import { KnownNames } from '../cloud/known-names';
import { ReportedCloud } from '../cloud/reported-cloud';
import { FlavorFits, hostsThatFit } from '../fit/flavor-fits';
import { ReportQuery } from '../report-query';
import { CloudMapBody, KeptCellValues, hasTrait, useOf } from './cloud-map';
import type { CellValues } from './cloud-map';
import { CLOUD_MAP } from './map.responses';

const PARAMETERS = { resource_class: TEXT, trait: TEXT, flavor: TEXT };

@Controller('reports/map')
export class MapController {
  private readonly kept = new KeptCellValues();

  constructor(
    private readonly cloud: ReportedCloud,
    private readonly fits: FlavorFits,
    private readonly names: KnownNames,
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
    if ([resourceClass, trait, flavor].filter((given) => given !== undefined).length > 1) {
      throw queryFault('resource_class, trait, flavor', 'exclude each other: a cell has one value');
    }
    const asked = flavor === undefined ? null : await this.fits.named('flavor', flavor);
    const cloud = await this.cloud.current(caller);
    if (resourceClass !== undefined) await this.names.checkClasses(cloud.graph, 'resource_class', [resourceClass]);
    if (trait !== undefined) await this.names.checkTraits(cloud.graph, 'trait', [trait]);
    const values = ((): Walk<CellValues> | null => {
      const { graph, hosts } = cloud;
      if (resourceClass !== undefined) return this.kept.of(`use of ${resourceClass}`, hosts, useOf(resourceClass));
      if (trait !== undefined) return this.kept.of(`trait ${trait}`, hosts, hasTrait(trait));
      return asked === null ? null : fitsOf(hostsThatFit(graph, hosts, asked));
    })();
    return ok(new CloudMapBody(cloud, values === null ? null : await turns.run(values, caller)));
  }
}

function* fitsOf(fits: Walk<Uint8Array>): Walk<CellValues> {
  return Array.from(yield* fits, String);
}
