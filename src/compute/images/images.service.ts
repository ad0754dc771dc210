// Operations on images. An instance keeps a copy of its image, so an image in use can change, but cannot be deleted.
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { Database } from '../../platform/database/database';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { FIELD_RULES } from '../../platform/values/field-fault';
import type { Uuid } from '../../platform/values/uuid';
import type { Warning } from '../definition-rules';
import { DefinitionRules } from '../definition-rules';
import type { Registered } from '../registered.entity';
import type { Change, Written } from '../registry';
import { given, Registry } from '../registry';
import type { Named } from '../registry-names';
import { sharedName } from '../registry-names';
import type { TextFilter } from '../registry-page';
import type { Condition } from '../registry-page.sql';
import { equal } from '../registry-page.sql';
import { invalidField } from '../registry-refusals';
import type { MergeMap } from '../registry-schema';
import { merged } from '../registry-schema';
import { RegisteredImage } from './image.entity';

export type ImageDefinition = Omit<RegisteredImage, keyof Registered | 'uuid'>;

/** Properties are merged; null removes a property. */
interface ImageChange extends Change<Omit<ImageDefinition, 'properties'>> {
  readonly properties?: MergeMap | undefined;
}

export type ImageFilter = TextFilter<'name' | 'diskFormat'>;

@Injectable()
export class ImagesService extends Registry<RegisteredImage, ImageDefinition, ImageFilter> {
  constructor(
    db: Database,
    @InjectRepository(RegisteredImage) rows: Repository<RegisteredImage>,
    private readonly rules: DefinitionRules,
  ) {
    super(db, rows, { entity: RegisteredImage, key: 'uuid', what: 'an image', documentKind: 'image' });
  }

  /** The image with this uuid or name. */
  named(sql: SqlReader, text: string): Promise<Named<RegisteredImage>> {
    return this.namedByUuid(sql, text);
  }

  /** Throws not_found, generation_conflict, invalid_request. */
  change(uuid: Uuid, generation: number | undefined, change: ImageChange): Promise<Written<RegisteredImage>> {
    return this.rewrite(uuid, generation, (before) => ({
      ...given(before, change),
      properties: merged(before.properties, change.properties ?? {}),
    }));
  }

  protected conditionsOf({ name, diskFormat }: ImageFilter): readonly Condition[] {
    return equal({ name, disk_format: diskFormat });
  }

  protected async checkIn(tx: WriteTx, uuid: Uuid, image: ImageDefinition): Promise<readonly Warning[]> {
    if (Object.keys(image.properties).length > SCHEDULER_LIMITS.keysPerDocument) {
      throw invalidField('properties', FIELD_RULES.entries('most', SCHEDULER_LIMITS.keysPerDocument));
    }
    const warnings = await this.rules.checkImage(tx, { ...image, id: uuid });
    const isShared = image.name !== null && (await this.isNameShared(tx, uuid, image.name));
    return isShared ? [sharedName('image'), ...warnings] : warnings;
  }
}
