// Small clouds, most of them nearly full, and requests that fit few of their hosts: flat and nested hosts, a shared
// pool, units, reserved amounts, traits and aggregates; suffixed groups that compete for the same devices.
import type { SelectDestinationsDto } from '../../src/scheduler/request/request.schema';
import type { SimulatedProviderDto, SimulationDto } from '../../src/scheduler/simulate/simulation.schema';
import { Dice } from './candidates-worlds';

export type Provider = SimulatedProviderDto;
type Inventories = NonNullable<Provider['inventories']>;

export interface RefusalCase {
  readonly seed: number;
  readonly document: SimulationDto;
}

const TRAITS = ['CUSTOM_A', 'CUSTOM_B'];
const DISABLED = 'COMPUTE_STATUS_DISABLED';
const DEVICES = ['VGPU', 'CUSTOM_CARD'];
const uuidOf = (kind: number, at: number): string => `0000000${kind}-0000-4000-8000-${String(at).padStart(12, '0')}`;
const POOL = uuidOf(4, 1);
const AGGREGATES = [uuidOf(6, 1), uuidOf(6, 2)];

export function drawRefusalCase(seed: number): RefusalCase {
  const dice = new Dice(seed);
  const hosts = dice.between(1, 4);
  const providers = Array.from({ length: hosts }, (_, at) => drawHost(dice, at)).flat();
  if (dice.chance(0.4)) providers.push(drawPool(dice));
  const request = drawRequest(dice);
  const reports = dice.chance(0.5)
    ? providers.filter(({ parent_uuid: parent, name }) => !parent && name !== 'pool')
    : [];
  const group = dice.chance(0.3) ? drawGroup(dice) : null;
  return {
    seed,
    document: {
      hosts: reports.map((provider) => drawReport(dice, provider)),
      providers,
      now: '2030-01-01T00:00:00Z',
      request: {
        ...request,
        ...(dice.chance(0.1) && { ignore_hosts: ['h1'] }),
        ...(group !== null && { instance_group: group }),
      },
    },
  };
}

/** The report of a host whose service can be down. */
function drawReport(dice: Dice, { uuid, name }: Provider): NonNullable<SimulationDto['hosts']>[number] {
  const sizes = { vcpus_total: 8, memory_mb: 8, local_gb: 8 };
  return { host: name, node: name, uuid, ...sizes, ...(dice.chance(0.3) && { forced_down: true }) };
}

const drawGroup = (dice: Dice): NonNullable<SelectDestinationsDto['instance_group']> => ({
  uuid: uuidOf(7, 1),
  policy: 'affinity',
  members: [uuidOf(8, 1)],
  hosts: atLeastOne(dice, ['h0', 'h1', 'h2'], 0.5),
});

function drawHost(dice: Dice, at: number): Provider[] {
  const uuid = uuidOf(2, at);
  const own = ['VCPU', 'MEMORY_MB', ...dice.some(['DISK_GB'], 0.6), ...dice.some(DEVICES, 0.3)];
  const root = drawProvider(dice, { uuid, name: `h${at}` }, own, dice.some([DISABLED], 0.08));
  const children = dice.chance(0.5) ? dice.between(1, 3) : 0;
  const below = Array.from({ length: children }, (_, child): Provider[] => {
    const node = { uuid: uuidOf(3, at * 100 + child * 10), name: `h${at}.${child}`, parent_uuid: uuid };
    const classes = dice.some([...DEVICES, 'MEMORY_MB'], 0.6);
    const leaf = { uuid: uuidOf(3, at * 100 + child * 10 + 1), name: `h${at}.${child}.0`, parent_uuid: node.uuid };
    return [
      drawProvider(dice, node, classes),
      ...(dice.chance(0.25) ? [drawProvider(dice, leaf, dice.some(DEVICES, 0.7))] : []),
    ];
  });
  return [root, ...below.flat()];
}

function drawPool(dice: Dice): Provider {
  const inventories = { DISK_GB: { total: dice.between(2, 12) } };
  return {
    uuid: uuidOf(5, 1),
    name: 'pool',
    inventories,
    traits: ['MISC_SHARES_VIA_AGGREGATE'],
    aggregates: [POOL, ...dice.some(AGGREGATES, 0.3)],
    used: { DISK_GB: dice.between(0, inventories.DISK_GB.total) },
  };
}

function drawProvider(
  dice: Dice,
  named: Pick<Provider, 'uuid' | 'name' | 'parent_uuid'>,
  classes: readonly string[],
  traits: readonly string[] = [],
): Provider {
  const inventories: Record<string, Inventories[string]> = {};
  const used: Record<string, number> = {};
  for (const name of classes) {
    const total = dice.between(1, 8);
    inventories[name] = {
      total,
      ...(dice.chance(0.2) && { reserved: dice.between(0, total) }),
      ...(dice.chance(0.3) && { max_unit: dice.between(1, total) }),
      ...(dice.chance(0.12) && { step_size: dice.between(2, 3) }),
      ...(dice.chance(0.12) && { min_unit: 2 }),
      ...(dice.chance(0.2) && { allocation_ratio: dice.pick([0.5, 1.5, 2]) }),
    };
    used[name] = dice.chance(0.6) ? dice.between(0, total) : 0;
  }
  return {
    ...named,
    inventories,
    used,
    traits: [...dice.some(TRAITS, 0.4), ...traits],
    aggregates: dice.some([POOL, ...AGGREGATES], 0.3),
  };
}

function drawRequest(dice: Dice): SelectDestinationsDto {
  const extra: Record<string, string> = {};
  const suffixes = ['1', '_B', '_C'].filter(() => dice.chance(0.4));
  for (const suffix of suffixes) {
    for (const name of atLeastOne(dice, [...DEVICES, 'MEMORY_MB'], 0.25)) {
      extra[`resources${suffix}:${name}`] = String(dice.chance(0.6) ? 1 : dice.between(2, 4));
    }
    if (dice.chance(0.35)) extra[`trait${suffix}:${dice.pick(TRAITS)}`] = dice.chance(0.7) ? 'required' : 'forbidden';
  }
  if (suffixes.length > 1) extra['group_policy'] = dice.pick(['none', 'isolate']);
  for (const name of dice.some(TRAITS, 0.25)) extra[`trait:${name}`] = dice.chance(0.75) ? 'required' : 'forbidden';
  if (dice.chance(0.2)) extra['resources:VGPU'] = dice.pick(['1', '2', '3']);
  const image = Object.fromEntries(dice.some(TRAITS, 0.15).map((name) => [`trait:${name}`, 'required']));
  return {
    flavor: {
      name: 'f',
      vcpus: dice.between(1, 4),
      memory_mb: dice.between(1, 4),
      root_gb: dice.chance(0.4) ? dice.between(1, 4) : 0,
      extra_specs: extra,
    },
    image: { properties: image },
    num_instances: 1,
    project_id: 'p',
    user_id: 'u',
    request_level_params: {
      root_required: dice.some(TRAITS, 0.06),
      root_forbidden: dice.some(TRAITS, 0.06),
      same_subtree: suffixes.length > 1 && dice.chance(0.3) ? [suffixes] : [],
    },
    requested_destination: {
      ...(dice.chance(0.1) && { host: 'h0' }),
      aggregates: dice.chance(0.12) ? [atLeastOne(dice, AGGREGATES, 0.4)] : [],
      forbidden_aggregates: dice.some(AGGREGATES, 0.06),
    },
  };
}

function atLeastOne<T>(dice: Dice, items: readonly T[], probability: number): T[] {
  const some = dice.some(items, probability);
  return some.length > 0 ? some : [dice.pick(items)];
}
