// What can be done to images. Instances keep a copy of theirs, so an image may change while it is in use; it cannot go.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SCHEDULER_LIMITS } from '../../../config/limits';
import { Database, StartOver } from '../../../database/database';
import type { SqlReader, WriteTx } from '../../../database/sql';
import { canonicalUuid } from '../../../domain/uuid';
import type { Uuid } from '../../../domain/uuid';
import { DefinitionRules } from '../definition-rules';
import type { Warning } from '../definition-rules';
import { byUuidOrName, sharedName } from '../registry-names';
import type { Named } from '../registry-names';
import type { Page, PageQuery } from '../registry-page';
import {
  duplicateName,
  invalidField,
  isDuplicate,
  notFound,
  refuseStale,
  removeUnused,
  staleGeneration,
} from '../registry-refusals';
import { merged } from '../registry-schema';
import type { MergeMap } from '../registry-schema';
import * as repository from './images.repository';
import type { ImageDefinition, ImageFilter, RegisteredImage } from './images.repository';

export interface WrittenImage {
  readonly isNew: boolean;
  readonly image: RegisteredImage;
  readonly warnings: readonly Warning[];
}

/** What is absent stays; properties are merged, null removes one. */
export interface ImageChange {
  readonly name?: string | null | undefined;
  readonly diskFormat?: string | null | undefined;
  readonly properties?: MergeMap | undefined;
  readonly generation?: number | undefined;
}

const called = (uuid: Uuid): string => `image ${uuid}`;

@Injectable()
export class ImagesService {
  constructor(
    private readonly db: Database,
    private readonly rules: DefinitionRules,
  ) {}

  /** Throws not_found. */
  async get(uuid: Uuid): Promise<RegisteredImage> {
    const found = await this.db.read((sql) => repository.findImage(sql, uuid));
    if (found === undefined) throw notFound(called(uuid));
    return found;
  }

  list(filter: ImageFilter, page: PageQuery): Promise<Page<RegisteredImage>> {
    return this.db.read((sql) => repository.listImages(sql, filter, page));
  }

  /** The image that a request names by uuid or name. */
  async named(sql: SqlReader, text: string): Promise<Named<RegisteredImage>> {
    const uuid = canonicalUuid(text) ?? null;
    return byUuidOrName(await repository.findImagesCalled(sql, uuid, text), uuid);
  }

  /** Throws invalid_request, duplicate_name. */
  create(definition: Omit<ImageDefinition, 'uuid'>, uuid: Uuid = randomUUID()): Promise<WrittenImage> {
    return this.db.write((tx) => this.createIn(tx, { ...definition, uuid }, Date.now()));
  }

  async createIn(tx: WriteTx, image: ImageDefinition, nowMs: number): Promise<WrittenImage> {
    const warnings = await this.check(tx, image);
    try {
      await repository.insertImage(tx, image, nowMs);
    } catch (error) {
      if (!isDuplicate(tx, error)) throw error;
      throw duplicateName(`uuid: there is an ${called(image.uuid)} already.`);
    }
    return { isNew: true, image: await reread(tx, image.uuid), warnings };
  }

  /** Creates it, or replaces the one of this generation. Throws generation_conflict, invalid_request. */
  put(image: ImageDefinition, generation: number | undefined): Promise<WrittenImage> {
    return this.db.write((tx) => this.putIn(tx, image, generation, Date.now()));
  }

  async putIn(
    tx: WriteTx,
    image: ImageDefinition,
    generation: number | undefined,
    nowMs: number,
  ): Promise<WrittenImage> {
    const before = await repository.findImage(tx, image.uuid);
    if (before?.generation !== generation) throw staleGeneration(called(image.uuid), generation, before?.generation);
    return before === undefined ? this.createIn(tx, image, nowMs) : this.updateIn(tx, image, before, nowMs);
  }

  /** Throws not_found, generation_conflict, invalid_request. */
  change(uuid: Uuid, change: ImageChange): Promise<WrittenImage> {
    return this.db.write((tx) => this.changeIn(tx, uuid, change, Date.now()));
  }

  async changeIn(tx: WriteTx, uuid: Uuid, change: ImageChange, nowMs: number): Promise<WrittenImage> {
    const before = await repository.findImage(tx, uuid);
    if (before === undefined) throw notFound(called(uuid));
    refuseStale(called(uuid), change.generation, before.generation);
    const { name = before.name, diskFormat = before.diskFormat, properties = {} } = change;
    const image = { uuid, name, diskFormat, properties: merged(before.properties, properties) };
    return this.updateIn(tx, image, before, nowMs);
  }

  /** Throws not_found; in_use while an instance has it. */
  remove(uuid: Uuid): Promise<void> {
    return this.db.write((tx) =>
      removeUnused(tx, { what: called(uuid), whenUsed: `Instances have the ${called(uuid)}.` }, () =>
        repository.deleteImage(tx, uuid),
      ),
    );
  }

  private async updateIn(
    tx: WriteTx,
    image: ImageDefinition,
    before: RegisteredImage,
    nowMs: number,
  ): Promise<WrittenImage> {
    const warnings = await this.check(tx, image);
    if (!(await repository.updateImage(tx, image, before.generation, nowMs))) {
      throw new StartOver('an image changed while it was rewritten');
    }
    return { isNew: false, image: await reread(tx, image.uuid), warnings };
  }

  private async check(sql: SqlReader, image: ImageDefinition): Promise<readonly Warning[]> {
    if (Object.keys(image.properties).length > SCHEDULER_LIMITS.keysPerDocument) {
      throw invalidField('properties', `at most ${SCHEDULER_LIMITS.keysPerDocument} keys are kept`);
    }
    const warnings = await this.rules.checkImage(sql, { ...image, id: image.uuid });
    return (await repository.isNameShared(sql, image)) ? [sharedName('image'), ...warnings] : warnings;
  }
}

async function reread(tx: WriteTx, uuid: Uuid): Promise<RegisteredImage> {
  const image = await repository.findImage(tx, uuid);
  if (image === undefined) throw new Error('an image vanished inside the transaction that wrote it');
  return image;
}
