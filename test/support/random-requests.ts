// Random requests to every writing route. They use few names for many providers, classes, traits, aggregates and
// consumers, so they conflict often. An operation describes a request without HTTP; `rendered` writes it in the form of
// a microversion. Valid and invalid requests are mixed; the generator knows the cloud, so most are valid.
import type { TestRequest } from './service';

/** A reproducible source of random choices. */
export class Chances {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** At least 0, below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  isLikely(probability: number): boolean {
    return this.next() < probability;
  }

  one<T>(items: readonly T[]): T {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  }

  some<T>(items: readonly T[], probability: number): readonly T[] {
    return items.filter(() => this.isLikely(probability));
  }
}

export interface RecordAsked {
  readonly total: number;
  readonly reserved?: number;
  readonly min_unit?: number;
  readonly max_unit?: number;
  readonly step_size?: number;
  readonly allocation_ratio?: number;
}

export type Records = Readonly<Record<string, RecordAsked>>;
/** Amounts by class, by provider. */
export type Sets = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface ConsumerAsked {
  readonly sets: Sets;
  readonly project: string;
  readonly user: string;
  readonly type: string;
  readonly generation: number | null;
}

/** The content of a request. */
export type Operation =
  | { readonly kind: 'create provider'; readonly uuid: string; readonly name: string; readonly parent: string | null }
  | { readonly kind: 'update provider'; readonly uuid: string; readonly name: string; readonly parent?: string | null }
  | { readonly kind: 'delete provider'; readonly uuid: string }
  | { readonly kind: 'post inventory'; readonly uuid: string; readonly name: string; readonly record: RecordAsked }
  | { readonly kind: 'put inventories'; readonly uuid: string; readonly generation: number; readonly records: Records }
  | { readonly kind: 'delete inventories'; readonly uuid: string }
  | {
      readonly kind: 'put inventory';
      readonly uuid: string;
      readonly name: string;
      readonly generation: number;
      readonly record: RecordAsked;
    }
  | { readonly kind: 'delete inventory'; readonly uuid: string; readonly name: string }
  | {
      readonly kind: 'put aggregates';
      readonly uuid: string;
      readonly generation: number;
      readonly aggregates: readonly string[];
    }
  | {
      readonly kind: 'put traits';
      readonly uuid: string;
      readonly generation: number;
      readonly traits: readonly string[];
    }
  | { readonly kind: 'delete traits'; readonly uuid: string }
  | { readonly kind: 'post class'; readonly name: string }
  | { readonly kind: 'put class'; readonly name: string; readonly newName: string }
  | { readonly kind: 'delete class'; readonly name: string }
  | { readonly kind: 'put trait'; readonly name: string }
  | { readonly kind: 'delete trait'; readonly name: string }
  | { readonly kind: 'put allocations'; readonly consumer: string; readonly asked: ConsumerAsked }
  | { readonly kind: 'post allocations'; readonly consumers: Readonly<Record<string, ConsumerAsked>> }
  | { readonly kind: 'delete allocations'; readonly consumer: string }
  | {
      readonly kind: 'reshape';
      readonly inventories: Readonly<Record<string, { readonly generation: number; readonly records: Records }>>;
      readonly consumers: Readonly<Record<string, ConsumerAsked>>;
    };

/** How a request is made invalid: another media type, half a document, or an unknown property. */
type Spoiling = 'type' | 'half' | 'surprise';

export interface Step {
  readonly operation: Operation;
  /** The minor microversion, 0 to 39. */
  readonly minor: number;
  readonly spoilt?: Spoiling;
  /** Uuids are written in capitals. */
  readonly isLogged: boolean;
}

const numbered = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-0000-4000-8000-00000000000${index}`);

/** The names that requests use. */
export const POOL = {
  providers: numbered('aaaaaaaa', 9),
  providerNames: ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'näin 🐎'],
  consumers: numbered('cccccccc', 6),
  aggregates: numbered('eeeeeeee', 4),
  standardClasses: ['VCPU', 'MEMORY_MB', 'DISK_GB'],
  customClasses: ['CUSTOM_A', 'CUSTOM_B', 'CUSTOM_C'],
  standardTraits: ['HW_CPU_X86_AVX', 'MISC_SHARES_VIA_AGGREGATE'],
  customTraits: ['CUSTOM_T1', 'CUSTOM_T2'],
  projects: ['project', 'other project'],
  users: ['user', 'other user'],
  types: ['INSTANCE', 'MIGRATION'],
} as const;

/** What the generator reads of the cloud to make mostly valid requests. */
export interface KnownCloud {
  providers(): readonly string[];
  generationOf(provider: string): number;
  parentOf(provider: string): string | null;
  classesOf(provider: string): readonly string[];
  roomOf(provider: string, resourceClass: string): number;
  consumerGeneration(consumer: string): number | null;
  consumers(): readonly string[];
  /** The names of the pool that exist. */
  classes(): readonly string[];
  traits(): readonly string[];
}

/** A random step of any kind, or of the given one. */
export function randomStep(cloud: KnownCloud, chances: Chances, wanted?: Operation['kind']): Step {
  const operation = randomOperation(cloud, chances, wanted);
  const spoilt = chances.isLikely(0.04) ? chances.one<Spoiling>(['type', 'half', 'surprise']) : undefined;
  return {
    operation,
    minor: randomMinor(operation, chances),
    ...(spoilt !== undefined && hasBody(operation) && { spoilt }),
    isLogged: chances.isLikely(0.15),
  };
}

/** Mostly recent versions, in which most routes and fields exist. */
function randomMinor({ kind }: Operation, chances: Chances): number {
  if (chances.isLikely(0.3)) return 39;
  if (kind === 'reshape' && chances.isLikely(0.9)) return chances.integer(30, 39);
  return chances.integer(chances.isLikely(0.8) ? 12 : 0, 39);
}

function hasBody(operation: Operation): boolean {
  return !/^(?:delete|put trait$|put class)/.test(operation.kind);
}

/** Each kind is drawn as often as it appears here. */
const MIX: readonly Operation['kind'][] = [
  ...Array<Operation['kind']>(4).fill('create provider'),
  ...Array<Operation['kind']>(4).fill('update provider'),
  'delete provider',
  ...Array<Operation['kind']>(3).fill('post inventory'),
  ...Array<Operation['kind']>(6).fill('put inventories'),
  'delete inventories',
  ...Array<Operation['kind']>(2).fill('put inventory'),
  'delete inventory',
  ...Array<Operation['kind']>(3).fill('put aggregates'),
  ...Array<Operation['kind']>(3).fill('put traits'),
  'delete traits',
  'post class',
  ...Array<Operation['kind']>(2).fill('put class'),
  'delete class',
  ...Array<Operation['kind']>(2).fill('put trait'),
  'delete trait',
  ...Array<Operation['kind']>(12).fill('put allocations'),
  ...Array<Operation['kind']>(6).fill('post allocations'),
  ...Array<Operation['kind']>(3).fill('delete allocations'),
  ...Array<Operation['kind']>(5).fill('reshape'),
];

export const OPERATION_KINDS: readonly Operation['kind'][] = [...new Set(MIX)];

function randomOperation(cloud: KnownCloud, chances: Chances, wanted?: Operation['kind']): Operation {
  const known = cloud.providers();
  const kind = wanted ?? randomKind(known, chances);
  return operationOf(kind, cloud, known, chances);
}

function randomKind(known: readonly string[], chances: Chances): Operation['kind'] {
  return known.length < 4 && chances.isLikely(0.5) ? 'create provider' : chances.one(MIX);
}

function operationOf(
  kind: Operation['kind'],
  cloud: KnownCloud,
  known: readonly string[],
  chances: Chances,
): Operation {
  const provider = (): string =>
    known.length > 0 && chances.isLikely(0.95) ? chances.one(known) : chances.one(POOL.providers);
  const generation = (uuid: string): number =>
    cloud.generationOf(uuid) + (chances.isLikely(0.08) ? chances.one([-1, 1]) : 0);
  const classes = classNames(cloud, chances);
  const traits = chances.isLikely(0.9) ? cloud.traits() : [...POOL.standardTraits, ...POOL.customTraits];
  const uuid = provider();
  const name = chances.one(classes);
  switch (kind) {
    case 'create provider': {
      const fresh = POOL.providers.filter((each) => !known.includes(each));
      const own = fresh.length > 0 && chances.isLikely(0.9) ? chances.one(fresh) : chances.one(POOL.providers);
      const parent = known.length > 0 && chances.isLikely(0.6) ? provider() : null;
      return { kind, uuid: own, name: nameFor(own, chances), parent };
    }
    case 'update provider': {
      const moved = chances.isLikely(0.7) ? { parent: chances.isLikely(0.25) ? null : provider() } : {};
      return { kind, uuid, name: nameFor(uuid, chances), ...moved };
    }
    case 'delete provider':
    case 'delete inventories':
    case 'delete traits':
      return { kind, uuid };
    case 'post inventory':
      return { kind, uuid, name, record: randomRecord(chances) };
    case 'put inventories':
      return { kind, uuid, generation: generation(uuid), records: randomRecords(cloud, uuid, chances) };
    case 'put inventory': {
      const had = cloud.classesOf(uuid);
      const chosen = had.length > 0 && chances.isLikely(0.85) ? chances.one(had) : name;
      return { kind, uuid, name: chosen, generation: generation(uuid), record: randomRecord(chances) };
    }
    case 'delete inventory': {
      const had = cloud.classesOf(uuid);
      return { kind, uuid, name: had.length > 0 && chances.isLikely(0.85) ? chances.one(had) : name };
    }
    case 'put aggregates':
      return { kind, uuid, generation: generation(uuid), aggregates: chances.some(POOL.aggregates, 0.4) };
    case 'put traits':
      return { kind, uuid, generation: generation(uuid), traits: chances.some(traits, 0.4) };
    case 'post class':
    case 'delete class':
      return { kind, name: chances.isLikely(0.9) ? chances.one(POOL.customClasses) : name };
    case 'put class':
      return {
        kind,
        name: chances.isLikely(0.9) ? chances.one(POOL.customClasses) : name,
        newName: chances.one(POOL.customClasses),
      };
    case 'put trait':
    case 'delete trait':
      return { kind, name: chances.isLikely(0.9) ? chances.one(POOL.customTraits) : chances.one(traits) };
    case 'put allocations': {
      const consumer = chances.one(POOL.consumers);
      return { kind, consumer, asked: randomConsumer(cloud, consumer, chances) };
    }
    case 'post allocations':
      return { kind, consumers: randomConsumers(cloud, chances, 1) };
    case 'delete allocations': {
      const present = cloud.consumers();
      return {
        kind,
        consumer: present.length > 0 && chances.isLikely(0.8) ? chances.one(present) : chances.one(POOL.consumers),
      };
    }
    case 'reshape':
      return randomReshape(cloud, known, chances);
  }
}

/** Existing classes; in 7 % of the cases all classes of the pool. */
function classNames(cloud: KnownCloud, chances: Chances): readonly string[] {
  return chances.isLikely(0.93) ? cloud.classes() : [...POOL.standardClasses, ...POOL.customClasses];
}

/** Usually the provider's own name, sometimes that of another provider. */
function nameFor(uuid: string, chances: Chances): string {
  const own = POOL.providerNames[POOL.providers.indexOf(uuid)] ?? 'nobody';
  return chances.isLikely(0.92) ? own : chances.one(POOL.providerNames);
}

function randomRecord(chances: Chances): RecordAsked {
  const total = chances.integer(1, 24);
  return {
    total,
    ...(chances.isLikely(0.3) && {
      reserved: chances.integer(0, chances.isLikely(0.2) ? total + 1 : Math.floor(total / 2)),
    }),
    ...(chances.isLikely(0.15) && { min_unit: chances.integer(1, 3) }),
    ...(chances.isLikely(0.15) && { max_unit: chances.integer(1, 16) }),
    ...(chances.isLikely(0.15) && { step_size: chances.integer(1, 3) }),
    ...(chances.isLikely(0.3) && {
      allocation_ratio: chances.one(chances.isLikely(0.85) ? [0.5, 0.7, 1, 1.5, 2.25, 16] : [0, -1]),
    }),
  };
}

/** Usually the provider's inventories with small changes, because inventories in use must stay. */
function randomRecords(cloud: KnownCloud, uuid: string, chances: Chances): Records {
  const had = cloud.classesOf(uuid).filter(() => chances.isLikely(0.93));
  const added = chances.some(classNames(cloud, chances), had.length === 0 ? 0.5 : 0.12);
  return Object.fromEntries([...new Set([...had, ...added])].map((name) => [name, randomRecord(chances)]));
}

function randomConsumer(cloud: KnownCloud, consumer: string, chances: Chances): ConsumerAsked {
  const actual = cloud.consumerGeneration(consumer);
  const generation = chances.isLikely(0.9) ? actual : chances.one([null, 0, 1, (actual ?? 0) + 1]);
  return {
    sets: chances.isLikely(0.12) ? {} : randomSets(cloud, chances),
    project: chances.one(POOL.projects),
    user: chances.one(POOL.users),
    type: chances.one(POOL.types),
    generation,
  };
}

function randomSets(cloud: KnownCloud, chances: Chances): Sets {
  const stocked = cloud.providers().filter((uuid) => cloud.classesOf(uuid).length > 0);
  const from = stocked.length > 0 && chances.isLikely(0.95) ? stocked : POOL.providers;
  const chosen = new Set(Array.from({ length: chances.integer(1, 2) }, () => chances.one(from)));
  return Object.fromEntries(
    [...chosen].map((uuid) => {
      const had = cloud.classesOf(uuid);
      const names = had.length > 0 && chances.isLikely(0.95) ? had : classNames(cloud, chances);
      const wanted = new Set(Array.from({ length: chances.integer(1, 3) }, () => chances.one(names)));
      return [
        uuid,
        Object.fromEntries([...wanted].map((name) => [name, randomAmount(cloud.roomOf(uuid, name), chances)])),
      ];
    }),
  );
}

function randomAmount(room: number, chances: Chances): number {
  if (chances.isLikely(0.02)) return 2_147_483_648;
  if (chances.isLikely(0.08)) return Math.max(1, room + 1);
  return chances.integer(1, Math.max(1, Math.min(Math.ceil(room / 2), 8)));
}

function randomConsumers(cloud: KnownCloud, chances: Chances, atLeast: number): Record<string, ConsumerAsked> {
  const count = chances.integer(atLeast, 3);
  const chosen = new Set(Array.from({ length: count }, () => chances.one(POOL.consumers)));
  return Object.fromEntries([...chosen].map((consumer) => [consumer, randomConsumer(cloud, consumer, chances)]));
}

function randomReshape(cloud: KnownCloud, known: readonly string[], chances: Chances): Operation {
  const from = known.length > 0 && chances.isLikely(0.95) ? known : POOL.providers;
  const chosen = new Set(Array.from({ length: chances.integer(1, 3) }, () => chances.one(from)));
  const inventories = Object.fromEntries(
    [...chosen].map((uuid) => [
      uuid,
      {
        generation: cloud.generationOf(uuid) + (chances.isLikely(0.05) ? 1 : 0),
        records: randomRecords(cloud, uuid, chances),
      },
    ]),
  );
  return { kind: 'reshape', inventories, consumers: chances.isLikely(0.4) ? {} : randomConsumers(cloud, chances, 0) };
}

/** The step as a request of its microversion. */
export function rendered(step: Step): TestRequest {
  const request = { ...plain(step), version: `1.${step.minor}` };
  return step.spoilt === undefined ? request : spoilt(request, step.spoilt);
}

function spoilt(request: TestRequest, how: Spoiling): TestRequest {
  const { body } = request;
  switch (how) {
    case 'type':
      return { ...request, headers: { 'content-type': 'text/plain' } };
    case 'half':
      return { ...request, body: JSON.stringify(body).slice(0, -1) };
    case 'surprise':
      return {
        ...request,
        body: Array.isArray(body) ? [...(body as unknown[]), 7] : { ...(body as object), surprise: 1 },
      };
  }
}

function plain({ operation, minor, isLogged }: Step): TestRequest {
  const say = (uuid: string): string => (isLogged ? uuid.toUpperCase() : uuid);
  const at = (uuid: string, rest = ''): string => `/resource_providers/${say(uuid)}${rest}`;
  const parentPart = (parent: string | null | undefined): object =>
    minor >= 14 && parent !== undefined ? { parent_provider_uuid: parent === null ? null : say(parent) } : {};
  switch (operation.kind) {
    case 'create provider': {
      const { uuid, name, parent } = operation;
      const braces = isLogged ? `{${uuid.toUpperCase()}}` : uuid;
      return { method: 'POST', path: '/resource_providers', body: { uuid: braces, name, ...parentPart(parent) } };
    }
    case 'update provider':
      return {
        method: 'PUT',
        path: at(operation.uuid),
        body: { name: operation.name, ...parentPart(operation.parent) },
      };
    case 'delete provider':
      return { method: 'DELETE', path: at(operation.uuid) };
    case 'post inventory': {
      const { uuid, name, record } = operation;
      return { method: 'POST', path: at(uuid, '/inventories'), body: { resource_class: name, ...record } };
    }
    case 'put inventories':
      return { method: 'PUT', path: at(operation.uuid, '/inventories'), body: inventorySet(operation) };
    case 'delete inventories':
      return { method: 'DELETE', path: at(operation.uuid, '/inventories') };
    case 'put inventory': {
      const { uuid, name, generation, record } = operation;
      const body = { ...record, resource_provider_generation: generation };
      return { method: 'PUT', path: at(uuid, `/inventories/${name}`), body };
    }
    case 'delete inventory':
      return { method: 'DELETE', path: at(operation.uuid, `/inventories/${operation.name}`) };
    case 'put aggregates': {
      const aggregates = operation.aggregates.map(say);
      const body = minor < 19 ? aggregates : { aggregates, resource_provider_generation: operation.generation };
      return { method: 'PUT', path: at(operation.uuid, '/aggregates'), body };
    }
    case 'put traits': {
      const { traits, generation } = operation;
      const body = { traits, resource_provider_generation: generation };
      return { method: 'PUT', path: at(operation.uuid, '/traits'), body };
    }
    case 'delete traits':
      return { method: 'DELETE', path: at(operation.uuid, '/traits') };
    case 'post class':
      return { method: 'POST', path: '/resource_classes', body: { name: operation.name } };
    case 'put class': {
      const path = `/resource_classes/${operation.name}`;
      return minor < 7 ? { method: 'PUT', path, body: { name: operation.newName } } : { method: 'PUT', path };
    }
    case 'delete class':
      return { method: 'DELETE', path: `/resource_classes/${operation.name}` };
    case 'put trait':
      return { method: 'PUT', path: `/traits/${operation.name}` };
    case 'delete trait':
      return { method: 'DELETE', path: `/traits/${operation.name}` };
    case 'put allocations': {
      const body = consumerBody(operation.asked, minor, say);
      return { method: 'PUT', path: `/allocations/${say(operation.consumer)}`, body };
    }
    case 'post allocations':
      return { method: 'POST', path: '/allocations', body: consumerBodies(operation.consumers, minor, say) };
    case 'delete allocations':
      return { method: 'DELETE', path: `/allocations/${say(operation.consumer)}` };
    case 'reshape': {
      const inventories = Object.fromEntries(
        Object.entries(operation.inventories).map(([uuid, set]) => [say(uuid), inventorySet(set)]),
      );
      const allocations = consumerBodies(operation.consumers, minor, say);
      return { method: 'POST', path: '/reshaper', body: { inventories, allocations } };
    }
  }
}

function inventorySet({ generation, records }: { generation: number; records: Records }): object {
  return { resource_provider_generation: generation, inventories: records };
}

function consumerBodies(
  consumers: Readonly<Record<string, ConsumerAsked>>,
  minor: number,
  say: (uuid: string) => string,
): object {
  return Object.fromEntries(
    Object.entries(consumers).map(([uuid, asked]) => [say(uuid), consumerBody(asked, Math.max(minor, 13), say)]),
  );
}

function consumerBody(asked: ConsumerAsked, minor: number, say: (uuid: string) => string): object {
  const pairs = Object.entries(asked.sets).map(([uuid, resources]) => [say(uuid), resources] as const);
  const allocations =
    minor < 12
      ? pairs.map(([uuid, resources]) => ({ resource_provider: { uuid }, resources }))
      : Object.fromEntries(pairs.map(([uuid, resources]) => [uuid, { resources }]));
  return {
    allocations,
    ...(minor >= 8 && { project_id: asked.project, user_id: asked.user }),
    ...(minor >= 28 && { consumer_generation: asked.generation }),
    ...(minor >= 38 && { consumer_type: asked.type }),
  };
}
