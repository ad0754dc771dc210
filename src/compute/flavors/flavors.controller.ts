import { Controller, Param, Patch } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { INTEGER_TEXT, TEXT } from '../../platform/http/answer-schemas';
import { DtoBody } from '../../platform/http/dto-body.decorator';
import { ClientFunction, json, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Audited, Context, Policy } from '../../platform/http/route.decorators';
import { queryFault } from '../../platform/values/field-fault';
import type { Written } from '../registry';
import type { ListQuery } from '../registry-page';
import { refuseQuery } from '../registry-page';
import { registryController } from '../registry.controller';
import type { RegisteredFlavor } from './flavor.entity';
import { FLAVOR } from './flavors.responses';
import { ExtraSpecsDto, FlavorDefinitionDto, flavorFactsOf, FlavorPatchDto } from './flavors.schema';
import type { FlavorDefinition, FlavorFilter } from './flavors.service';
import { FlavorsService } from './flavors.service';

const Routes = registryController({
  service: FlavorsService,
  collection: 'flavors',
  key: 'id',
  definition: FlavorDefinitionDto,
  patch: FlavorPatchDto,
  document: FLAVOR,
  audited: ['id', 'name', 'vcpus', 'memory_mb', 'root_gb', 'ephemeral_gb', 'swap', 'extra_specs', 'generation'],
  filters: { name: TEXT, min_ram: INTEGER_TEXT, min_disk: INTEGER_TEXT },
});

@Controller('scheduler/flavors')
export class FlavorsController extends Routes {
  constructor(readonly registry: FlavorsService) {
    super();
  }

  filterOf(query: ListQuery): FlavorFilter {
    return {
      name: query.filters.last('name'),
      minRamMb: amountOf(query, 'min_ram'),
      minDiskGb: amountOf(query, 'min_disk'),
    };
  }

  definitionOf(body: FlavorDefinitionDto): FlavorDefinition {
    return { name: body.name, ...flavorFactsOf(body) };
  }

  changed(id: string, body: FlavorPatchDto): Promise<Written<RegisteredFlavor>> {
    const { name, vcpus, memory_mb: memoryMb, root_gb: rootGb, ephemeral_gb: ephemeralGb, swap: swapMb } = body;
    const change = { name, vcpus, memoryMb, rootGb, ephemeralGb, swapMb, extraSpecs: body.extra_specs };
    return this.registry.change(id, body.generation, change);
  }

  @Patch(':id/extra_specs')
  @Operation('setFlavorExtraSpecs', 'Merges extra specs into those of a flavor.', json(FLAVOR.written))
  @ClientFunction('flavors.setExtraSpecs')
  @Policy('berth:scheduler:flavors:set_extra_specs')
  @Audited('update/extra_specs', 'scheduler/flavor', ['extra_specs', 'generation'])
  async setExtraSpecs(
    @Param('id') id: string,
    @DtoBody(ExtraSpecsDto) { extra_specs: extraSpecs, generation }: ExtraSpecsDto,
    @Context() { queryText, auditContext }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    return this.answerOf(await this.registry.change(id, generation, { extraSpecs }), auditContext);
  }
}

function amountOf(query: ListQuery, name: string): number | undefined {
  const text = query.filters.last(name);
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw queryFault(name, `must be an integer, not '${text}'`);
}
