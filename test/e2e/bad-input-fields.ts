// The bodies of Placement's and the scheduler's writes, and what each of their fields accepts: listed here, not read
// from the schemas, so a missing constraint in a schema is detected.
import type { Generations } from './bad-input-world';
import {
  AGGREGATE,
  CHILD,
  CONSUMER,
  consumerBody,
  FRESH,
  HOST,
  MAX_INT,
  RECORD,
  UNKNOWN_UUID,
} from './bad-input-world';

export type Path = readonly (string | number)[];

export interface Field {
  readonly path: Path;
  readonly kind: 'integer' | 'number' | 'text' | 'name' | 'custom name' | 'uuid' | 'object' | 'list';
  readonly isRequired: boolean;
  readonly isNullable?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** For an object or a list: `{}` or `[]` is valid. */
  readonly mayBeEmpty?: boolean;
}

type Extra = Partial<Omit<Field, 'path' | 'kind'>>;
const field = (kind: Field['kind'], path: Path, extra: Extra = {}): Field => ({
  kind,
  path,
  isRequired: false,
  ...extra,
});
const REQUIRED = { isRequired: true } as const;

const recordFields = (...prefix: Path): readonly Field[] => [
  field('integer', [...prefix, 'total'], { ...REQUIRED, min: 1, max: MAX_INT }),
  field('integer', [...prefix, 'reserved'], { min: 0, max: MAX_INT }),
  field('integer', [...prefix, 'min_unit'], { min: 1, max: MAX_INT }),
  field('integer', [...prefix, 'max_unit'], { min: 1, max: MAX_INT }),
  field('integer', [...prefix, 'step_size'], { min: 1, max: MAX_INT }),
  field('number', [...prefix, 'allocation_ratio'], { max: 3.40282e38 }),
  field('integer', [...prefix, 'resource_provider_generation']),
];
const consumerFields = (...prefix: Path): readonly Field[] => [
  field('object', [...prefix, 'allocations'], { ...REQUIRED, mayBeEmpty: true }),
  field('object', [...prefix, 'allocations', HOST]),
  field('object', [...prefix, 'allocations', HOST, 'resources'], REQUIRED),
  field('integer', [...prefix, 'allocations', HOST, 'resources', 'VCPU'], { min: 1 }),
  field('integer', [...prefix, 'allocations', HOST, 'generation']),
  field('object', [...prefix, 'mappings']),
  field('list', [...prefix, 'mappings', '_SUFFIX']),
  field('uuid', [...prefix, 'mappings', '_SUFFIX', 0]),
  field('text', [...prefix, 'project_id'], { ...REQUIRED, max: 255 }),
  field('text', [...prefix, 'user_id'], { ...REQUIRED, max: 255 }),
  field('integer', [...prefix, 'consumer_generation'], { ...REQUIRED, isNullable: true }),
  field('name', [...prefix, 'consumer_type'], REQUIRED),
];

export interface BodyCase {
  readonly name: string;
  readonly version: string;
  readonly method: 'PUT' | 'POST';
  readonly path: string;
  readonly body: (generations: Generations) => unknown;
  readonly fields: readonly Field[];
  readonly status: number;
  /**
   * Faults that this document tolerates: optional fields can be null, and names that every object has are not checked.
   */
  readonly isLenient?: true;
}

export const BODIES: readonly BodyCase[] = [
  {
    name: 'POST /resource_providers',
    version: '1.39',
    method: 'POST',
    path: '/resource_providers',
    body: () => ({ name: 'fresh', uuid: FRESH, parent_provider_uuid: HOST }),
    fields: [
      field('text', ['name'], { ...REQUIRED, max: 200 }),
      field('uuid', ['uuid']),
      field('uuid', ['parent_provider_uuid'], { isNullable: true }),
    ],
    status: 200,
  },
  {
    name: 'PUT /resource_providers/{uuid}',
    version: '1.39',
    method: 'PUT',
    path: `/resource_providers/${CHILD}`,
    body: () => ({ name: 'child', parent_provider_uuid: HOST }),
    fields: [
      field('text', ['name'], { ...REQUIRED, max: 200 }),
      field('uuid', ['parent_provider_uuid'], { isNullable: true }),
    ],
    status: 200,
  },
  {
    name: 'POST inventories',
    version: '1.39',
    method: 'POST',
    path: `/resource_providers/${HOST}/inventories`,
    body: () => ({ resource_class: 'VGPU', ...RECORD }),
    fields: [field('name', ['resource_class'], REQUIRED), ...recordFields()],
    status: 201,
  },
  {
    name: 'PUT inventories',
    version: '1.39',
    method: 'PUT',
    path: `/resource_providers/${CHILD}/inventories`,
    body: ({ child }) => ({ resource_provider_generation: child, inventories: { VCPU: RECORD, DISK_GB: RECORD } }),
    fields: [
      field('integer', ['resource_provider_generation'], REQUIRED),
      field('object', ['inventories'], { ...REQUIRED, mayBeEmpty: true }),
      field('object', ['inventories', 'VCPU']),
      ...recordFields('inventories', 'VCPU'),
    ],
    status: 200,
  },
  {
    name: 'PUT one inventory',
    version: '1.39',
    method: 'PUT',
    path: `/resource_providers/${HOST}/inventories/VCPU`,
    body: ({ host }) => ({ ...RECORD, resource_provider_generation: host }),
    fields: recordFields().map((each) =>
      each.path[0] === 'resource_provider_generation' ? { ...each, isRequired: true } : each,
    ),
    status: 200,
  },
  {
    name: 'PUT aggregates',
    version: '1.39',
    method: 'PUT',
    path: `/resource_providers/${CHILD}/aggregates`,
    body: ({ child }) => ({ aggregates: [AGGREGATE, UNKNOWN_UUID], resource_provider_generation: child }),
    fields: [
      field('list', ['aggregates'], { ...REQUIRED, mayBeEmpty: true }),
      field('uuid', ['aggregates', 0]),
      field('integer', ['resource_provider_generation'], REQUIRED),
    ],
    status: 200,
  },
  {
    name: 'PUT aggregates as a list',
    version: '1.18',
    method: 'PUT',
    path: `/resource_providers/${CHILD}/aggregates`,
    body: () => [AGGREGATE],
    fields: [field('list', [], { ...REQUIRED, mayBeEmpty: true }), field('uuid', [0])],
    status: 200,
  },
  {
    name: 'PUT traits',
    version: '1.39',
    method: 'PUT',
    path: `/resource_providers/${CHILD}/traits`,
    body: ({ child }) => ({ traits: ['HW_CPU_X86_AVX'], resource_provider_generation: child }),
    fields: [
      field('list', ['traits'], { ...REQUIRED, mayBeEmpty: true }),
      field('text', ['traits', 0], { max: 255 }),
      field('integer', ['resource_provider_generation'], REQUIRED),
    ],
    status: 200,
  },
  {
    name: 'POST /resource_classes',
    version: '1.39',
    method: 'POST',
    path: '/resource_classes',
    body: () => ({ name: 'CUSTOM_FRESH' }),
    fields: [field('custom name', ['name'], REQUIRED)],
    status: 201,
  },
  {
    name: 'PUT /resource_classes/{name}, a new name',
    version: '1.6',
    method: 'PUT',
    path: '/resource_classes/CUSTOM_OLD',
    body: () => ({ name: 'CUSTOM_RENAMED' }),
    fields: [field('custom name', ['name'], REQUIRED)],
    status: 200,
  },
  {
    name: 'PUT /allocations as a list',
    version: '1.8',
    method: 'PUT',
    path: `/allocations/${CONSUMER}`,
    body: () => ({
      allocations: [{ resource_provider: { uuid: HOST }, resources: { VCPU: 1 } }],
      project_id: 'p',
      user_id: 'u',
    }),
    fields: [
      field('list', ['allocations'], REQUIRED),
      field('object', ['allocations', 0]),
      field('object', ['allocations', 0, 'resource_provider'], REQUIRED),
      field('uuid', ['allocations', 0, 'resource_provider', 'uuid'], REQUIRED),
      field('object', ['allocations', 0, 'resources'], REQUIRED),
      field('integer', ['allocations', 0, 'resources', 'VCPU'], { min: 1 }),
      field('text', ['project_id'], { ...REQUIRED, max: 255 }),
      field('text', ['user_id'], { ...REQUIRED, max: 255 }),
    ],
    status: 204,
  },
  {
    name: 'PUT /allocations',
    version: '1.39',
    method: 'PUT',
    path: `/allocations/${CHILD}`,
    body: consumerBody,
    fields: consumerFields(),
    status: 204,
  },
  {
    name: 'POST /allocations',
    version: '1.39',
    method: 'POST',
    path: '/allocations',
    body: () => ({ [AGGREGATE]: consumerBody() }),
    fields: [field('object', [AGGREGATE]), ...consumerFields(AGGREGATE)],
    status: 204,
  },
  {
    name: 'POST /reshaper',
    version: '1.39',
    method: 'POST',
    path: '/reshaper',
    body: ({ child }) => ({
      inventories: { [CHILD]: { resource_provider_generation: child, inventories: { VCPU: RECORD } } },
      allocations: { [UNKNOWN_UUID]: consumerBody() },
    }),
    fields: [
      field('object', ['inventories'], REQUIRED),
      field('object', ['inventories', CHILD]),
      field('integer', ['inventories', CHILD, 'resource_provider_generation'], REQUIRED),
      field('object', ['inventories', CHILD, 'inventories'], { ...REQUIRED, mayBeEmpty: true }),
      ...recordFields('inventories', CHILD, 'inventories', 'VCPU'),
      field('object', ['allocations'], { ...REQUIRED, mayBeEmpty: true }),
      field('object', ['allocations', UNKNOWN_UUID]),
      ...consumerFields('allocations', UNKNOWN_UUID),
    ],
    status: 204,
  },
  {
    name: 'POST /scheduler/explain',
    version: '1.39',
    method: 'POST',
    path: '/scheduler/explain',
    body: () => ({
      flavor: { name: 'small', vcpus: 1, memory_mb: 64, root_gb: 1, ephemeral_gb: 0, swap: 0, extra_specs: { a: 'b' } },
      image: { id: 'i', name: 'n', disk_format: 'raw', properties: { a: 'b' } },
      instances: [FRESH],
      project_id: 'p',
      user_id: 'u',
      is_bfv: false,
      ignore_hosts: ['h'],
      request_level_params: { root_required: ['HW_CPU_X86_AVX'] },
      seed: 7,
    }),
    fields: [
      ...['vcpus', 'memory_mb'].map((name) =>
        field('integer', ['flavor', name], { ...REQUIRED, min: 0, max: MAX_INT }),
      ),
      ...['root_gb', 'ephemeral_gb', 'swap'].map((name) =>
        field('integer', ['flavor', name], { isNullable: true, min: 0, max: MAX_INT }),
      ),
      field('list', ['instances'], { isNullable: true }),
      field('uuid', ['instances', 0]),
      field('text', ['project_id'], { ...REQUIRED, max: 255 }),
      field('text', ['user_id'], { ...REQUIRED, max: 255 }),
      field('object', ['request_level_params'], { isNullable: true, mayBeEmpty: true }),
      field('integer', ['seed'], { isNullable: true, min: 0 }),
    ],
    status: 200,
    isLenient: true,
  },
];
