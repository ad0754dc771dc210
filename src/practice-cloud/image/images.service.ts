// Images as callers see them: visibility and lists.
import { Injectable } from '@nestjs/common';
import { readOn } from '../../compute/registry-page';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { NotFound } from '../../platform/values/errors';
import type { FacadeCaller } from '../caller';
import type { ShownImage } from './image-document';
import { imageRecordOf } from './image-document';
import type { ImageListQuery } from './image-list';
import { FacadeImages } from './images.repository';

interface ImagePage {
  readonly images: readonly ShownImage[];
  /** True if there can be more images after the last one. */
  readonly isFull: boolean;
}

@Injectable()
export class FacadeImagesService {
  constructor(private readonly images: FacadeImages) {}

  /** Throws not_found, also if the caller must not see the image. */
  async visible(uuid: string, caller: FacadeCaller): Promise<ShownImage> {
    const image = (await this.images.get(uuid)) as ShownImage;
    if (!isVisible(image, caller)) throw new NotFound(`There is no image ${uuid}.`);
    return image;
  }

  /** In the order of creation. Reads pages of the registry until it has enough images. */
  async list({ filter, limit, marker: from, matches }: ImageListQuery, caller: FacadeCaller): Promise<ImagePage> {
    if (limit === 0) return { images: [], isFull: false };
    const found = await readOn(limit - 1, from, async (marker: string | undefined) => {
      const { items, next } = await this.images.list(filter, { limit: SCHEDULER_LIMITS.listDefault, marker });
      const images = items as readonly ShownImage[];
      return { items: images.filter((image) => isVisible(image, caller) && matches(image, caller)), next };
    });
    return { images: found.slice(0, limit), isFull: found.length >= limit };
  }
}

const isVisible = (image: ShownImage, { isAdmin, projectId }: FacadeCaller): boolean => {
  const { visibility, owner } = imageRecordOf(image);
  return isAdmin || visibility === 'public' || visibility === 'community' || (owner !== null && owner === projectId);
};
