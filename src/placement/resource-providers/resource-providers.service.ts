// Operations on resource providers. A change of a tree locks the roots of all trees concerned. Concurrent changes can
// therefore neither create a loop nor leave a child in the wrong tree.
import { Injectable } from '@nestjs/common';
import { Database, StartOver } from '../../platform/database/database';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { ProviderLookup } from '../../platform/http/provider-lookup';
import { DomainError, DuplicateName, InvalidInput, NotFound, UnknownReference } from '../../platform/values/errors';
import { addTo } from '../../platform/values/lists-by-key';
import type { Uuid } from '../../platform/values/uuid';
import { ResourceClassesService } from '../resource-classes/resource-classes.service';
import { TraitsService } from '../traits/traits.service';
import type { ProviderNode } from './providers.writes';
import { findNodes, holdProviders, nodesOfTree, raiseGenerations } from './providers.writes';
import type {
  CreateProvider,
  ProviderFilter,
  ResourceProvider,
  UpdatedProvider,
  UpdateProvider,
} from './resource-providers.commands';
import type { RootProvider, WantedRoots } from './resource-providers.repository';
import * as repository from './resource-providers.repository';

/** Maximum number of providers in one tree; larger trees are refused. */
const PROVIDERS_PER_TREE = 10_000;

@Injectable()
export class ResourceProvidersService implements ProviderLookup {
  constructor(
    private readonly db: Database,
    private readonly resourceClasses: ResourceClassesService,
    private readonly traits: TraitsService,
  ) {}

  exists(uuid: Uuid): Promise<boolean> {
    return this.db.read((sql) => repository.providerExists(sql, uuid));
  }

  /** Throws NotFound. */
  async get(uuid: Uuid): Promise<ResourceProvider> {
    const provider = await this.db.read((sql) => repository.findProvider(sql, uuid));
    if (provider === undefined) throw unknownProvider(uuid);
    return provider;
  }

  /** In the order of creation. Throws UnknownReference if a class or trait does not exist. */
  list(filter: ProviderFilter): Promise<readonly ResourceProvider[]> {
    const isNarrow = filter.name !== undefined || filter.uuid !== undefined || filter.inTree !== undefined;
    const list = async (sql: SqlReader): Promise<readonly ResourceProvider[]> => {
      if (filter.resources !== undefined) await this.resourceClasses.resolve(sql, [...filter.resources.keys()]);
      const traits = [...filter.requiredTraits.flat(), ...filter.forbiddenTraits];
      if (traits.length > 0) await this.traits.resolve(sql, traits);
      return repository.listProviders(sql, filter);
    };
    return isNarrow ? this.db.read(list) : this.db.readMuch(list);
  }

  /** Throws DuplicateName, or InvalidInput if the parent does not exist. */
  create(command: CreateProvider): Promise<ResourceProvider> {
    const nowMs = Date.now();
    return this.db.write(async (tx) => {
      await this.createIn(tx, command, nowMs);
      return this.reread(tx, command.uuid);
    });
  }

  /** `create` in the caller's transaction; returns the row id. */
  async createIn(tx: WriteTx, command: CreateProvider, nowMs: number): Promise<number> {
    if (command.parentUuid === command.uuid) {
      throw new InvalidInput('parent provider UUID cannot be same as UUID. Unable to create a provider below itself.');
    }
    const { uuid, name, parentUuid, isOfReport = false } = command;
    const parent = parentUuid === null ? undefined : await this.heldParent(tx, parentUuid);
    const id = await this.withUniqueName(tx, command, () =>
      repository.insertProvider(tx, { uuid, name, parent, isOfReport }, nowMs),
    );
    tx.changes.tree(id);
    return id;
  }

  /** Remembers that a compute host reported the provider, in the caller's transaction. */
  async markReportedIn(tx: WriteTx, id: number): Promise<void> {
    if (await repository.markReported(tx, id)) tx.changes.tree(id);
  }

  /**
   * The compute host of a root provider is removed, in the caller's transaction: deletes the provider if a report created
   * it and it has no children, otherwise remembers that it was reported. Returns false if its tree has allocations.
   */
  async retireIn(tx: WriteTx, uuid: Uuid): Promise<boolean> {
    const root = (await this.heldNodes(tx, [uuid])).get(uuid);
    if (root === undefined) return true;
    const { id, rootId, reported } = root;
    if (await repository.hasAllocations(tx, rootId)) return false;
    const isDeleted = reported === repository.CREATED_BY_REPORT && !(await repository.hasChildren(tx, id));
    if (!isDeleted) await this.markReportedIn(tx, id);
    else if (await repository.deleteProvider(tx, id)) tx.changes.tree(id);
    return true;
  }

  /** Generations of all providers of a tree, keyed by id. */
  generationsOfTree(rootId: number): Promise<ReadonlyMap<number, number>> {
    return this.db.read(async (sql) => {
      const nodes = await nodesOfTree(sql, rootId);
      return new Map(nodes.map(({ id, generation }) => [id, generation]));
    });
  }

  /** Roots with one of these names or uuids, without a lock. */
  rootsOf(sql: SqlReader, rootsToRead: WantedRoots): Promise<readonly RootProvider[]> {
    return repository.findRoots(sql, rootsToRead);
  }

  /** Renames a provider and, if allowed, moves it with its subtree. Neither compares nor increments its generation. */
  update(command: UpdateProvider): Promise<UpdatedProvider> {
    const nowMs = Date.now();
    return this.db.write(async (tx) => {
      const target = command.parent.kind === 'under' ? command.parent.uuid : undefined;
      const nodes = await this.heldNodes(tx, target === undefined ? [command.uuid] : [command.uuid, target]);
      const provider = nodes.get(command.uuid);
      if (provider === undefined) throw unknownProvider(command.uuid);
      const parentId = await this.newParent(
        tx,
        command,
        provider,
        target === undefined ? undefined : nodes.get(target),
      );
      const change = parentId === undefined ? { name: command.name } : { name: command.name, parentId };
      await this.withUniqueName(tx, command, () => repository.updateProvider(tx, provider.id, change, nowMs));
      tx.changes.tree(provider.id);
      return { provider: await this.reread(tx, command.uuid), nameBefore: provider.name };
    });
  }

  /** Returns the name of the deleted provider. Throws NotFound, CannotDeleteParent, ProviderInUse. */
  delete(uuid: Uuid): Promise<string> {
    const nowMs = Date.now();
    return this.db.write(async (tx) => {
      const provider = (await this.heldNodes(tx, [uuid])).get(uuid);
      if (provider === undefined) throw unknownProvider(uuid);
      await raiseGenerations(tx, [provider.id], nowMs);
      if (await repository.hasChildren(tx, provider.id)) {
        throw new DomainError(
          'placement.resource_provider.cannot_delete_parent',
          `Unable to delete parent resource provider ${uuid}: It has child resource providers.`,
        );
      }
      if (!(await repository.deleteProvider(tx, provider.id))) {
        throw new DomainError(
          'placement.resource_provider.inuse',
          `Unable to delete resource provider ${uuid}: Resource provider has allocations.`,
        );
      }
      tx.changes.tree(provider.id);
      return provider.name;
    });
  }

  /**
   * Returns the id of the new parent, null for none, or undefined for no move. Also updates the roots of the subtree.
   */
  private async newParent(
    tx: WriteTx,
    command: UpdateProvider,
    provider: ProviderNode,
    target: ProviderNode | undefined,
  ): Promise<number | null | undefined> {
    if (command.parent.kind === 'keep') return undefined;
    if (command.parent.kind === 'under' && target === undefined) {
      throw new InvalidInput(`parent provider UUID ${command.parent.uuid} does not exist.`);
    }
    const parentId = target?.id ?? null;
    if (parentId === provider.parentId) return undefined;
    if (provider.parentId !== null && !command.mayMoveAnywhere) {
      throw new InvalidInput('re-parenting a provider is not currently allowed.');
    }
    const subtree = subtreeOf(provider.id, await nodesOfTree(tx, provider.rootId));
    if (parentId !== null && subtree.includes(parentId)) {
      throw new InvalidInput('creating loop in the provider tree is not allowed.');
    }
    if (target !== undefined && target.rootId !== provider.rootId) await checkTreeSize(tx, target, subtree.length);
    await repository.setRoot(tx, subtree, target?.rootId ?? provider.id);
    return parentId;
  }

  private async heldParent(tx: WriteTx, uuid: Uuid): Promise<ProviderNode> {
    const parent = (await this.heldNodes(tx, [uuid])).get(uuid);
    if (parent === undefined) throw new InvalidInput(`parent provider UUID ${uuid} does not exist.`);
    await checkTreeSize(tx, parent, 1);
    return parent;
  }

  /** The existing ones of the providers, with the roots of their trees locked until commit. */
  private async heldNodes(tx: WriteTx, uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, ProviderNode>> {
    const before = await findNodes(tx, uuids);
    if (before.size === 0) return before;
    await holdProviders(
      tx,
      [...before.values()].map((node) => node.rootId),
    );
    const after = await findNodes(tx, uuids);
    for (const [uuid, node] of before) {
      const now = after.get(uuid);
      if (now !== undefined && now.rootId !== node.rootId)
        throw new StartOver('a tree moved while its root was awaited');
    }
    return after;
  }

  private async withUniqueName<T>(
    tx: WriteTx,
    given: { uuid: Uuid; name: string },
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (tx.dialect.classify(error) !== 'duplicate') throw error;
      const isCreation = !('mayMoveAnywhere' in given);
      if (isCreation && (await repository.providerExists(tx, given.uuid))) {
        throw new DuplicateName(`Conflicting resource provider uuid: ${given.uuid} already exists.`);
      }
      throw new DuplicateName(
        isCreation
          ? `Conflicting resource provider name: ${given.name} already exists.`
          : `Conflicting resource provider ${given.name} already exists.`,
      );
    }
  }

  private async reread(tx: WriteTx, uuid: Uuid): Promise<ResourceProvider> {
    const provider = await repository.findProvider(tx, uuid);
    if (provider === undefined) throw new Error('a provider vanished inside the transaction that wrote it');
    return provider;
  }
}

/** Throws InvalidInput if `more` providers would exceed the limit of the parent's tree. The caller holds its root. */
async function checkTreeSize(tx: WriteTx, parent: ProviderNode, more: number): Promise<void> {
  if ((await repository.treeSize(tx, parent.rootId)) + more <= PROVIDERS_PER_TREE) return;
  throw new InvalidInput(`a provider tree may have at most ${PROVIDERS_PER_TREE} providers.`);
}

export function unknownProvider(uuid: Uuid): NotFound {
  return new NotFound(`No resource provider with uuid ${uuid} found.`);
}

/** Same error for a provider that a body names. */
export function unknownProviderReference(uuids: readonly Uuid[]): UnknownReference {
  return new UnknownReference(`Allocation for resource provider '${uuids.join("', '")}' that does not exist.`);
}

/** Ids of a node and all its descendants among `nodes`, starting with the node. */
function subtreeOf(id: number, nodes: readonly ProviderNode[]): readonly number[] {
  const children = new Map<number, number[]>();
  for (const node of nodes) {
    if (node.parentId === null) continue;
    addTo(children, node.parentId, node.id);
  }
  const found = [id];
  for (let at = 0; at < found.length; at += 1) found.push(...(children.get(found[at] ?? id) ?? []));
  return found;
}
