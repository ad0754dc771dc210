// Flavors as callers of the Compute API see them: all public flavors, and those that their project has access to.
import { Injectable } from '@nestjs/common';
import type { RegisteredFlavor } from '../../../compute/flavors/flavor.entity';
import type { FlavorDefinition } from '../../../compute/flavors/flavors.service';
import { FlavorsService } from '../../../compute/flavors/flavors.service';
import type { Page, PageQuery } from '../../../compute/registry-page';
import { readOn, unknownMarker } from '../../../compute/registry-page';
import { cutAt, pageOf } from '../../../compute/registry-page.sql';
import type { MergeMap } from '../../../compute/registry-schema';
import { SCHEDULER_LIMITS } from '../../../platform/config/limits/scheduler';
import { Database } from '../../../platform/database/database';
import { unlessGone } from '../../../platform/database/lost-reference';
import type { WriteTx } from '../../../platform/database/sql';
import { Conflict, NotFound } from '../../../platform/values/errors';
import type { ComputeCaller } from '../compute-request';
import type { ComputeFlavorFacts } from './compute-flavor.entity';
import * as repository from './compute-flavors.repository';

type Facts = Omit<ComputeFlavorFacts, 'flavorId'>;
export type ComputeFlavor = RegisteredFlavor & Facts;

interface NewFlavor extends FlavorDefinition, Facts {
  /** Absent: the id is generated. */
  readonly id: string | undefined;
}

interface FlavorQuery extends PageQuery {
  /** Null: public and private flavors. */
  readonly isPublic: boolean | null;
  readonly minRamMb: number | undefined;
  readonly minDiskGb: number | undefined;
}

const unknown = (id: string): NotFound => new NotFound(`Flavor ${id} could not be found.`);

@Injectable()
export class ComputeFlavorsService {
  constructor(
    private readonly db: Database,
    private readonly flavors: FlavorsService,
  ) {}

  /** Throws not_found, also if the caller must not see the flavor. */
  async get(id: string, caller: ComputeCaller): Promise<ComputeFlavor> {
    const flavor = await this.find(id, caller);
    if (flavor === undefined) throw unknown(id);
    return flavor;
  }

  /** Undefined if it does not exist, or the caller must not see it. */
  async find(id: string, caller: ComputeCaller): Promise<ComputeFlavor | undefined> {
    const found = await this.flavors.lookUp(id);
    return found && (await this.visible([found], caller))[0];
  }

  /** Reads pages of the registry until it has enough flavors that the caller can see. */
  async list(query: FlavorQuery, caller: ComputeCaller): Promise<Page<ComputeFlavor>> {
    const { minRamMb, minDiskGb, isPublic, marker: last } = query;
    if (last !== undefined && (await this.find(last, caller)) === undefined) throw unknownMarker(last);
    const found = await readOn(query.limit, query.marker, async (marker) => {
      const part = { limit: SCHEDULER_LIMITS.listDefault, marker };
      const { items, next } = await this.flavors.list({ minRamMb, minDiskGb }, part);
      const visibleFlavors = await this.visible(items, caller);
      return {
        items: visibleFlavors.filter((each) => isPublic === null || each.isPublic === isPublic || !caller.isAdmin),
        next,
      };
    });
    return pageOf(cutAt(query.limit, found), ({ id }) => id);
  }

  /** Throws duplicate_name, invalid_request. */
  async create({ id, isPublic, description, ...definition }: NewFlavor): Promise<ComputeFlavor> {
    const { document } = await this.flavors.create(definition, id, (tx, made) =>
      repository.putFacts(tx, { flavorId: made.id, isPublic, description }),
    );
    return { ...document, isPublic, description };
  }

  /** Throws not_found. */
  async describe(id: string, description: string | null, caller: ComputeCaller): Promise<ComputeFlavor> {
    const { isPublic } = await this.get(id, caller);
    await this.writeOf(id, (tx) => repository.putFacts(tx, { flavorId: id, isPublic, description }));
    return this.get(id, caller);
  }

  /** Throws not_found; in_use if servers have the flavor. */
  remove(id: string): Promise<void> {
    return this.flavors.remove(id);
  }

  /** Null removes a key. Throws not_found, invalid_request. */
  async setExtraSpecs(id: string, extraSpecs: MergeMap): Promise<Readonly<Record<string, string>>> {
    return (await this.flavors.change(id, undefined, { extraSpecs })).document.extraSpecs;
  }

  /** The projects with access to the flavor. Throws not_found, also for a public flavor. */
  async access(id: string, caller: ComputeCaller): Promise<readonly string[]> {
    if ((await this.get(id, caller)).isPublic) throw new NotFound('Access list not available for public flavors.');
    return this.db.read((sql) => repository.projectsOfFlavor(sql, id));
  }

  /** Throws not_found, conflict. */
  async addAccess(id: string, projectId: string, caller: ComputeCaller): Promise<readonly string[]> {
    if ((await this.get(id, caller)).isPublic) throw new Conflict('Can not add access to a public flavor.');
    const isNew = await this.writeOf(id, (tx) => repository.addAccess(tx, { flavorId: id, projectId }));
    if (!isNew)
      throw new Conflict(`Flavor access already exists for flavor ${id} and project ${projectId} combination.`);
    return this.access(id, caller);
  }

  /** Throws not_found. */
  async removeAccess(id: string, projectId: string, caller: ComputeCaller): Promise<readonly string[]> {
    await this.get(id, caller);
    const wasThere = await this.db.write((tx) => repository.removeAccess(tx, { flavorId: id, projectId }));
    if (!wasThere) throw new NotFound(`Flavor access not found for ${id} / ${projectId} combination.`);
    return this.db.read((sql) => repository.projectsOfFlavor(sql, id));
  }

  /** Writes data of a flavor. Throws not_found if the flavor was deleted after it was read. */
  private writeOf<T>(id: string, write: (tx: WriteTx) => Promise<T>): Promise<T> {
    return this.db.write((tx) =>
      unlessGone(
        tx,
        () => unknown(id),
        () => write(tx),
      ),
    );
  }

  private visible(
    flavors: readonly RegisteredFlavor[],
    { isAdmin, projectId }: ComputeCaller,
  ): Promise<readonly ComputeFlavor[]> {
    const ids = flavors.map(({ id }) => id);
    return this.db.read(async (sql) => {
      const facts = await repository.factsOf(sql, ids);
      const hidden = [...facts.values()].filter(({ isPublic }) => !isPublic).map(({ flavorId }) => flavorId);
      const open = isAdmin ? new Set(hidden) : await repository.flavorsOfProject(sql, projectId, hidden);
      return flavors
        .map((flavor) => {
          const { isPublic = true, description = null } = facts.get(flavor.id) ?? {};
          return { ...flavor, isPublic, description };
        })
        .filter(({ id, isPublic }) => isPublic || open.has(id));
    });
  }
}
