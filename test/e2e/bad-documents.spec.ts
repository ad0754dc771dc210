// Berth's own documents: every field of every class, nested ones included. A non-document in place of a document, or
// null without a meaning, is refused with the path of the field and changes nothing; any other value is answered
// without a 5xx. The fields come from the classes; the meanings of null are listed here.
import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { ExtraSpecsDto, FlavorDefinitionDto, FlavorPatchDto } from '../../src/compute/flavors/flavors.schema';
import {
  AddHostDto,
  HostAggregateDto,
  HostAggregatePatchDto,
  MetadataDto,
} from '../../src/compute/host-aggregates/host-aggregates.schema';
import { HostReportDto } from '../../src/compute/hosts/hosts.schema';
import { ImageDefinitionDto, ImagePatchDto } from '../../src/compute/images/images.schema';
import { ServerGroupDto, ServerGroupPatchDto } from '../../src/compute/server-groups/server-groups.schema';
import { ServicePatchDto } from '../../src/compute/services/services.schema';
import { BuildFailedDto, MoveDto } from '../../src/scheduler/after-decision/after-decision.schema';
import { CapacityDto } from '../../src/scheduler/capacity/capacity.schema';
import { MoveOutcomeDto, PlanDto } from '../../src/scheduler/plans/plans.schema';
import { SelectDestinationsDto } from '../../src/scheduler/request/request.schema';
import { SimulationDto } from '../../src/scheduler/simulate/simulation.schema';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { dumpTables } from '../support/table-dump';
import { tableDump } from './registries-tables';

type Document = Readonly<Record<string, unknown>>;
type DocumentClass = new () => object;

const SOME = 'aaaaaaaa-0000-4000-8000-000000000001';
const UNKNOWN_UUID = 'ffffffff-0000-4000-8000-000000000000';

/** Documents with all possible nested documents. */
const FLAVOR = { name: 'f', vcpus: 1, memory_mb: 64 };
const GROUP = { name: 'g', policy: 'anti-affinity', rules: { max_server_per_host: 1 } };
const REPORT = {
  hypervisor: { type: 'QEMU' },
  metrics: [{ name: 'cpu.percent', value: 1 }],
  instances: [{ uuid: SOME }],
  numa_topology: { cells: [{ id: 0, memory: 1, mempages: [{ size_kb: 4, total: 1 }] }] },
  pci_device_pools: [{ vendor_id: '8086', product_id: '1572', count: 1 }],
};
const REQUEST = {
  num_instances: 1,
  flavor: FLAVOR,
  image: { name: 'i' },
  project_id: 'p',
  user_id: 'u',
  requested_destination: { host: 'h' },
  instance_group: { policy: 'anti-affinity', rules: { max_server_per_host: 1 } },
  requested_resources: [{ requester_id: 'a', resources: { VGPU: 1 } }],
  request_level_params: { root_required: [] },
  requested_networks: [{ network_id: SOME }],
  network_metadata: { physnets: ['a'] },
  retry: { num_attempts: 1 },
  numa_topology: { cells: [{ cpuset: [0], memory: 1 }] },
  pci_requests: [{ spec: [{ vendor_id: '8086' }] }],
};
const CLOUD = {
  hosts: [{ host: 'h', ...REPORT }],
  host_aggregates: [{ name: 'a' }],
  server_groups: [GROUP],
  flavors: [FLAVOR],
  images: [{ name: 'i' }],
  providers: [{ uuid: SOME, name: 'h' }],
  claims: { fail: [{ host: 'h' }] },
  request: REQUEST,
};

interface Route {
  readonly method: 'PUT' | 'POST' | 'PATCH';
  readonly path: string;
  readonly type: DocumentClass;
  readonly document: Document;
  /** Nullable fields of this document, without those of nested ones. `all`: every optional field. */
  readonly nullable: readonly string[] | 'all';
}

const route = (
  line: `${Route['method']} ${string}`,
  type: DocumentClass,
  document: Document,
  nullable: Route['nullable'] = [],
): Route => {
  const [method, path] = line.split(' ') as [Route['method'], string];
  return { method, path: `/scheduler/${path}`, type, document, nullable };
};

const OWNER = ['project_id', 'user_id'];
const ROUTES: readonly Route[] = [
  route('PUT hosts/h/n', HostReportDto, REPORT, 'all'),
  route('PATCH services/h', ServicePatchDto, { status: 'enabled' }, ['disabled_reason']),
  route('POST host_aggregates', HostAggregateDto, { name: 'a' }, ['availability_zone']),
  route(`PUT host_aggregates/${SOME}`, HostAggregateDto, { name: 'a' }, ['availability_zone']),
  route(`PATCH host_aggregates/${SOME}`, HostAggregatePatchDto, { name: 'a' }, ['availability_zone']),
  route(`PATCH host_aggregates/${SOME}/metadata`, MetadataDto, { metadata: {} }),
  route(`POST host_aggregates/${SOME}/hosts`, AddHostDto, { host: 'h' }),
  route('POST server_groups', ServerGroupDto, GROUP, [...OWNER, 'rules']),
  route(`PUT server_groups/${SOME}`, ServerGroupDto, GROUP, [...OWNER, 'rules']),
  route(`PATCH server_groups/${SOME}`, ServerGroupPatchDto, { name: 'g' }, OWNER),
  route('POST flavors', FlavorDefinitionDto, FLAVOR),
  route('PUT flavors/f1', FlavorDefinitionDto, FLAVOR),
  route('PATCH flavors/f1', FlavorPatchDto, { vcpus: 1 }),
  route('PATCH flavors/f1/extra_specs', ExtraSpecsDto, { extra_specs: {} }),
  route('POST images', ImageDefinitionDto, { name: 'i' }, ['name', 'disk_format']),
  route(`PUT images/${SOME}`, ImageDefinitionDto, { name: 'i' }, ['name', 'disk_format']),
  route(`PATCH images/${SOME}`, ImagePatchDto, { name: 'i' }, ['name', 'disk_format']),
  route('POST select_destinations', SelectDestinationsDto, REQUEST, 'all'),
  route('POST explain', SelectDestinationsDto, REQUEST, 'all'),
  route('POST capacity', CapacityDto, REQUEST, 'all'),
  route('POST plans', PlanDto, { goal: 'room', flavor: FLAVOR, stay: {} }, ['flavor', 'count', 'max_moves']),
  route(`POST plans/${UNKNOWN_UUID}/moves/1`, MoveOutcomeDto, { state: 'done' }, 'all'),
  route('POST simulate', SimulationDto, CLOUD, ['providers', 'claims', 'now']),
  route(`POST instances/${UNKNOWN_UUID}/build_failed`, BuildFailedDto, { host: 'h' }, 'all'),
  route(
    `POST instances/${UNKNOWN_UUID}/move`,
    MoveDto,
    { type: 'resize', flavor: FLAVOR, target: { host: 'h' } },
    'all',
  ),
];

interface Field {
  readonly path: readonly (string | number)[];
  /** The class of the documents in the field, if any. */
  readonly nested: DocumentClass | undefined;
  readonly isList: boolean;
  /** The field belongs to the body itself. */
  readonly isTop: boolean;
}

const namesOf = (type: DocumentClass): readonly string[] => [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(type, '', false, false)
      .map(({ propertyName }) => propertyName),
  ),
];

/** The value after transformation of an object shows whether the field expects documents. */
function nestedIn(type: DocumentClass, name: string): DocumentClass | undefined {
  const made = (plainToInstance(type, { [name]: {} }) as Document)[name] as object;
  return made.constructor === Object ? undefined : (made.constructor as DocumentClass);
}

/** Every field of the document and of its nested documents. */
function fieldsOf(type: DocumentClass, document: Document, path: Field['path'] = []): readonly Field[] {
  return namesOf(type).flatMap((name) => {
    const here = [...path, name];
    const nested = nestedIn(type, name);
    const value = document[name];
    const field = { path: here, nested, isList: Array.isArray(value), isTop: path.length === 0 };
    if (nested === undefined) return [field];
    const [inner, at] = Array.isArray(value) ? [value[0] as unknown, [...here, 0]] : [value, here];
    if (typeof inner !== 'object' || inner === null) throw new Error(`give the document of ${type.name} a ${name}`);
    return [field, ...fieldsOf(nested, inner as Document, at)];
  });
}

function withValue(document: Document, path: Field['path'], value: unknown): Document {
  // A deep copy without shared parts.
  const copy = JSON.parse(JSON.stringify(document)) as Record<string | number, unknown>;
  let holder = copy;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>;
  holder[path.at(-1) ?? ''] = value;
  return copy;
}

const INVALID: readonly unknown[] = [
  [[]],
  [null],
  ['x'],
  null,
  'x',
  {},
  [],
  [{}],
  7,
  -1,
  1e300,
  true,
  '',
  'x'.repeat(70_000),
];

/** Values that the field must refuse. A text in place of a document can be its name. */
function wrongFor({ nested, isList, isTop, path }: Field, nullable: Route['nullable']): readonly unknown[] {
  const mayBeNull = !isTop || nullable === 'all' || nullable.includes(String(path[0]));
  const documents = nested === undefined ? [] : isList ? [[[]], [null], ['x'], 'x', {}] : [[[]], [null], [], 7];
  return [...documents, ...(mayBeNull ? [] : [null])];
}

it('covers every document that a route takes', () => {
  const folder = join(__dirname, '../../src');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const taken = sources.flatMap((name) =>
    [
      ...readFileSync(join(folder, name), 'utf8').matchAll(
        /(?:@DtoBody\(|\bvalidDocument\(|\b(?:definition|patch): )([A-Z]\w*Dto)/g,
      ),
    ].map(([, type]) => type),
  );
  expect(new Set(taken)).toEqual(new Set(ROUTES.map(({ type }) => type.name)));
});

/** They store nothing and search as select_destinations does: the kind of database makes no difference. */
const READING = ['/scheduler/explain', '/scheduler/capacity', '/scheduler/simulate'];

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
    const made = [
      { method: 'PUT', path: '/scheduler/hosts/h/n', body: {} },
      { method: 'PUT', path: `/scheduler/host_aggregates/${SOME}`, body: { name: 'before' } },
      { method: 'PUT', path: `/scheduler/server_groups/${SOME}`, body: { name: 'before', policy: 'affinity' } },
      { method: 'PUT', path: '/scheduler/flavors/f1', body: { ...FLAVOR, name: 'before' } },
      { method: 'PUT', path: `/scheduler/images/${SOME}`, body: { name: 'before' } },
    ] as const;
    for (const request of made) expect((await service.request(request)).status).toBeLessThan(300);
  });
  afterAll(() => service.stop());

  const everything = async (): Promise<unknown> => [
    await dumpTables(service.database),
    await tableDump(service.database),
  ];

  const routes = kind === 'sqlite' ? ROUTES : ROUTES.filter(({ path }) => !READING.includes(path));

  describe.each(routes.map((each) => [`${each.method} ${each.path}`, each] as const))('%s', (_, each) => {
    const { method, path, type, document, nullable } = each;
    const send = (body: Document): ReturnType<TestService['request']> => service.request({ method, path, body });

    it('refuses a non-document, and null without a meaning, by field', async () => {
      const before = await everything();
      const complaints: string[] = [];
      for (const field of fieldsOf(type, document)) {
        for (const value of wrongFor(field, nullable)) {
          const { status, text } = await send(withValue(document, field.path, value));
          const isNamed = text.includes(`JSON does not validate: '${field.path.join('.')}`);
          if (status !== 400 || !isNamed) {
            complaints.push(`${field.path.join('.')} ${JSON.stringify(value)}: ${status} ${text.slice(0, 300)}`);
          }
        }
      }
      expect(complaints).toEqual([]);
      expect(await everything()).toEqual(before);
    });

    it('reports a missing required field', async () => {
      const complaints: string[] = [];
      for (const { path: at } of fieldsOf(type, document)) {
        const { status, text } = await send(withValue(document, at, undefined));
        if (status >= 500) complaints.push(`${at.join('.')} absent: ${status} ${text.slice(0, 300)}`);
        if (status === 400 && text.includes('JSON does not validate')) {
          const holder = at.length === 1 ? 'the document' : `'${at.slice(0, -1).join('.')}'`;
          const isClear = text.includes(`${holder} lacks the required property '${at.at(-1)}'.`);
          if (!isClear) complaints.push(`${at.join('.')} absent: ${text.slice(0, 300)}`);
        }
      }
      expect(complaints).toEqual([]);
    });

    it('answers any value of a field', async () => {
      const complaints: string[] = [];
      for (const field of fieldsOf(type, document)) {
        for (const value of INVALID) {
          const { status, text } = await send(withValue(document, field.path, value));
          if (status >= 500) {
            complaints.push(`${field.path.join('.')} ${JSON.stringify(value).slice(0, 80)}: ${status} ${text}`);
          }
        }
      }
      expect(complaints).toEqual([]);
    });
  });
});
