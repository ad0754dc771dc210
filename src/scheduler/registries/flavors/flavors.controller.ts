import { Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import { InvalidInput } from '../../../errors/domain-errors';
import { created, noContent, ok, pathOf } from '../../../http/answer';
import type { Answer } from '../../../http/answer';
import { DtoBody } from '../../../http/dto-body.decorator';
import type { RequestContext } from '../../../http/request-context';
import { Context, Policy } from '../../../http/route.decorators';
import { listQueryOf, presentPage, refuseQuery } from '../registry-page';
import type { ListQuery } from '../registry-page';
import { nameInPath } from '../registry-path';
import { invalidField } from '../registry-refusals';
import { textsOf } from '../registry-schema';
import { presentFlavor } from './flavors.presenter';
import type { FlavorDefinition } from './flavors.repository';
import { ExtraSpecsDto, FlavorDefinitionDto, FlavorPatchDto } from './flavors.schema';
import { FlavorsService } from './flavors.service';

@Controller('scheduler/flavors')
export class FlavorsController {
  constructor(private readonly flavors: FlavorsService) {}

  @Get()
  @Policy('berth:scheduler:flavors:list')
  async list(@Context() { queryText }: RequestContext): Promise<Answer> {
    const query = listQueryOf(queryText, ['name', 'min_ram', 'min_disk']);
    const filter = {
      name: query.filters.get('name'),
      minRamMb: amountOf(query, 'min_ram'),
      minDiskGb: amountOf(query, 'min_disk'),
    };
    return ok(presentPage('flavors', await this.flavors.list(filter, query), (flavor) => presentFlavor(flavor)));
  }

  @Post()
  @Policy('berth:scheduler:flavors:create')
  async create(
    @DtoBody(FlavorDefinitionDto) body: FlavorDefinitionDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const { flavor, warnings } = await this.flavors.create(definitionOf(body), body.id);
    return created(pathOf('scheduler', 'flavors', flavor.id), presentFlavor(flavor, warnings));
  }

  @Get(':id')
  @Policy('berth:scheduler:flavors:show')
  async show(@Param('id') id: string, @Context() { queryText }: RequestContext): Promise<Answer> {
    refuseQuery(queryText);
    return ok(presentFlavor(await this.flavors.get(id)));
  }

  @Put(':id')
  @Policy('berth:scheduler:flavors:update')
  async put(
    @Param('id') text: string,
    @DtoBody(FlavorDefinitionDto) body: FlavorDefinitionDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const id = nameInPath('id', text);
    if (body.id !== undefined && body.id !== id) throw invalidField('id', 'it is not the one of the path');
    const { isNew, flavor, warnings } = await this.flavors.put({ ...definitionOf(body), id }, body.generation);
    const document = presentFlavor(flavor, warnings);
    return isNew ? created(pathOf('scheduler', 'flavors', id), document) : ok(document);
  }

  @Patch(':id')
  @Policy('berth:scheduler:flavors:update')
  async change(
    @Param('id') id: string,
    @DtoBody(FlavorPatchDto) body: FlavorPatchDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const { name, vcpus, memory_mb: memoryMb, root_gb: rootGb, ephemeral_gb: ephemeralGb, swap: swapMb } = body;
    const { extra_specs: extraSpecs, generation } = body;
    const change = { name, vcpus, memoryMb, rootGb, ephemeralGb, swapMb, extraSpecs, generation };
    const { flavor, warnings } = await this.flavors.change(id, change);
    return ok(presentFlavor(flavor, warnings));
  }

  @Delete(':id')
  @Policy('berth:scheduler:flavors:delete')
  async remove(@Param('id') id: string, @Context() { queryText }: RequestContext): Promise<Answer> {
    refuseQuery(queryText);
    await this.flavors.remove(id);
    return noContent();
  }

  @Patch(':id/extra_specs')
  @Policy('berth:scheduler:flavors:set_extra_specs')
  async setExtraSpecs(
    @Param('id') id: string,
    @DtoBody(ExtraSpecsDto) body: ExtraSpecsDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const { extra_specs: extraSpecs, generation } = body;
    const { flavor, warnings } = await this.flavors.change(id, { extraSpecs, generation });
    return ok(presentFlavor(flavor, warnings));
  }
}

const definitionOf = (body: FlavorDefinitionDto): Omit<FlavorDefinition, 'id'> => ({
  name: body.name,
  vcpus: body.vcpus,
  memoryMb: body.memory_mb,
  rootGb: body.root_gb ?? 0,
  ephemeralGb: body.ephemeral_gb ?? 0,
  swapMb: body.swap ?? 0,
  extraSpecs: textsOf(body.extra_specs ?? {}),
});

function amountOf(query: ListQuery, name: string): number | undefined {
  const text = query.filters.get(name);
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidInput(`${name}: must be an integer, not '${text}'`);
}
