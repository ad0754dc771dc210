// The Image API on top of the registry of images. It converts documents to the stored form; the owner of an image
// decides who can change it. Uploaded data is measured and discarded.
import type { Readable } from 'node:stream';
import { Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Written } from '../../compute/registry';
import { PRACTICE_CLOUD_LIMITS } from '../../platform/config/limits/practice-cloud';
import type { Answer } from '../../platform/http/answer';
import { created, noContent, ok, pathOf } from '../../platform/http/answer';
import { listOf, TEXT } from '../../platform/http/answer-schemas';
import { json, located, NOTHING, Operation } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Audited, Context, Policy, Received } from '../../platform/http/route.decorators';
import { StreamsBody } from '../../platform/http/streamed-bodies';
import { closed } from '../../platform/microversion/versioned-schema';
import { Conflict, DomainError, NotFound } from '../../platform/values/errors';
import { shown } from '../../platform/values/field-fault';
import { canonicalUuid } from '../../platform/values/uuid';
import type { PracticeCaller } from '../caller';
import { callerOf } from '../caller';
import { JsonDocument, PracticeController } from '../practice-cloud.decorators';
import { ANY_DOCUMENT, PAGE } from '../practice-cloud.responses';
import type { ImageDocument, ShownImage, StoredImage } from './image-document';
import {
  createdDocument,
  imageRecordOf,
  imageStatusOf,
  presentImageDocument,
  storedImage,
  writableOf,
} from './image-document';
import { imageListQueryOf } from './image-list';
import { patched, patchOf } from './image-patch';
import { IMAGE_SCHEMA } from './image-schemas';
import { PracticeImages } from './images.repository';
import { PracticeImagesService } from './images.service';
import { measureData } from './measure-data';

const PATCH_TYPES: readonly string[] = [
  'application/openstack-images-v2.1-json-patch',
  'application/openstack-images-v2.0-json-patch',
];
const DATA_TYPE = 'application/octet-stream';

const IMAGES = json(closed({ images: listOf(ANY_DOCUMENT), first: TEXT, next: TEXT, schema: TEXT }, ['next']));
const IMAGE_LIST = {
  ...PAGE,
  name: TEXT,
  disk_format: TEXT,
  visibility: { ...TEXT, description: '`all`, or that of the images.' },
  sort: { ...TEXT, description: 'Keys, each with `:asc` or `:desc`, separated by commas.' },
  sort_key: TEXT,
  sort_dir: TEXT,
  tag: { ...TEXT, description: 'A tag that the images have.' },
};
const DATA = { type: 'string', format: 'binary' };

/** Fields in the audit log. Properties are omitted, because users can write arbitrary data into them. */
const SHOWN = ['id', 'name', 'disk_format', 'visibility', 'owner', 'protected'];

const ImageIdParam = (): ParameterDecorator =>
  Param('image_id', {
    transform: (text: string): string => {
      const uuid = canonicalUuid(text);
      if (uuid === undefined) throw new NotFound(`There is no image ${text}.`);
      return uuid;
    },
  });

const DataBody = (): ParameterDecorator =>
  Received({
    transform: (request: FastifyRequest): Readable => {
      refuseAllBut(DATA_TYPE)(request);
      return request.body as Readable;
    },
  });

const refuseAllBut =
  (...types: readonly string[]) =>
  ({ berth: { mediaType = 'None' } }: FastifyRequest): void => {
    if (types.includes(mediaType)) return;
    throw new DomainError('unsupported_media_type', `The media type ${mediaType} is not supported here`);
  };

@PracticeController('image/v2')
export class PracticeImagesController {
  constructor(
    private readonly registry: PracticeImages,
    private readonly images: PracticeImagesService,
  ) {}

  @Get('images')
  @Operation('listPracticeImages', 'Lists images.', IMAGES, { query: IMAGE_LIST })
  @Policy('berth:practice_cloud:image:images:list')
  async list(@Context() context: RequestContext): Promise<Answer> {
    const { images, isFull } = await this.images.list(imageListQueryOf(context.queryText), callerOf(context));
    const last = images.at(-1);
    return ok({
      images: images.map(presentImageDocument),
      first: linkOf(context, undefined),
      ...(isFull && last !== undefined && { next: linkOf(context, last.uuid) }),
      schema: '/v2/schemas/images',
    });
  }

  @Post('images')
  @Operation(
    'createPracticeImage',
    'Creates an image without data.',
    { 201: located(json(ANY_DOCUMENT)) },
    { body: ANY_DOCUMENT },
  )
  @Policy('berth:practice_cloud:image:images:create')
  @Audited('create', 'image/image', SHOWN)
  async create(
    @JsonDocument(createdDocument) { id, document }: ReturnType<typeof createdDocument>,
    @Context() context: RequestContext,
  ): Promise<Answer> {
    const caller = callerOf(context);
    const owned = new Map([['owner', caller.projectId], ...document]);
    const image = judged(storedImage(owned, undefined), undefined, caller);
    return this.written(await this.registry.make(image, id), context);
  }

  @Get('images/:image_id')
  @Operation('showPracticeImage', 'Shows an image.', json(ANY_DOCUMENT))
  @Policy('berth:practice_cloud:image:images:show')
  async show(@ImageIdParam() uuid: string, @Context() context: RequestContext): Promise<Answer> {
    return ok(presentImageDocument(await this.images.visible(uuid, callerOf(context))));
  }

  @Patch('images/:image_id')
  @Operation('updatePracticeImage', 'Changes fields and properties of an image.', json(ANY_DOCUMENT), {
    body: listOf(ANY_DOCUMENT),
    bodyTypes: PATCH_TYPES,
  })
  @Policy('berth:practice_cloud:image:images:update')
  @Audited('update', 'image/image', SHOWN)
  async change(
    @ImageIdParam() uuid: string,
    @JsonDocument(patchOf, refuseAllBut(...PATCH_TYPES)) operations: ReturnType<typeof patchOf>,
    @Context() context: RequestContext,
  ): Promise<Answer> {
    return this.written(await this.changed(uuid, context, (document) => patched(document, operations)), context);
  }

  @Delete('images/:image_id')
  @Operation('deletePracticeImage', 'Deletes an image.', NOTHING)
  @Policy('berth:practice_cloud:image:images:delete')
  @Audited('delete', 'image/image', SHOWN)
  async remove(@ImageIdParam() uuid: string, @Context() context: RequestContext): Promise<Answer> {
    const caller = callerOf(context);
    const image = await this.images.visible(uuid, caller);
    refuseStranger(image, caller);
    if (imageRecordOf(image).isProtected)
      throw new DomainError('forbidden', `Image ${uuid} is protected and cannot be deleted.`);
    await this.registry.remove(uuid);
    context.auditContext?.note({ before: presentImageDocument(image) });
    return noContent();
  }

  @Put('images/:image_id/tags/:tag')
  @Operation('tagPracticeImage', 'Adds a tag to an image.', NOTHING)
  @Policy('berth:practice_cloud:image:images:update')
  @Audited('update/tags', 'image/image')
  async tag(
    @ImageIdParam() uuid: string,
    @Param('tag') tag: string,
    @Context() context: RequestContext,
  ): Promise<Answer> {
    return this.retagged(uuid, context, (tags) => [...tags, tag]);
  }

  @Delete('images/:image_id/tags/:tag')
  @Operation('untagPracticeImage', 'Removes a tag of an image.', NOTHING)
  @Policy('berth:practice_cloud:image:images:update')
  @Audited('delete/tags', 'image/image')
  async untag(
    @ImageIdParam() uuid: string,
    @Param('tag') tag: string,
    @Context() context: RequestContext,
  ): Promise<Answer> {
    return this.retagged(uuid, context, (tags) => {
      if (!tags.includes(tag)) throw new NotFound(`Image ${uuid} has no tag ${shown(tag)}.`);
      return tags.filter((each) => each !== tag);
    });
  }

  @Put('images/:image_id/file')
  @Operation('uploadPracticeImageData', 'Accepts image data and stores only its size and checksums.', NOTHING, {
    body: DATA,
    bodyTypes: [DATA_TYPE],
  })
  @StreamsBody()
  @Policy('berth:practice_cloud:image:images:upload')
  @Audited('update/data', 'image/image')
  async upload(
    @ImageIdParam() uuid: string,
    @DataBody() data: Readable,
    @Context() context: RequestContext,
  ): Promise<Answer> {
    const caller = callerOf(context);
    const image = await this.images.visible(uuid, caller);
    refuseStranger(image, caller);
    refuseSecondData(image);
    const measured = await measureData(data, PRACTICE_CLOUD_LIMITS.imageBytes);
    if (measured === undefined) {
      throw new DomainError('too_large', `The data of an image has at most ${PRACTICE_CLOUD_LIMITS.imageBytes} bytes.`);
    }
    await this.registry.remake(uuid, (before) => {
      refuseSecondData(before);
      const stored = storedImage(writableOf(before), before);
      return { ...stored, record: { ...stored.record, ...measured } };
    });
    return noContent();
  }

  @Get('schemas/image')
  @Operation('showPracticeImageSchema', 'Shows the schema by which clients validate images.', json(ANY_DOCUMENT))
  @Policy('berth:practice_cloud:image:schemas:show')
  schema(): Answer {
    return ok(IMAGE_SCHEMA);
  }

  private async retagged(
    uuid: string,
    context: RequestContext,
    change: (tags: readonly string[]) => readonly string[],
  ): Promise<Answer> {
    await this.changed(uuid, context, (document) =>
      new Map(document).set('tags', change(document.get('tags') as readonly string[])),
    );
    return noContent();
  }

  /** Applies a change to the document of the image. Throws if the caller is not allowed to. */
  private changed(
    uuid: string,
    context: RequestContext,
    change: (before: ImageDocument) => ImageDocument,
  ): Promise<Written<ShownImage>> {
    const caller = callerOf(context);
    return this.registry.remake(uuid, (before) => {
      refuseStranger(before, caller);
      return judged(storedImage(change(writableOf(before)), before), before, caller);
    });
  }

  private written({ isNew, before, document }: Written<ShownImage>, { auditContext }: RequestContext): Answer {
    const presented = presentImageDocument(document);
    auditContext?.note({ before: before && presentImageDocument(before), after: presented });
    return isNew ? created(pathOf('image', 'v2', 'images', document.uuid), presented) : ok(presented);
  }
}

/** URL of the first page of the list, or of the page after the marker. */
function linkOf({ queryText }: RequestContext, marker: string | undefined): string {
  const params = new URLSearchParams(queryText);
  params.delete('marker');
  if (marker !== undefined) params.set('marker', marker);
  return params.size === 0 ? '/v2/images' : `/v2/images?${params.toString()}`;
}

/** A caller that can see the image but not change it gets forbidden. Other callers get not_found. */
function refuseStranger(image: ShownImage, { isAdmin, projectId }: PracticeCaller): void {
  const { owner, visibility } = imageRecordOf(image);
  if (isAdmin || (owner !== null && owner === projectId)) return;
  if (visibility !== 'public' && visibility !== 'community') throw new NotFound(`There is no image ${image.uuid}.`);
  throw new DomainError('forbidden', `Image ${image.uuid} does not belong to your project.`);
}

/** Refuses changes that only administrators can make. */
function judged(
  image: StoredImage,
  before: ShownImage | undefined,
  { isAdmin, projectId }: PracticeCaller,
): StoredImage {
  if (isAdmin) return image;
  const { visibility, owner } = image.record;
  if (visibility === 'public' && (before === undefined || imageRecordOf(before).visibility !== 'public')) {
    throw new DomainError('forbidden', 'visibility: only administrators make images public.');
  }
  if (owner !== projectId)
    throw new DomainError('forbidden', 'owner: only administrators give images to other projects.');
  return image;
}

function refuseSecondData(image: ShownImage): void {
  if (imageStatusOf(image) !== 'queued') throw new Conflict(`Image ${image.uuid} has its data already.`);
}
