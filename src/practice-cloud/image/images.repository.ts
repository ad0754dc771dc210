// The registry of images, extended by the data of the Image API. That data is one more row, written in the same
// transaction and deleted with the image.
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { DefinitionRules } from '../../compute/definition-rules';
import { RegisteredImage } from '../../compute/images/image.entity';
import type { ImageDefinition } from '../../compute/images/images.service';
import { ImagesService } from '../../compute/images/images.service';
import { InstancesService } from '../../compute/instances/instances.service';
import type { Written } from '../../compute/registry';
import { Database } from '../../platform/database/database';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { queryAmong } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import type { Uuid } from '../../platform/values/uuid';
import type { ShownImage, StoredImage } from './image-document';
import { PracticeImage } from './practice-image.entity';

const RECORDS = new Table(PracticeImage);

@Injectable()
export class PracticeImages extends ImagesService {
  constructor(
    db: Database,
    @InjectRepository(RegisteredImage) rows: Repository<RegisteredImage>,
    rules: DefinitionRules,
    private readonly instances: InstancesService,
  ) {
    super(db, rows, rules);
  }

  /** Throws invalid_request, duplicate_name. */
  async make(image: StoredImage, uuid: string | undefined): Promise<Written<ShownImage>> {
    return shown(await this.create(image, uuid));
  }

  /** Throws not_found, and the errors of `create`. An unchanged image is not written. */
  async remake(uuid: string, remade: (before: ShownImage) => StoredImage): Promise<Written<ShownImage>> {
    return shown(await this.rewrite(uuid, undefined, (before) => remade(before as ShownImage)));
  }

  /** As in the Image API, an image can be deleted while servers have it. */
  protected override emptyIn(tx: WriteTx, uuid: Uuid): Promise<void> {
    return this.instances.forgetImageIn(tx, uuid);
  }

  protected override async whole(
    sql: SqlReader,
    rows: readonly RegisteredImage[],
  ): Promise<readonly (RegisteredImage & ShownImage)[]> {
    const records = await queryAmong<object>(
      sql,
      rows.map(({ uuid }) => uuid),
      (uuids) => `SELECT ${RECORDS.all.of('f')} FROM facade_images f WHERE f.image_uuid IN (${uuids})`,
    );
    const byUuid = new Map(records.map((row) => RECORDS.read(row)).map((record) => [record.imageUuid, record]));
    return rows.map((row) => ({ ...row, record: byUuid.get(row.uuid) }));
  }

  /** A change outside the Image API has no record; the existing record is then kept. */
  protected override async fillIn(tx: WriteTx, { uuid }: RegisteredImage, image: ImageDefinition): Promise<void> {
    if (!isStored(image)) return;
    const { sql, params } = RECORDS.all.insert([{ ...image.record, imageUuid: uuid }]);
    const replaced = RECORDS.all.names.filter((name) => name !== 'image_uuid');
    await tx.run(sql + tx.dialect.onDuplicate('image_uuid', replaced), params);
  }
}

const isStored = (image: ImageDefinition): image is StoredImage => 'record' in image;

/** The cast is safe, because `whole` adds the record to every row. */
const shown = (written: Written<RegisteredImage>): Written<ShownImage> => written as Written<ShownImage>;
