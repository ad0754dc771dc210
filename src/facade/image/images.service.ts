// Images as their callers see them: whose they are, and lists of them.
import { Injectable } from '@nestjs/common';
import { SCHEDULER_LIMITS } from '../../config/limits';
import { NotFound } from '../../domain/errors';
import type { FacadeCaller } from '../caller';
import { imageRecordOf } from './image-document';
import type { ShownImage } from './image-document';
import type { ImageListQuery } from './image-list';
import { FacadeImages } from './images.repository';

interface ImagePage {
  readonly images: readonly ShownImage[];
  /** There may be more behind the last one. */
  readonly isFull: boolean;
}

@Injectable()
export class FacadeImagesService {
  constructor(private readonly images: FacadeImages) {}

  /** Throws not_found, also of an image that this caller must not know of. */
  async visible(uuid: string, caller: FacadeCaller): Promise<ShownImage> {
    const image = (await this.images.get(uuid)) as ShownImage;
    if (!isVisible(image, caller)) throw new NotFound(`There is no image ${uuid}.`);
    return image;
  }

  /** In the order in which they were made; the registry is gone through page by page until enough are found. */
  async list(query: ImageListQuery, caller: FacadeCaller): Promise<ImagePage> {
    const { filter, limit, matches } = query;
    const images: ShownImage[] = [];
    let { marker } = query;
    while (images.length < limit) {
      const page = await this.images.list(filter, { limit: SCHEDULER_LIMITS.listDefault, marker });
      for (const image of page.items as readonly ShownImage[]) {
        if (isVisible(image, caller) && matches(image, caller)) images.push(image);
        if (images.length === limit) return { images, isFull: true };
      }
      if (page.next === null) break;
      marker = page.next;
    }
    return { images, isFull: false };
  }
}

const isVisible = (image: ShownImage, { isAdmin, projectId }: FacadeCaller): boolean => {
  const { visibility, owner } = imageRecordOf(image);
  return isAdmin || visibility === 'public' || visibility === 'community' || (owner !== null && owner === projectId);
};
