// Images as callers see them: visibility and lists.
import { Injectable } from '@nestjs/common';
import { allOf } from '../../compute/registry-page';
import { pageIn } from '../../compute/registry-page.sql';
import { NotFound } from '../../platform/values/errors';
import { canonicalUuid } from '../../platform/values/uuid';
import type { PracticeCaller } from '../caller';
import type { ShownImage } from './image-document';
import { imageRecordOf } from './image-document';
import type { ImageListQuery } from './image-list';
import { PracticeImages } from './images.repository';

@Injectable()
export class PracticeImagesService {
  constructor(private readonly images: PracticeImages) {}

  /** Throws not_found, also if the caller must not see the image. */
  async visible(uuid: string, caller: PracticeCaller): Promise<ShownImage> {
    const image = await this.find(uuid, caller);
    if (image === undefined) throw new NotFound(`There is no image ${uuid}.`);
    return image;
  }

  /** Undefined if it does not exist, or the caller must not see it. */
  async find(text: string, caller: PracticeCaller): Promise<ShownImage | undefined> {
    const uuid = canonicalUuid(text);
    const image = uuid === undefined ? undefined : ((await this.images.lookUp(uuid)) as ShownImage | undefined);
    return image !== undefined && isVisible(image, caller) ? image : undefined;
  }

  /** `isFull`: there can be more images after the last one. Throws invalid_input if the marker is not an image of the list. */
  async list({ limit, marker, matches, inOrder }: ImageListQuery, caller: PracticeCaller) {
    const all = (await allOf((page) => this.images.list({}, page))) as readonly ShownImage[];
    const found = inOrder(all.filter((image) => isVisible(image, caller) && matches(image, caller)));
    const { items: images } = pageIn(found, ({ uuid }) => uuid, { limit, marker });
    return { images, isFull: images.length === limit };
  }
}

const isVisible = (image: ShownImage, { isAdmin, projectId }: PracticeCaller): boolean => {
  const { visibility, owner } = imageRecordOf(image);
  return isAdmin || visibility === 'public' || visibility === 'community' || (owner !== null && owner === projectId);
};
