// Invalid input gets a clear 4xx that names the field of a schema violation, changes nothing, never causes a 5xx, and
// has the same answer on every database. The fields of each body are listed here, not read from the schemas, so a
// missing constraint in a schema is detected.
import type { TestDatabaseKind } from '../support/databases';
import { testDatabaseKinds } from '../support/databases';
import type { TestRequest, TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { dumpTables } from '../support/table-dump';

const MAX_INT = 2_147_483_647;
const HOST = 'aaaaaaaa-0000-4000-8000-000000000001';
const CHILD = 'aaaaaaaa-0000-4000-8000-000000000002';
const FRESH = 'aaaaaaaa-0000-4000-8000-00000000000f';
const CONSUMER = 'cccccccc-0000-4000-8000-000000000001';
const AGGREGATE = 'eeeeeeee-0000-4000-8000-000000000001';
const UNKNOWN_UUID = 'ffffffff-0000-4000-8000-000000000000';

/** Raw text in the document, for values that JSON.stringify cannot produce. */
const raw = (text: string): string => `@@${text}@@`;
const toJson = (value: unknown): string => JSON.stringify(value).replaceAll(/"@@(.*?)@@"/g, '$1');

type Path = readonly (string | number)[];

interface Field {
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
const RECORD = {
  total: 10,
  reserved: 1,
  min_unit: 1,
  max_unit: 5,
  step_size: 1,
  allocation_ratio: 1.5,
  resource_provider_generation: 0,
};

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
const consumerBody = (): object => ({
  allocations: { [HOST]: { resources: { VCPU: 1 }, generation: 1 } },
  mappings: { _SUFFIX: [HOST] },
  project_id: 'p',
  user_id: 'u',
  consumer_generation: null,
  consumer_type: 'INSTANCE',
});

interface Generations {
  readonly host: number;
  readonly child: number;
}

interface BodyCase {
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

const BODIES: readonly BodyCase[] = [
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

type Labelled = readonly [label: string, value: unknown];

const LONG = 'x'.repeat(10_000);
const ANY_TYPE: readonly Labelled[] = [
  ['null', null],
  ['text', 'text'],
  ['integer', 7],
  ['fraction', 1.5],
  ['true', true],
  ['false', false],
  ['empty list', []],
  ['list of a number', [1]],
  ['empty object', {}],
];

const RIGHT_TYPES: Readonly<Record<Field['kind'], readonly string[]>> = {
  integer: ['integer'],
  number: ['integer', 'fraction'],
  text: ['text'],
  name: [],
  'custom name': [],
  uuid: [],
  object: [],
  list: [],
};

const UNSTORABLE: readonly Labelled[] = [
  ['half a surrogate pair', 'a\ud800'],
  ['the other half', '\udc00a'],
  ['NUL', 'a\u0000b'],
];
const WRONG_NAMES: readonly Labelled[] = [
  ['a line break behind', 'CUSTOM_A\n'],
  ['a line break before', '\nCUSTOM_A'],
  ['a blank behind', 'CUSTOM_A '],
  ['lower case', 'CUSTOM_a'],
  ['a letter of another script', 'CUSTOM_Ä'],
  ['an emoji', 'CUSTOM_🐎'],
  ['too long', `CUSTOM_${'A'.repeat(249)}`],
];
const WRONG_UUIDS: readonly Labelled[] = [
  ['no hex digit', HOST.replace('a', 'g')],
  ['a digit too many', `${HOST}0`],
  ['a digit too few', HOST.slice(1)],
  ['a line break behind', `${HOST}\n`],
  ['a blank before', ` ${HOST}`],
  ['dashes alone', '-'.repeat(36)],
];

/** Values that a field must refuse. */
function wrongValues({ kind, min, max, isNullable, mayBeEmpty }: Field): readonly Labelled[] {
  const right = [...RIGHT_TYPES[kind]];
  if (isNullable === true) right.push('null');
  if (mayBeEmpty === true) right.push(kind === 'object' ? 'empty object' : 'empty list');
  const wrong = ANY_TYPE.filter(([label]) => !right.includes(label));
  switch (kind) {
    case 'integer':
    case 'number':
      return [
        ...wrong,
        ['a number as text', '5'],
        ['beyond all numbers', raw('1e400')],
        ...(kind === 'integer'
          ? ([
              ['far below all numbers', raw('-1e400')],
              ['a fraction near 1', raw('1.0000001')],
            ] as const)
          : []),
        ...(min === undefined
          ? []
          : ([
              ['just too little', min - 1],
              ['negative', -5],
              ['very negative', raw('-9223372036854775809')],
            ] as const)),
        ...(max === undefined
          ? []
          : ([
              ['just too much', kind === 'integer' ? max + 1 : raw('3.40283e38')],
              ['64 bits', raw(kind === 'integer' ? '9223372036854775808' : '1e39')],
            ] as const)),
      ];
    case 'text':
      return [
        ...wrong,
        ['empty', ''],
        ['just too long', 'x'.repeat((max ?? 0) + 1)],
        ['too many emoji', '🐎'.repeat((max ?? 0) + 1)],
        ['very long', LONG],
        ...UNSTORABLE,
      ];
    case 'name':
      return [...wrong, ['empty', ''], ['very long', LONG.toUpperCase()], ...UNSTORABLE, ...WRONG_NAMES];
    case 'custom name':
      return [
        ...wrong,
        ['empty', ''],
        ['standard', 'VCPU'],
        ['the prefix alone', 'CUSTOM_'],
        ...UNSTORABLE,
        ...WRONG_NAMES,
      ];
    case 'uuid':
      return [...wrong, ['empty', ''], ['very long', LONG], ...UNSTORABLE, ...WRONG_UUIDS];
    case 'object':
    case 'list':
      return wrong;
  }
}

/** The document with one changed place; `change` gets the holder of the place and its key. */
function changed(body: unknown, path: Path, change: (holder: Record<string, unknown>, key: string) => void): unknown {
  const copy = { root: structuredClone(body) } as Record<string, unknown>;
  const keys = ['root', ...path.map(String)];
  let holder = copy;
  for (const key of keys.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  change(holder, keys.at(-1) ?? '');
  return copy['root'];
}

interface Spoilt {
  readonly label: string;
  readonly body: unknown;
  /** The text that the error must contain. */
  readonly named: string;
}

function spoiltBodies(valid: unknown, fields: readonly Field[]): readonly Spoilt[] {
  const isList = Array.isArray(valid);
  const documents: readonly Spoilt[] = ANY_TYPE.filter(([label]) => !isList || label !== 'empty list').map(
    ([label, value]) => ({ label: `the document: ${label}`, body: value, named: '' }),
  );
  const objects = [
    ...(isList ? [] : [[]]),
    ...fields.filter((each) => each.kind === 'object').map((each) => each.path),
  ];
  const extras = objects.flatMap((path: Path) =>
    ['surprise!', '__proto__', 'constructor', 'toString'].map((name): Spoilt => ({
      label: `${path.join('.')}: the property ${name} too many`,
      body: changed(valid, [...path, name], (holder, key) =>
        Object.defineProperty(holder, key, { value: 1, enumerable: true, configurable: true }),
      ),
      named: name,
    })),
  );
  const values = fields.flatMap((each): readonly Spoilt[] => {
    const named = String([...each.path].reverse().find((key) => typeof key === 'string') ?? '');
    const label = each.path.join('.');
    const missing: readonly Spoilt[] =
      each.isRequired && each.path.length > 0
        ? [{ label: `${label}: missing`, body: changed(valid, each.path, (holder, key) => delete holder[key]), named }]
        : [];
    const wrong = wrongValues(each).map(([what, value]): Spoilt => ({
      label: `${label}: ${what}`,
      body: changed(valid, each.path, (holder, key) => (holder[key] = value)),
      named,
    }));
    return [...missing, ...wrong];
  });
  return [...documents, ...extras, ...values];
}

const bytes = (...parts: readonly (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));

/** Bodies that are not JSON. */
const NO_JSON: readonly (readonly [label: string, body: string | Buffer])[] = [
  ['nothing', ''],
  ['a blank', ' '],
  ['half an object', '{"name": "x"'],
  ['half a list', '["x"'],
  ['half a text', '{"name": "x'],
  ['single quotes', "{'name': 'x'}"],
  ['a comma too many', '{"name": "x",}'],
  ['more behind it', '{"name": "x"} {}'],
  ['no quotes', '{name: 1}'],
  ['NaN', '{"name": NaN}'],
  ['Infinity', '{"name": Infinity}'],
  ['-Infinity', '{"allocation_ratio": -Infinity}'],
  ['undefined', 'undefined'],
  ['a form', 'name=x&uuid=y'],
  ['a line break in a text', '{"name": "a\nb"}'],
  ['bytes that are no UTF-8', bytes('{"name": "', 0xff, 0xfe, '"}')],
  ['half a character', bytes('{"name": "', 0xf0, 0x9f, 0x90, '"}')],
  ['an overlong character', bytes('{"name": "', 0xc0, 0xaf, '"}')],
  ['UTF-16', Buffer.from('{"name": "x"}', 'utf16le')],
  ['lists without end', '['.repeat(100_000)],
  ['objects without end', '{"a":'.repeat(50_000)],
];

/** JSON that no route accepts. */
const DEEP: readonly (readonly [label: string, body: string])[] = [
  ['very deep lists', '['.repeat(50_000) + ']'.repeat(50_000)],
  ['very deep objects', '{"name":'.repeat(20_000) + '1' + '}'.repeat(20_000)],
  ['a deep name', `{"name": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ['a huge number', `{"name": ${'9'.repeat(5_000)}}`],
];

const encoded = encodeURIComponent;
const PROVIDERS = '/resource_providers';
const CANDIDATES = '/allocation_candidates';

/** Queries that must be refused, and the text that the refusal must contain. */
const BAD_QUERIES: readonly (readonly [path: string, named?: string | undefined, version?: string])[] = [
  ...[PROVIDERS, '/traits', '/usages?project_id=p', `${CANDIDATES}?resources=VCPU:1`].flatMap((path) => {
    const sign = path.includes('?') ? '&' : '?';
    return ['surprise', '__proto__', 'constructor', 'limit%00'].map(
      (name) => [`${path}${sign}${name}=1`, decodeURIComponent(name)] as const,
    );
  }),
  ...['uuid', 'in_tree'].flatMap((name) =>
    ['', 'x', HOST.slice(1), `${HOST}%0A`, `%20${HOST}`, '%00', LONG].map(
      (value) => [`${PROVIDERS}?${name}=${value}`, name] as const,
    ),
  ),
  ...[PROVIDERS + '?', `${CANDIDATES}?resources=VCPU:1&`].flatMap((path) =>
    [
      '',
      'x',
      `${HOST},${UNKNOWN_UUID}`,
      'in:',
      'in:x',
      '!',
      '!in:',
      `!${HOST},${UNKNOWN_UUID}`,
      `in:${HOST},,${UNKNOWN_UUID}`,
    ].map((value) => [`${path}member_of=${value}`, 'member_of'] as const),
  ),
  ...[PROVIDERS, CANDIDATES].flatMap((path) =>
    [
      '',
      'VCPU',
      'VCPU:',
      ':1',
      'VCPU:0',
      'VCPU:-1',
      'VCPU:1.5',
      'VCPU:x',
      'VCPU:1:2',
      'VCPU:1,',
      ',VCPU:1',
      'VCPU:1e3',
      'VCPU:0x10',
      'VCPU:%001',
    ].map((value) => [`${path}?resources=${value}`] as const),
  ),
  ...[PROVIDERS, CANDIDATES].flatMap((path) =>
    ['NOPE:1', 'vcpu:1', 'VCPU%0A:1', '%F0%9F%90%8E:1', 'CUSTOM_%00:1'].map(
      (value) => [`${path}?resources=${value}`] as const,
    ),
  ),
  ...[PROVIDERS + '?', `${CANDIDATES}?resources=VCPU:1&`].flatMap((path) =>
    ['', ',', '!', 'NOPE', 'HW_CPU_X86_AVX,', 'in:', 'in:!HW_CPU_X86_AVX', 'hw_cpu_x86_avx', 'HW_CPU_X86_AVX%00'].map(
      (value) => [`${path}required=${value}`] as const,
    ),
  ),
  [`${PROVIDERS}?member_of=${HOST}`, 'member_of', '1.2'],
  [`${PROVIDERS}?resources=VCPU:1`, 'resources', '1.3'],
  [`${PROVIDERS}?in_tree=${HOST}`, 'in_tree', '1.13'],
  [`${PROVIDERS}?required=HW_CPU_X86_AVX`, 'required', '1.17'],
  [`${PROVIDERS}?required=!HW_CPU_X86_AVX`, undefined, '1.21'],
  [`${PROVIDERS}?member_of=!${HOST}`, undefined, '1.31'],
  [`${PROVIDERS}?required=in:HW_CPU_X86_AVX`, undefined, '1.38'],
  ['/traits?name=foo', 'name'],
  ['/traits?name=foo:bar', 'name'],
  ['/traits?name=', 'name'],
  ['/traits?associated=maybe', 'associated'],
  ['/traits?associated=', 'associated'],
  ['/usages', 'project_id'],
  ['/usages?project_id=', 'project_id'],
  [`/usages?project_id=${'p'.repeat(256)}`, 'project_id'],
  ['/usages?project_id=p&user_id=', 'user_id'],
  [`/usages?project_id=p&user_id=${LONG}`, 'user_id'],
  ...['', 'instance', 'allfoo', 'unknownx', 'INSTANCE%0A', 'A'.repeat(256)].map(
    (value) => [`/usages?project_id=p&consumer_type=${value}`, 'consumer_type'] as const,
  ),
  ['/usages?project_id=p&consumer_type=INSTANCE', 'consumer_type', '1.37'],
  [CANDIDATES],
  ...['', '0', '-1', 'abc', '1.5', '1e3', '%201', '1%0A'].map(
    (value) => [`${CANDIDATES}?resources=VCPU:1&limit=${value}`, 'limit'] as const,
  ),
  [`${CANDIDATES}?resources=VCPU:1&limit=abc&limit=1`],
  ...['', 'both', 'NONE', 'none%0A'].map(
    (value) => [`${CANDIDATES}?resources1=VCPU:1&resources2=VCPU:1&group_policy=${value}`, 'group_policy'] as const,
  ),
  [`${CANDIDATES}?resources1=VCPU:1&resources2=VCPU:1`],
  ...['', 'x', LONG, `${HOST}%00`, `${HOST},${HOST}`].map(
    (value) => [`${CANDIDATES}?resources=VCPU:1&in_tree=${value}`] as const,
  ),
  ...['', 'NOPE', 'HW_CPU_X86_AVX,', 'in:HW_CPU_X86_AVX', 'HW_CPU_X86_AVX,!HW_CPU_X86_AVX'].map(
    (value) => [`${CANDIDATES}?resources=VCPU:1&root_required=${value}`] as const,
  ),
  [`${CANDIDATES}?resources=VCPU:1&root_required=HW_CPU_X86_AVX&root_required=HW_CPU_X86_SSE`],
  ...['', ',', '_NOPE', '_NOPE,_A'].map((value) => [`${CANDIDATES}?resources_A=VCPU:1&same_subtree=${value}`] as const),
  [`${CANDIDATES}?resources=VCPU:1&resources%2B=VCPU:1`],
  [`${CANDIDATES}?resources=VCPU:1&resources${'A'.repeat(65)}=VCPU:1`],
  [`${CANDIDATES}?resources=VCPU:1&resources_A=VCPU:1`, 'resources_A', '1.32'],
  [`${PROVIDERS}?name=%FF`],
  [`${PROVIDERS}?name=%C0%AF`],
  [`${PROVIDERS}?name=%ED%A0%80`],
  [`${PROVIDERS}?%FF=1`],
  ['/usages?project_id=%F0%9F%90'],
  ['/traits?name=in:%FF'],
  [`${CANDIDATES}?resources=VCPU:1&required=%FF`],
];

/** Unusual but valid queries. */
const GOOD_QUERIES: readonly (readonly [path: string, answer: object])[] = [
  ...['99999999999999999999', '9223372036854775808', '2147483648', '9'.repeat(400), '%2B99999999999'].flatMap(
    (amount) => [
      [`${PROVIDERS}?resources=VCPU:${amount}`, { resource_providers: [] }] as const,
      [`${CANDIDATES}?resources=VCPU:${amount}`, { allocation_requests: [], provider_summaries: {} }] as const,
    ],
  ),
  [`${PROVIDERS}?name=%00`, { resource_providers: [] }],
  [`${PROVIDERS}?name=100%`, { resource_providers: [] }],
  [`${PROVIDERS}?name=${encoded("' OR 1=1 --")}`, { resource_providers: [] }],
  [`${PROVIDERS}?name=%25`, { resource_providers: [] }],
  [`${PROVIDERS}?name=HOST`, { resource_providers: [] }],
  [`${PROVIDERS}?name=host%20`, { resource_providers: [] }],
  [`${PROVIDERS}?name=${LONG}`, { resource_providers: [] }],
  [`${PROVIDERS}?uuid=${UNKNOWN_UUID}`, { resource_providers: [] }],
  [`${PROVIDERS}?in_tree=${UNKNOWN_UUID}`, { resource_providers: [] }],
  [`${PROVIDERS}?member_of=${UNKNOWN_UUID}`, { resource_providers: [] }],
  ['/traits?name=in:NOPE,%F0%9F%90%8E,%00', { traits: [] }],
  ['/traits?name=startswith:%25', { traits: [] }],
  ['/traits?name=startswith:HW%5CCPU', { traits: [] }],
  ['/traits?name=startswith:hw_', { traits: [] }],
  ['/traits?name=in:', { traits: [] }],
  [`/usages?project_id=${encoded('🐎'.repeat(255))}`, { usages: {} }],
  ['/usages?project_id=%00', { usages: {} }],
  [`/usages?project_id=${encoded("p' OR 'a'='a")}`, { usages: {} }],
  ['/usages?project_id=nobody&consumer_type=all', { usages: {} }],
  ['/allocations/x', { allocations: {} }],
  ['/allocations/%00', { allocations: {} }],
  [`/allocations/${'-'.repeat(36)}`, { allocations: {} }],
];

/** Paths of no resource; the answer is one of these. */
const BAD_PATHS: readonly (readonly [method: 'GET' | 'PUT' | 'DELETE', path: string, ...statuses: number[]])[] = [
  ['GET', '/traits/%ZZ', 404],
  ['GET', '/traits/%', 404],
  ['PUT', '/traits/CUSTOM_%', 400],
  ['GET', '/traits/%FF', 400],
  ['PUT', '/traits/CUSTOM_%FF', 400],
  ['PUT', '/traits/CUSTOM_A%0A', 400],
  ['PUT', '/traits/CUSTOM_A%00', 400],
  ['PUT', '/traits/CUSTOM_%F0%9F%90%8E', 400],
  ['PUT', `/traits/CUSTOM_${'A'.repeat(249)}`, 400],
  ['PUT', `/traits/CUSTOM_${'A'.repeat(5_000)}`, 400, 404, 414],
  ['PUT', '/traits/', 404],
  ['GET', '/traits/HW_CPU_X86_AVX%0A', 404],
  ['GET', '/traits/hw_cpu_x86_avx', 404],
  ['DELETE', '/traits/CUSTOM_A%00', 404],
  ['PUT', '/resource_classes/CUSTOM_A%0A', 400],
  ['PUT', '/resource_classes/custom_a', 400],
  ['GET', '/resource_classes/VCPU%0A', 404],
  ['GET', '/resource_classes/vcpu', 404],
  ['DELETE', '/resource_classes/VCPU%20', 404],
  ['GET', '/resource_providers/x', 404],
  ['GET', `/resource_providers/${HOST}%0A`, 404],
  ['GET', `/resource_providers/${HOST}%00`, 404],
  ['GET', `/resource_providers/${LONG}`, 404, 414],
  ['GET', '/resource_providers/%FF', 400],
  ['DELETE', '/resource_providers/x', 404],
  ['GET', '/resource_providers/x/inventories', 404],
  ['GET', `/resource_providers/${HOST}/inventories/VCPU%0A`, 404],
  ['GET', `/resource_providers/${HOST}/inventories/NOPE`, 404],
  ['DELETE', `/resource_providers/${HOST}/inventories/%00`, 404],
  ['DELETE', `/allocations/x`, 404],
  ['DELETE', `/allocations/${'-'.repeat(36)}`, 404],
  ['GET', '/nowhere', 404],
  ['GET', '/resource_providers/', 404],
  ['GET', `/${'x'.repeat(70_000)}`, 414],
  ['GET', `${PROVIDERS}?name=${'x'.repeat(70_000)}`, 414],
];

const BODY_ROUTES = BODIES.filter((each) => !each.name.includes('as a list'));

const seen: Record<TestDatabaseKind, Map<string, number>> = { sqlite: new Map(), mysql: new Map() };

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;

  const ok = async (request: TestRequest): Promise<TestResponse> => {
    const response = await service.request(request);
    if (response.status >= 300)
      throw new Error(`${request.method} ${request.path}: ${response.status} ${response.text}`);
    return response;
  };
  const generations = async (): Promise<Generations> => {
    const of = async (uuid: string): Promise<number> =>
      (await ok({ path: `${PROVIDERS}/${uuid}` })).json.generation as number;
    return { host: await of(HOST), child: await of(CHILD) };
  };
  /** Sends the request, records the status for the comparison of databases, and returns the fault of the answer. */
  const complaint = async (
    label: string,
    request: TestRequest,
    { statuses, named = '' }: { statuses: readonly number[]; named?: string | undefined },
  ): Promise<readonly string[]> => {
    const response = await service.request(request);
    seen[kind].set(label, response.status);
    const error = response.json?.errors?.[0] as { status?: number; detail?: string; code?: string } | undefined;
    const shown = `${label.slice(0, 200)}: ${response.status} ${response.text.slice(0, 400)}`;
    if (!statuses.includes(response.status)) return [shown];
    const isClear = error?.status === response.status && (error.detail ?? '').includes(named);
    return isClear ? [] : [`unclear: ${shown}`];
  };
  const nothingChanges = async (work: () => Promise<readonly string[]>): Promise<void> => {
    const before = await dumpTables(service.database);
    expect(await work()).toEqual([]);
    expect(await dumpTables(service.database)).toBe(before);
  };

  beforeAll(async () => {
    service = await startTestService(kind);
    await ok({ method: 'POST', path: PROVIDERS, body: { name: 'host', uuid: HOST } });
    await ok({ method: 'POST', path: PROVIDERS, body: { name: 'child', uuid: CHILD, parent_provider_uuid: HOST } });
    const body = { resource_provider_generation: 0, inventories: { VCPU: { total: 100 } } };
    await ok({ method: 'PUT', path: `${PROVIDERS}/${HOST}/inventories`, body });
    await ok({ method: 'PUT', path: '/resource_classes/CUSTOM_OLD' });
  });
  afterAll(() => service.stop());

  describe('a body with one fault is refused by field, and accepted without the fault', () => {
    it.each(BODIES.map((each) => [each.name, each] as const))('%s', async (name, each) => {
      const valid = each.body(await generations());
      const request = (body: string): TestRequest => ({
        method: each.method,
        path: each.path,
        version: each.version,
        body,
        headers: { 'content-type': 'application/json' },
      });
      const spoilt = spoiltBodies(valid, each.fields).filter(
        ({ named }) => each.isLenient !== true || !(named in Object.prototype),
      );
      expect(spoilt.length).toBeGreaterThan(15);
      await nothingChanges(async () => {
        const complaints: string[] = [];
        for (const { label, body, named } of spoilt) {
          complaints.push(...(await complaint(`${name}: ${label}`, request(toJson(body)), { statuses: [400], named })));
        }
        return complaints;
      });
      const response = await service.request(request(toJson(valid)));
      expect([response.status, response.text]).toEqual([each.status, expect.any(String)]);
    });
  });

  describe('a body that is not a document is refused', () => {
    it.each(BODY_ROUTES.map((each) => [each.name, each] as const))('%s', async (name, { method, path, version }) => {
      const json = { 'content-type': 'application/json' };
      await nothingChanges(async () => {
        const complaints: string[] = [];
        for (const [label, body] of [...NO_JSON, ...DEEP]) {
          const request = { method, path, version, body, headers: json };
          complaints.push(...(await complaint(`${name}: ${label}`, request, { statuses: [400] })));
        }
        for (const type of [
          'text/plain',
          'application/xml',
          'application/jsonx',
          'json',
          '*/*',
          'application/json+x',
        ]) {
          const request = { method, path, version, body: '{}', headers: { 'content-type': type } };
          complaints.push(...(await complaint(`${name}: type ${type}`, request, { statuses: [415] })));
        }
        const untyped = { method, path, version, body: '{}', headers: { 'content-type': null } };
        complaints.push(...(await complaint(`${name}: no type`, untyped, { statuses: [400], named: 'content-type' })));
        complaints.push(
          ...(await complaint(`${name}: no body, no type`, { method, path, version }, { statuses: [415] })),
        );
        return complaints;
      });
    });

    it('a body above the limit', async () => {
      const body = JSON.stringify({ name: 'x'.repeat(3 * 1024 * 1024) });
      const headers = { 'content-type': 'application/json' };
      await nothingChanges(() =>
        complaint(
          'too large',
          { method: 'POST', path: PROVIDERS, body, headers },
          { statuses: [413], named: 'max_body_bytes' },
        ),
      );
    });

    it('to the scheduler', async () => {
      const headers = { 'content-type': 'application/json' };
      const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
      const hints = `{"flavor": {"vcpus": 1, "memory_mb": 1}, "project_id": "p", "user_id": "u", "scheduler_hints": ${deep}}`;
      await nothingChanges(async () => {
        const complaints: string[] = [];
        for (const path of ['/scheduler/select_destinations', '/scheduler/explain']) {
          for (const [label, body] of [...NO_JSON, ...DEEP, ['deep hints', hints] as const]) {
            const request: TestRequest = { method: 'POST', path, body, headers };
            complaints.push(...(await complaint(`${path}: ${label}`, request, { statuses: [400, 409] })));
          }
        }
        return complaints;
      });
    });
  });

  it('queries that violate the contract are refused', async () => {
    await nothingChanges(async () => {
      const complaints: string[] = [];
      for (const [path, named, version = '1.39'] of BAD_QUERIES) {
        complaints.push(...(await complaint(`${version} ${path}`, { path, version }, { statuses: [400], named })));
      }
      return complaints;
    });
  });

  it.each(GOOD_QUERIES.map(([path, answer]) => [path.slice(0, 60), path, answer] as const))(
    'the unusual query %s is answered',
    async (_shown, path, answer) => {
      const response = await service.request({ path });
      seen[kind].set(path, response.status);
      expect([response.status, response.json]).toEqual([200, answer]);
    },
  );

  it('paths of no resource are refused', async () => {
    await nothingChanges(async () => {
      const complaints: string[] = [];
      for (const [method, path, ...statuses] of BAD_PATHS) {
        complaints.push(...(await complaint(`${method} ${path}`, { method, path }, { statuses })));
      }
      return complaints;
    });
  });

  describe('unusual but valid', () => {
    const SPELLINGS: readonly (readonly [name: string, spell: (uuid: string) => string])[] = [
      ['upper case', (uuid) => uuid.toUpperCase()],
      ['braces', (uuid) => `{${uuid}}`],
      ['a urn', (uuid) => `urn:uuid:${uuid}`],
      ['no dashes', (uuid) => uuid.replaceAll('-', '')],
    ];

    it.each(SPELLINGS)('a uuid in %s is the same uuid, in bodies, paths and queries', async (name, spell) => {
      const uuid = `bbbbbbbb-0000-4000-8000-0000000000${String(name.length).padStart(2, '0')}`;
      const body = { name: `spelt in ${name}`, uuid: spell(uuid), parent_provider_uuid: spell(HOST) };
      const created = await ok({ method: 'POST', path: PROVIDERS, body });
      expect(created.json).toMatchObject({ uuid, parent_provider_uuid: HOST, root_provider_uuid: HOST });
      for (const path of [`/${encoded(spell(uuid))}`, `?uuid=${encoded(spell(uuid))}`]) {
        const { json } = await ok({ path: `${PROVIDERS}${path}` });
        expect(json.uuid ?? json.resource_providers[0].uuid).toBe(uuid);
      }
      const aggregates = { aggregates: [spell(AGGREGATE)], resource_provider_generation: 0 };
      const path = `${PROVIDERS}/${uuid}/aggregates`;
      expect((await ok({ method: 'PUT', path, body: aggregates })).json.aggregates).toEqual([AGGREGATE]);
      const members = await ok({ path: `${PROVIDERS}?member_of=${encoded(`in:${spell(AGGREGATE)}`)}&uuid=${uuid}` });
      expect(members.json.resource_providers).toHaveLength(1);
      const again = await service.request({ method: 'POST', path: PROVIDERS, body: { ...body, name: 'another' } });
      expect(again.status).toBe(409);
      await ok({ method: 'DELETE', path: `${PROVIDERS}/${encoded(spell(uuid))}` });
    });

    it.each([
      ['emoji', 'host 🐎🦄'],
      ['as many emoji as characters are allowed', '🐎'.repeat(200)],
      ['quotes and backslashes', `o'host "x" \\ %_`],
      ['trailing blanks', 'host  '],
      ['a line break', 'host\n'],
      ['combined letters', 'é and é'],
      ['letters of many scripts', 'Ärger 東京 עברית'],
    ])('a provider can be named with %s, and is found by that name only', async (_what, name) => {
      const created = await ok({ method: 'POST', path: PROVIDERS, body: { name } });
      const uuid = created.json.uuid as string;
      expect((await ok({ path: `${PROVIDERS}/${uuid}` })).json.name).toBe(name);
      const found = await ok({ path: `${PROVIDERS}?name=${encoded(name)}` });
      expect(found.json.resource_providers.map((each: { uuid: string }) => each.uuid)).toEqual([uuid]);
      await ok({ method: 'DELETE', path: `${PROVIDERS}/${uuid}` });
    });

    it('the last of repeated keys takes precedence', async () => {
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      const body = '{"name": 5, "name": "first", "name": "second"}';
      const created = await ok({ method: 'POST', path: PROVIDERS, body, headers });
      expect(created.json.name).toBe('second');
    });

    it('5.0 is 5, and is shown as 5', async () => {
      const { child } = await generations();
      const records = '{"PCPU": {"total": 5.0, "max_unit": 1e1, "step_size": 1.0}}';
      const body = `{"resource_provider_generation": ${child}.0, "inventories": ${records}}`;
      const path = `${PROVIDERS}/${CHILD}/inventories`;
      const put = await ok({ method: 'PUT', path, body, headers: { 'content-type': 'APPLICATION/JSON' } });
      expect(put.text).toContain('"total":5,');
      const { json } = await ok({ path });
      expect(json.inventories.PCPU).toMatchObject({ total: 5, max_unit: 10, step_size: 1 });
    });

    it('the bounds themselves are accepted', async () => {
      const { child } = await generations();
      const record = {
        total: MAX_INT,
        reserved: MAX_INT,
        min_unit: MAX_INT,
        max_unit: MAX_INT,
        step_size: MAX_INT,
        allocation_ratio: 3.40282e38,
      };
      const full = { ...record, reserved: 0 };
      const body = { resource_provider_generation: child, inventories: { PCPU: record, VGPU: full } };
      const path = `${PROVIDERS}/${CHILD}/inventories`;
      expect((await ok({ method: 'PUT', path, body })).json.inventories.VGPU).toEqual(full);
      expect((await ok({ path })).json.inventories).toEqual({ PCPU: record, VGPU: full });
      for (const generation of [null, 1, 2]) {
        const allocations = { [CHILD]: { resources: { VGPU: MAX_INT } } };
        const claim = { ...consumerBody(), allocations, consumer_generation: generation };
        await ok({ method: 'PUT', path: `/allocations/${FRESH}`, body: claim });
      }
      expect((await ok({ path: `${PROVIDERS}/${CHILD}/usages` })).json.usages).toEqual({ PCPU: 0, VGPU: MAX_INT });
      await ok({ method: 'DELETE', path: `/allocations/${FRESH}` });
    });

    it.each(['2147483648', '9007199254740993', '1e30', '9223372036854775808', '1.7e308'])(
      'an amount of %s is a conflict, because no inventory can provide it',
      async (amount) => {
        const set = { ...consumerBody(), allocations: { [HOST]: { resources: { VCPU: raw(amount) } } } };
        const headers = { 'content-type': 'application/json' };
        const requests: readonly TestRequest[] = [
          { method: 'PUT', path: `/allocations/${FRESH}`, body: toJson(set), headers },
          { method: 'POST', path: '/allocations', body: toJson({ [FRESH]: set }), headers },
        ];
        await nothingChanges(async () => {
          const complaints: string[] = [];
          for (const request of requests) {
            complaints.push(...(await complaint(`${request.path} ${amount}`, request, { statuses: [409] })));
          }
          return complaints;
        });
      },
    );

    it.each(['-1', '9007199254740993', '9223372036854775808', '-9223372036854775809', '1e300'])(
      'a generation of %s never matches',
      async (generation) => {
        const provider = `{"resource_provider_generation": ${generation}`;
        const headers = { 'content-type': 'application/json' };
        const set = toJson({ ...consumerBody(), consumer_generation: raw(generation) });
        const requests: readonly TestRequest[] = [
          { method: 'PUT', path: `${PROVIDERS}/${HOST}/inventories`, body: `${provider}, "inventories": {}}`, headers },
          { method: 'PUT', path: `${PROVIDERS}/${HOST}/inventories/VCPU`, body: `${provider}, "total": 1}`, headers },
          { method: 'PUT', path: `${PROVIDERS}/${HOST}/traits`, body: `${provider}, "traits": []}`, headers },
          { method: 'PUT', path: `${PROVIDERS}/${HOST}/aggregates`, body: `${provider}, "aggregates": []}`, headers },
          { method: 'PUT', path: `/allocations/${CONSUMER}`, body: set, headers },
          { method: 'PUT', path: `/allocations/${FRESH}`, body: set, headers },
          {
            method: 'POST',
            path: '/reshaper',
            body: `{"inventories": {"${HOST}": ${provider}, "inventories": {}}}, "allocations": {}}`,
            headers,
          },
        ];
        await nothingChanges(async () => {
          const complaints: string[] = [];
          for (const request of requests) {
            complaints.push(...(await complaint(`${request.path} ${generation}`, request, { statuses: [409] })));
          }
          return complaints;
        });
      },
    );

    it.each(['2147483648', '9223372036854775808', '1e300'])(
      'an amount of %s is validated after the generation, and named',
      async (amount) => {
        const resources = { VCPU: raw(amount) };
        const set = (generation: number | null): object => ({
          ...consumerBody(),
          allocations: { [HOST]: { resources } },
          mappings: undefined,
          consumer_generation: generation,
        });
        const { child } = await generations();
        const reshaped = { [CHILD]: { resource_provider_generation: child, inventories: { VCPU: RECORD } } };
        const holder = 'cccccccc-0000-4000-8000-0000000000aa';
        await ok({ method: 'PUT', path: `/allocations/${holder}`, body: consumerBody() });
        const writes = (consumer: string, generation: number | null): readonly TestRequest[] => [
          { method: 'PUT', path: `/allocations/${consumer}`, body: toJson(set(generation)) },
          { method: 'POST', path: '/allocations', body: toJson({ [consumer]: set(generation) }) },
          {
            method: 'POST',
            path: '/reshaper',
            body: toJson({ inventories: reshaped, allocations: { [consumer]: set(generation) } }),
          },
        ];
        const headers = { 'content-type': 'application/json' };
        await nothingChanges(async () => {
          const complaints: string[] = [];
          for (const [label, requests, named] of [
            ['a consumer that should be new', writes(holder, null), 'consumer generation conflict'],
            ['another generation', writes(holder, 7), 'consumer generation conflict'],
            ['a generation for a new one', writes(FRESH, 1), 'consumer generation conflict'],
            ['a new one', writes(FRESH, null), `'VCPU' on resource provider '${HOST}'`],
            ['the generation in force', writes(holder, 1), `'VCPU' on resource provider '${HOST}'`],
          ] as const) {
            for (const request of requests) {
              const whole = `${request.method} ${request.path} ${amount}: ${label}`;
              complaints.push(...(await complaint(whole, { ...request, headers }, { statuses: [409], named })));
            }
          }
          return complaints;
        });
        await ok({ method: 'DELETE', path: `/allocations/${holder}` });
      },
    );

    // There is no host: a valid request is refused with 409.
    it.each<[object, number, string]>([
      [{ num_instances: 2, instances: null }, 409, ''],
      [{ num_instances: null, instances: [FRESH] }, 409, ''],
      [{ num_instances: 2, min_count: null }, 409, ''],
      [{ num_instances: 1, instances: [FRESH] }, 409, ''],
      [{ num_instances: 2, instances: [FRESH] }, 400, 'num_instances'],
      [{ num_instances: 1, min_count: 2 }, 400, 'min_count'],
      [{ num_instances: null, instances: null }, 400, 'instances'],
      [{ num_instances: 0 }, 400, 'num_instances'],
      [{ num_instances: '2' }, 400, 'num_instances'],
      [{ num_instances: [2] }, 400, 'num_instances'],
      [{ num_instances: 1.5 }, 400, 'num_instances'],
      [{ num_instances: 10_001 }, 400, 'num_instances'],
      [{ num_instances: 2, min_count: '1' }, 400, 'min_count'],
      [{ num_instances: 2, min_count: [1] }, 400, 'min_count'],
      [{ num_instances: 2, min_count: -1 }, 400, 'min_count'],
      [{ instances: [FRESH, FRESH.toUpperCase()] }, 400, 'instances'],
      [{ instances: [[FRESH]] }, 400, 'instances'],
      [{ instances: { 0: FRESH } }, 400, 'instances'],
    ])('a request that counts %j is answered with %i', async (counts, status, field) => {
      const body = { flavor: { vcpus: 1, memory_mb: 1 }, project_id: 'p', user_id: 'u', ...counts };
      const answer = await service.request({ method: 'POST', path: '/scheduler/select_destinations', body });
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(field)]);
    });

    it('owners with any text are stored unchanged', async () => {
      const project = `🐎 ' " \\ % ${'é'.repeat(200)}`;
      const body = { ...consumerBody(), project_id: project, user_id: ' blanks ' };
      await ok({ method: 'PUT', path: `/allocations/${FRESH}`, body });
      const shown = (await ok({ path: `/allocations/${FRESH}` })).json;
      expect([shown.project_id, shown.user_id]).toEqual([project, ' blanks ']);
      const usages = await ok({ path: `/usages?project_id=${encoded(project)}&user_id=%20blanks%20` });
      expect(usages.json.usages).toEqual({ INSTANCE: { consumer_count: 1, VCPU: 1 } });
      await ok({ method: 'DELETE', path: `/allocations/${FRESH}` });
    });
  });
});

it('every database gives the same answers', () => {
  const kinds = testDatabaseKinds();
  const [first = new Map<string, number>(), second] = kinds.map((kind) => seen[kind]);
  process.stdout.write(`\nbad requests per database: ${first.size}\n`);
  expect(first.size).toBeGreaterThan(1_500);
  if (second !== undefined) expect(Object.fromEntries(second)).toEqual(Object.fromEntries(first));
});
