import { Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import { created, noContent, ok, pathOf } from '../../../http/answer';
import type { Answer } from '../../../http/answer';
import { DtoBody } from '../../../http/dto-body.decorator';
import type { RequestContext } from '../../../http/request-context';
import { Context, Policy } from '../../../http/route.decorators';
import { listQueryOf, presentPage, refuseQuery } from '../registry-page';
import { refuseOtherUuid, uuidInPath } from '../registry-path';
import { textsOf } from '../registry-schema';
import { presentImage } from './images.presenter';
import type { ImageDefinition } from './images.repository';
import { ImageDefinitionDto, ImagePatchDto } from './images.schema';
import { ImagesService } from './images.service';

@Controller('scheduler/images')
export class ImagesController {
  constructor(private readonly images: ImagesService) {}

  @Get()
  @Policy('berth:scheduler:images:list')
  async list(@Context() { queryText }: RequestContext): Promise<Answer> {
    const query = listQueryOf(queryText, ['name', 'disk_format']);
    const filter = { name: query.filters.get('name'), diskFormat: query.filters.get('disk_format') };
    return ok(presentPage('images', await this.images.list(filter, query), (image) => presentImage(image)));
  }

  @Post()
  @Policy('berth:scheduler:images:create')
  async create(
    @DtoBody(ImageDefinitionDto) body: ImageDefinitionDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const { image, warnings } = await this.images.create(definitionOf(body), body.uuid?.toLowerCase());
    return created(pathOf('scheduler', 'images', image.uuid), presentImage(image, warnings));
  }

  @Get(':uuid')
  @Policy('berth:scheduler:images:show')
  async show(@Param('uuid') uuid: string, @Context() { queryText }: RequestContext): Promise<Answer> {
    refuseQuery(queryText);
    return ok(presentImage(await this.images.get(uuidInPath('uuid', uuid))));
  }

  @Put(':uuid')
  @Policy('berth:scheduler:images:update')
  async put(
    @Param('uuid') text: string,
    @DtoBody(ImageDefinitionDto) body: ImageDefinitionDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const uuid = uuidInPath('uuid', text);
    refuseOtherUuid(uuid, body.uuid);
    const { isNew, image, warnings } = await this.images.put({ ...definitionOf(body), uuid }, body.generation);
    const document = presentImage(image, warnings);
    return isNew ? created(pathOf('scheduler', 'images', uuid), document) : ok(document);
  }

  @Patch(':uuid')
  @Policy('berth:scheduler:images:update')
  async change(
    @Param('uuid') uuid: string,
    @DtoBody(ImagePatchDto) body: ImagePatchDto,
    @Context() { queryText }: RequestContext,
  ): Promise<Answer> {
    refuseQuery(queryText);
    const { name, disk_format: diskFormat, properties, generation } = body;
    const change = { name, diskFormat, properties, generation };
    const { image, warnings } = await this.images.change(uuidInPath('uuid', uuid), change);
    return ok(presentImage(image, warnings));
  }

  @Delete(':uuid')
  @Policy('berth:scheduler:images:delete')
  async remove(@Param('uuid') uuid: string, @Context() { queryText }: RequestContext): Promise<Answer> {
    refuseQuery(queryText);
    await this.images.remove(uuidInPath('uuid', uuid));
    return noContent();
  }
}

const definitionOf = (body: ImageDefinitionDto): Omit<ImageDefinition, 'uuid'> => ({
  name: body.name ?? null,
  diskFormat: body.disk_format ?? null,
  properties: textsOf(body.properties ?? {}),
});
