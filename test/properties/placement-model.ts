// The contract of Placement's writes as a simple model: maps in memory, one request at a time. It shares no code with
// the service. It computes the allowed statuses of a request and, after the service has accepted it, applies its
// effect.
import type { ConsumerAsked, KnownCloud, Operation, RecordAsked, Records, Step } from '../support/random-requests';
import { POOL } from '../support/random-requests';
import type { ModelRecord } from './model-records';
import { capacityOf, isSane, toRecord } from './model-records';
import type { Verdict } from './model-requests';
import { accept, amountsOf, refuse, tooEarly } from './model-requests';

const PLACEHOLDER = '00000000-0000-0000-0000-000000000000';

interface ModelProvider {
  readonly uuid: string;
  name: string;
  parent: string | null;
  generation: number;
  traits: Set<string>;
  aggregates: Set<string>;
  inventories: Map<string, ModelRecord>;
}

interface ModelConsumer {
  generation: number;
  project: string;
  user: string;
  type: string | null;
  /** Amounts by provider and class. */
  allocations: Map<string, Map<string, number>>;
}

const sameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((each) => other.has(each));

export class PlacementModel implements KnownCloud {
  readonly byUuid = new Map<string, ModelProvider>();
  readonly consumersByUuid = new Map<string, ModelConsumer>();
  readonly customClasses = new Set<string>();
  readonly customTraits = new Set<string>();

  // Queries of the generator.

  providers(): readonly string[] {
    return [...this.byUuid.keys()];
  }

  generationOf(uuid: string): number {
    return this.byUuid.get(uuid)?.generation ?? 0;
  }

  parentOf(uuid: string): string | null {
    return this.byUuid.get(uuid)?.parent ?? null;
  }

  classesOf(uuid: string): readonly string[] {
    return [...(this.byUuid.get(uuid)?.inventories.keys() ?? [])];
  }

  roomOf(uuid: string, name: string): number {
    const record = this.byUuid.get(uuid)?.inventories.get(name);
    return record === undefined ? 0 : capacityOf(record) - this.usedOf(uuid, name);
  }

  consumerGeneration(uuid: string): number | null {
    return this.consumersByUuid.get(uuid)?.generation ?? null;
  }

  consumers(): readonly string[] {
    return [...this.consumersByUuid.keys()];
  }

  classes(): readonly string[] {
    return [...POOL.standardClasses, ...this.customClasses];
  }

  traits(): readonly string[] {
    return [...POOL.standardTraits, ...this.customTraits];
  }

  /** The sum of the allocations of one class on one provider, without the given consumers. */
  usedOf(uuid: string, name: string, without: ReadonlySet<string> = new Set()): number {
    let used = 0;
    for (const [consumer, { allocations }] of this.consumersByUuid) {
      if (!without.has(consumer)) used += allocations.get(uuid)?.get(name) ?? 0;
    }
    return used;
  }

  rootOf(uuid: string): string {
    const parent = this.parentOf(uuid);
    return parent === null ? uuid : this.rootOf(parent);
  }

  private knowsClass(name: string): boolean {
    return (POOL.standardClasses as readonly string[]).includes(name) || this.customClasses.has(name);
  }

  private knowsTrait(name: string): boolean {
    return (POOL.standardTraits as readonly string[]).includes(name) || this.customTraits.has(name);
  }

  private isInUse(uuid: string, name: string): boolean {
    return this.usedOf(uuid, name) > 0;
  }

  private nameTaken(name: string, except: string | null): boolean {
    return [...this.byUuid.values()].some((provider) => provider.name === name && provider.uuid !== except);
  }

  private isBelow(uuid: string, ancestor: string): boolean {
    const parent = this.parentOf(uuid);
    return uuid === ancestor || (parent !== null && this.isBelow(parent, ancestor));
  }

  // The contract.

  judge(step: Step): Verdict {
    const { operation, minor } = step;
    const early = tooEarly(operation, minor);
    if (step.spoilt !== undefined) {
      // A missing route or provider can be reported before the body is validated.
      const missed = early === undefined ? [404] : [early];
      return refuse(step.spoilt === 'type' ? 415 : 400, ...missed);
    }
    if (early !== undefined) return refuse(early);
    return this.judgeOperation(operation, minor);
  }

  private judgeOperation(operation: Operation, minor: number): Verdict {
    switch (operation.kind) {
      case 'create provider':
        return this.createProvider(operation.uuid, operation.name, minor >= 14 ? operation.parent : null, minor);
      case 'update provider':
        return this.updateProvider(operation.uuid, operation.name, minor >= 14 ? operation.parent : undefined, minor);
      case 'delete provider':
        return this.deleteProvider(operation.uuid);
      case 'post inventory':
        return this.postInventory(operation.uuid, operation.name, operation.record, minor);
      case 'put inventories':
        return this.putInventories(operation.uuid, operation.generation, operation.records, minor);
      case 'delete inventories':
        return this.deleteInventories(operation.uuid);
      case 'put inventory':
        return this.putInventory(operation, minor);
      case 'delete inventory':
        return this.deleteInventory(operation.uuid, operation.name);
      case 'put aggregates':
        return this.putAggregates(operation.uuid, operation.aggregates, minor >= 19 ? operation.generation : undefined);
      case 'put traits':
        return this.putTraits(operation.uuid, operation.generation, operation.traits);
      case 'delete traits':
        return this.deleteTraits(operation.uuid);
      case 'post class':
        return this.postClass(operation.name);
      case 'put class':
        return minor >= 7 ? this.ensureClass(operation.name) : this.renameClass(operation.name, operation.newName);
      case 'delete class':
        return this.deleteClass(operation.name);
      case 'put trait':
        return this.ensureTrait(operation.name);
      case 'delete trait':
        return this.deleteTrait(operation.name);
      case 'put allocations':
        if (minor < 28 && Object.keys(operation.asked.sets).length === 0) return refuse(400);
        return this.writeAllocations({ [operation.consumer]: operation.asked }, minor);
      case 'post allocations':
        return this.writeAllocations(operation.consumers, minor);
      case 'delete allocations':
        if (!this.consumersByUuid.has(operation.consumer)) return refuse(404);
        return accept(204, () => this.consumersByUuid.delete(operation.consumer));
      case 'reshape':
        return this.reshape(operation.inventories, operation.consumers, minor);
    }
  }

  private createProvider(uuid: string, name: string, parent: string | null, minor: number): Verdict {
    if (parent !== null && (parent === uuid || !this.byUuid.has(parent))) return refuse(400);
    if (this.byUuid.has(uuid) || this.nameTaken(name, null)) return refuse(409);
    return accept(minor >= 20 ? 200 : 201, () => {
      this.byUuid.set(uuid, {
        uuid,
        name,
        parent,
        generation: 0,
        traits: new Set(),
        aggregates: new Set(),
        inventories: new Map(),
      });
    });
  }

  private updateProvider(uuid: string, name: string, parent: string | null | undefined, minor: number): Verdict {
    const provider = this.byUuid.get(uuid);
    if (provider === undefined) return refuse(404);
    const faults: number[] = [];
    if (this.nameTaken(name, uuid)) faults.push(409);
    if (parent !== undefined && parent !== provider.parent && !this.mayMove(provider, parent, minor)) faults.push(400);
    if (faults.length > 0) return refuse(...faults);
    return accept(200, () => {
      provider.name = name;
      if (parent !== undefined) provider.parent = parent;
    });
  }

  private mayMove(provider: ModelProvider, parent: string | null, minor: number): boolean {
    if (provider.parent !== null && minor < 37) return false;
    return parent === null || (this.byUuid.has(parent) && !this.isBelow(parent, provider.uuid));
  }

  private deleteProvider(uuid: string): Verdict {
    const provider = this.byUuid.get(uuid);
    if (provider === undefined) return refuse(404);
    if ([...this.byUuid.values()].some((each) => each.parent === uuid)) return refuse(409);
    if ([...provider.inventories.keys()].some((name) => this.isInUse(uuid, name))) return refuse(409);
    return accept(204, () => this.byUuid.delete(uuid));
  }

  private postInventory(uuid: string, name: string, record: RecordAsked, minor: number): Verdict {
    const provider = this.byUuid.get(uuid);
    if (provider === undefined) return refuse(404);
    if (!isSane(record, minor) || !this.knowsClass(name)) return refuse(400);
    if (provider.inventories.has(name)) return refuse(409);
    return accept(201, () => {
      provider.inventories.set(name, toRecord(record));
      provider.generation += 1;
    });
  }

  private putInventories(uuid: string, generation: number, records: Records, minor: number): Verdict {
    const provider = this.byUuid.get(uuid);
    if (provider === undefined) return refuse(404);
    if (provider.generation !== generation) return refuse(409);
    const asked = Object.entries(records);
    if (!asked.every(([name, record]) => isSane(record, minor) && this.knowsClass(name))) return refuse(400);
    if ([...provider.inventories.keys()].some((name) => !(name in records) && this.isInUse(uuid, name))) {
      return refuse(409);
    }
    return accept(200, () => {
      provider.inventories = new Map(asked.map(([name, record]) => [name, toRecord(record)]));
      provider.generation += 1;
    });
  }

  private deleteInventories(uuid: string): Verdict {
    const provider = this.byUuid.get(uuid);
    if (provider === undefined) return refuse(404);
    if ([...provider.inventories.keys()].some((name) => this.isInUse(uuid, name))) return refuse(409);
    return accept(204, () => {
      provider.inventories.clear();
      provider.generation += 1;
    });
  }

  private putInventory(operation: Operation & { kind: 'put inventory' }, minor: number): Verdict {
    const { uuid, name, record, generation } = operation;
    const provider = this.byUuid.get(uuid);
    if (provider === undefined) return refuse(404);
    const faults: number[] = [];
    if (!this.knowsClass(name)) faults.push(404);
    if (provider.generation !== generation) faults.push(409);
    else if (!isSane(record, minor) || !provider.inventories.has(name)) faults.push(400);
    if (faults.length > 0) return refuse(...faults);
    return accept(200, () => {
      provider.inventories.set(name, toRecord(record));
      provider.generation += 1;
    });
  }

  private deleteInventory(uuid: string, name: string): Verdict {
    const provider = this.byUuid.get(uuid);
    if (provider?.inventories.has(name) !== true) return refuse(404);
    if (this.isInUse(uuid, name)) return refuse(409);
    return accept(204, () => {
      provider.inventories.delete(name);
      provider.generation += 1;
    });
  }

  private putAggregates(uuid: string, aggregates: readonly string[], generation: number | undefined): Verdict {
    const provider = this.byUuid.get(uuid);
    if (provider === undefined) return refuse(404);
    if (generation !== undefined && generation !== provider.generation) return refuse(409);
    return accept(200, () => {
      provider.aggregates = new Set(aggregates);
      if (generation !== undefined) provider.generation += 1;
    });
  }

  private putTraits(uuid: string, generation: number, traits: readonly string[]): Verdict {
    const provider = this.byUuid.get(uuid);
    if (provider === undefined) return refuse(404);
    if (generation !== provider.generation) return refuse(409);
    if (!traits.every((trait) => this.knowsTrait(trait))) return refuse(400);
    return accept(200, () => {
      const wanted = new Set(traits);
      if (!sameSet(wanted, provider.traits)) provider.generation += 1;
      provider.traits = wanted;
    });
  }

  private deleteTraits(uuid: string): Verdict {
    const provider = this.byUuid.get(uuid);
    if (provider === undefined) return refuse(404);
    return accept(204, () => {
      if (provider.traits.size > 0) provider.generation += 1;
      provider.traits = new Set();
    });
  }

  private postClass(name: string): Verdict {
    if (!name.startsWith('CUSTOM_')) return refuse(400);
    return this.customClasses.has(name) ? refuse(409) : accept(201, () => this.customClasses.add(name));
  }

  private ensureClass(name: string): Verdict {
    if (!name.startsWith('CUSTOM_')) return refuse(400);
    return accept(this.customClasses.has(name) ? 204 : 201, () => this.customClasses.add(name));
  }

  private renameClass(name: string, newName: string): Verdict {
    if (!this.knowsClass(name)) return refuse(404);
    if (!name.startsWith('CUSTOM_')) return refuse(400);
    if (newName !== name && this.customClasses.has(newName)) return refuse(409);
    const renamed = <V>(map: Map<string, V>): Map<string, V> =>
      new Map([...map].map(([key, value]) => [key === name ? newName : key, value]));
    return accept(200, () => {
      this.customClasses.delete(name);
      this.customClasses.add(newName);
      for (const provider of this.byUuid.values()) provider.inventories = renamed(provider.inventories);
      for (const consumer of this.consumersByUuid.values()) {
        for (const [uuid, amounts] of consumer.allocations) consumer.allocations.set(uuid, renamed(amounts));
      }
    });
  }

  private deleteClass(name: string): Verdict {
    if (!this.knowsClass(name)) return refuse(404);
    if (!name.startsWith('CUSTOM_')) return refuse(400);
    if ([...this.byUuid.values()].some((provider) => provider.inventories.has(name))) return refuse(409);
    return accept(204, () => this.customClasses.delete(name));
  }

  private ensureTrait(name: string): Verdict {
    if (!name.startsWith('CUSTOM_')) return refuse(400);
    return accept(this.customTraits.has(name) ? 204 : 201, () => this.customTraits.add(name));
  }

  private deleteTrait(name: string): Verdict {
    if (!this.knowsTrait(name)) return refuse(404);
    if (!name.startsWith('CUSTOM_')) return refuse(400);
    if ([...this.byUuid.values()].some((provider) => provider.traits.has(name))) return refuse(409);
    return accept(204, () => this.customTraits.delete(name));
  }

  private writeAllocations(consumers: Readonly<Record<string, ConsumerAsked>>, minor: number): Verdict {
    const fault = this.consumerFault(consumers, minor) ?? this.roomFault(consumers, (uuid) => this.recordsOf(uuid));
    if (fault !== undefined) return refuse(fault);
    return accept(204, () => {
      for (const uuid of this.raisedBy(consumers)) this.raise(uuid);
      this.store(consumers, minor);
    });
  }

  private recordsOf(uuid: string): ReadonlyMap<string, ModelRecord> {
    return this.byUuid.get(uuid)?.inventories ?? new Map();
  }

  /** The generations of all consumers come first, then providers, then classes. */
  private consumerFault(consumers: Readonly<Record<string, ConsumerAsked>>, minor: number): number | undefined {
    if (minor >= 28) {
      for (const [uuid, { generation }] of Object.entries(consumers)) {
        if (this.consumerGeneration(uuid) !== generation) return 409;
      }
    }
    const sets = Object.values(consumers).map((asked) => asked.sets);
    if (sets.some((set) => Object.keys(set).some((uuid) => !this.byUuid.has(uuid)))) return 400;
    const names = sets.flatMap((set) => Object.values(set).flatMap((amounts) => Object.keys(amounts)));
    return names.every((name) => this.knowsClass(name)) ? undefined : 400;
  }

  /**
   * Every amount needs a record and must respect its units; together they must fit next to the allocations of others.
   */
  private roomFault(
    consumers: Readonly<Record<string, ConsumerAsked>>,
    recordsOf: (uuid: string) => ReadonlyMap<string, ModelRecord>,
  ): number | undefined {
    const sums = new Map<string, { uuid: string; name: string; sum: number }>();
    for (const { sets } of Object.values(consumers)) {
      for (const [uuid, name, amount] of amountsOf(sets)) {
        const record = recordsOf(uuid).get(name);
        if (record === undefined) return 409;
        if (amount < record.min_unit || amount > record.max_unit || amount % record.step_size !== 0) return 409;
        const known = sums.get(`${uuid} ${name}`);
        sums.set(`${uuid} ${name}`, { uuid, name, sum: (known?.sum ?? 0) + amount });
      }
    }
    const named = new Set(Object.keys(consumers));
    for (const { uuid, name, sum } of sums.values()) {
      const after = this.usedOf(uuid, name, named) + sum;
      const record = recordsOf(uuid).get(name);
      const capacity = record === undefined ? 0 : capacityOf(record);
      if (after > capacity && after > this.usedOf(uuid, name)) return 409;
    }
    return undefined;
  }

  /** The providers in the new sets, and those that an emptied consumer leaves. */
  private raisedBy(consumers: Readonly<Record<string, ConsumerAsked>>): ReadonlySet<string> {
    return new Set(
      Object.entries(consumers).flatMap(([consumer, { sets }]) =>
        Object.keys(sets).length > 0
          ? Object.keys(sets)
          : [...(this.consumersByUuid.get(consumer)?.allocations.keys() ?? [])],
      ),
    );
  }

  private raise(uuid: string): void {
    const provider = this.byUuid.get(uuid);
    if (provider !== undefined) provider.generation += 1;
  }

  private store(consumers: Readonly<Record<string, ConsumerAsked>>, minor: number): void {
    for (const [uuid, asked] of Object.entries(consumers)) {
      const before = this.consumersByUuid.get(uuid);
      this.consumersByUuid.delete(uuid);
      const allocations = new Map(
        Object.entries(asked.sets).map(([key, amounts]) => [key, new Map(Object.entries(amounts))]),
      );
      if (allocations.size === 0) continue;
      this.consumersByUuid.set(uuid, {
        generation: (before?.generation ?? 0) + 1,
        project: minor >= 8 ? asked.project : PLACEHOLDER,
        user: minor >= 8 ? asked.user : PLACEHOLDER,
        type: minor >= 38 ? asked.type : (before?.type ?? null),
        allocations,
      });
    }
  }

  private reshape(
    inventories: Readonly<Record<string, { readonly generation: number; readonly records: Records }>>,
    consumers: Readonly<Record<string, ConsumerAsked>>,
    minor: number,
  ): Verdict {
    const sets = Object.entries(inventories);
    // The first provider that is unknown or has changed decides.
    const [wrong] = sets.find(([uuid, { generation }]) => this.byUuid.get(uuid)?.generation !== generation) ?? [];
    if (wrong !== undefined) return refuse(this.byUuid.has(wrong) ? 409 : 400);
    const fault = this.consumerFault(consumers, minor);
    if (fault !== undefined) return refuse(fault);
    const records = sets.flatMap(([, set]) => Object.entries(set.records));
    if (!records.every(([name, record]) => isSane(record, minor) && this.knowsClass(name))) return refuse(400);
    const after = new Map(
      sets.map(([uuid, set]) => [
        uuid,
        new Map(Object.entries(set.records).map(([name, record]) => [name, toRecord(record)])),
      ]),
    );
    const union = (uuid: string): ReadonlyMap<string, ModelRecord> =>
      new Map([...this.recordsOf(uuid), ...(after.get(uuid) ?? [])]);
    const room = this.roomFault(consumers, union);
    if (room !== undefined) return refuse(room);
    const raised = this.raisedBy(consumers);
    if (this.leavesUsersBehind(after, consumers)) return refuse(409);
    return accept(204, () => {
      for (const uuid of new Set([...after.keys(), ...raised])) this.raise(uuid);
      this.store(consumers, minor);
      for (const [uuid, set] of after) {
        const provider = this.byUuid.get(uuid);
        if (provider !== undefined) provider.inventories = set;
      }
    });
  }

  /** A class that is removed although it has allocations after the request's own moves. */
  private leavesUsersBehind(
    after: ReadonlyMap<string, ReadonlyMap<string, ModelRecord>>,
    consumers: Readonly<Record<string, ConsumerAsked>>,
  ): boolean {
    const named = new Set(Object.keys(consumers));
    const asked = Object.values(consumers).flatMap(({ sets }) => amountsOf(sets));
    return [...after].some(([uuid, kept]) =>
      [...this.recordsOf(uuid).keys()].some((name) => {
        if (kept.has(name)) return false;
        return this.usedOf(uuid, name, named) > 0 || asked.some(([key, other]) => key === uuid && other === name);
      }),
    );
  }
}
