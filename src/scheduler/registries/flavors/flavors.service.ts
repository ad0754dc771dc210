// What can be done to flavors. Instances keep a copy of theirs, so a flavor may change while it is in use; it cannot go.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SCHEDULER_LIMITS } from '../../../config/limits';
import { Database, StartOver } from '../../../database/database';
import type { SqlReader, WriteTx } from '../../../database/sql';
import { DefinitionRules } from '../definition-rules';
import type { Warning } from '../definition-rules';
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
import * as repository from './flavors.repository';
import type { FlavorDefinition, FlavorFilter, RegisteredFlavor } from './flavors.repository';

export interface WrittenFlavor {
  readonly isNew: boolean;
  readonly flavor: RegisteredFlavor;
  readonly warnings: readonly Warning[];
}

/** What is absent stays; extra specs are merged, null removes one. */
export type FlavorChange = {
  readonly [K in keyof Omit<FlavorDefinition, 'id' | 'extraSpecs'>]?: FlavorDefinition[K] | undefined;
} & { readonly extraSpecs?: MergeMap | undefined; readonly generation?: number | undefined };

const called = (id: string): string => `flavor ${id}`;

@Injectable()
export class FlavorsService {
  constructor(
    private readonly db: Database,
    private readonly rules: DefinitionRules,
  ) {}

  /** Throws not_found. */
  async get(id: string): Promise<RegisteredFlavor> {
    const found = await this.db.read((sql) => repository.findFlavor(sql, id));
    if (found === undefined) throw notFound(called(id));
    return found;
  }

  list(filter: FlavorFilter, page: PageQuery): Promise<Page<RegisteredFlavor>> {
    return this.db.read((sql) => repository.listFlavors(sql, filter, page));
  }

  /** The flavor that a request names by id or name. One statement. */
  named(sql: SqlReader, idOrName: string): Promise<RegisteredFlavor | undefined> {
    return repository.findFlavorCalled(sql, idOrName);
  }

  /** Throws invalid_request, duplicate_name. */
  create(definition: Omit<FlavorDefinition, 'id'>, id: string = randomUUID()): Promise<WrittenFlavor> {
    return this.db.write((tx) => this.createIn(tx, { ...definition, id }, Date.now()));
  }

  async createIn(tx: WriteTx, flavor: FlavorDefinition, nowMs: number): Promise<WrittenFlavor> {
    const warnings = await this.check(tx, flavor);
    await unlessDuplicate(tx, flavor, () => repository.insertFlavor(tx, flavor, nowMs));
    return { isNew: true, flavor: await reread(tx, flavor.id), warnings };
  }

  /** Creates it, or replaces the one of this generation. Throws generation_conflict, invalid_request, duplicate_name. */
  put(flavor: FlavorDefinition, generation: number | undefined): Promise<WrittenFlavor> {
    return this.db.write((tx) => this.putIn(tx, flavor, generation, Date.now()));
  }

  async putIn(
    tx: WriteTx,
    flavor: FlavorDefinition,
    generation: number | undefined,
    nowMs: number,
  ): Promise<WrittenFlavor> {
    const before = await repository.findFlavor(tx, flavor.id);
    if (before?.generation !== generation) throw staleGeneration(called(flavor.id), generation, before?.generation);
    return before === undefined ? this.createIn(tx, flavor, nowMs) : this.updateIn(tx, flavor, before, nowMs);
  }

  /** Throws not_found, generation_conflict, invalid_request, duplicate_name. */
  change(id: string, change: FlavorChange): Promise<WrittenFlavor> {
    return this.db.write((tx) => this.changeIn(tx, id, change, Date.now()));
  }

  async changeIn(tx: WriteTx, id: string, change: FlavorChange, nowMs: number): Promise<WrittenFlavor> {
    const before = await repository.findFlavor(tx, id);
    if (before === undefined) throw notFound(called(id));
    const { extraSpecs = {}, generation, ...fields } = change;
    refuseStale(called(id), generation, before.generation);
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    return this.updateIn(tx, { ...before, ...given, extraSpecs: merged(before.extraSpecs, extraSpecs) }, before, nowMs);
  }

  /** Throws not_found; in_use while an instance has it. */
  remove(id: string): Promise<void> {
    return this.db.write((tx) =>
      removeUnused(tx, { what: called(id), whenUsed: `Instances have the ${called(id)}.` }, () =>
        repository.deleteFlavor(tx, id),
      ),
    );
  }

  private async updateIn(
    tx: WriteTx,
    flavor: FlavorDefinition,
    before: RegisteredFlavor,
    nowMs: number,
  ): Promise<WrittenFlavor> {
    const warnings = await this.check(tx, flavor);
    const isWritten = await unlessDuplicate(tx, flavor, () =>
      repository.updateFlavor(tx, flavor, before.generation, nowMs),
    );
    if (!isWritten) throw new StartOver('a flavor changed while it was rewritten');
    return { isNew: false, flavor: await reread(tx, flavor.id), warnings };
  }

  private check(sql: SqlReader, flavor: FlavorDefinition): Promise<readonly Warning[]> {
    if (Object.keys(flavor.extraSpecs).length > SCHEDULER_LIMITS.keysPerDocument) {
      throw invalidField('extra_specs', `at most ${SCHEDULER_LIMITS.keysPerDocument} keys are kept`);
    }
    return this.rules.checkFlavor(sql, flavor);
  }
}

async function reread(tx: WriteTx, id: string): Promise<RegisteredFlavor> {
  const flavor = await repository.findFlavor(tx, id);
  if (flavor === undefined) throw new Error('a flavor vanished inside the transaction that wrote it');
  return flavor;
}

async function unlessDuplicate<T>(tx: WriteTx, flavor: FlavorDefinition, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDuplicate(tx, error)) throw error;
    throw duplicateName(`A flavor is called ${flavor.name} already, or has the id ${flavor.id}.`);
  }
}
