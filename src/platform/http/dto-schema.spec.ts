// Compares the schema of a class with its class-validator rules: it is never stricter, and it is closed and complete if
// the rules are.
import 'reflect-metadata';
import Ajv from 'ajv/dist/2020';
import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { ValidateBy, validateSync } from 'class-validator';
import { FlavorPatchDto } from '../../compute/flavors/flavors.schema';
import { HostReportDto } from '../../compute/hosts/hosts.schema';
import { IsName } from '../../compute/registry-schema';
import { isUuidLike } from '../values/uuid';
import { NewServerBody, ServerActionBody } from '../../practice-cloud/compute/servers/servers.schema';
import { BuildFailedDto, MoveDto } from '../../scheduler/after-decision/after-decision.schema';
import { CapacityDto } from '../../scheduler/capacity/capacity.schema';
import { SelectDestinationsDto } from '../../scheduler/request/request.schema';
import { SimulationDto } from '../../scheduler/simulate/simulation.schema';
import { dtoSchemaOf } from './dto-schema';

const JUDGED_STRICTLY = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true } as const;

/** The classes and all classes inside them. */
function reached(type: Type<object>): readonly Type<object>[] {
  return [type, ...dtoSchemaOf(type).inside.flatMap(reached)];
}

const BODIES = [SimulationDto, CapacityDto, MoveDto, BuildFailedDto, FlavorPatchDto, NewServerBody, ServerActionBody];
const CLASSES = [...new Set(BODIES.flatMap(reached))];

const isTimeLike = (text: string): boolean => !Number.isNaN(Date.parse(text));
const UUID = 'aaaaaaaa-0000-4000-8000-000000000001';
const SAMPLES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  4_096,
  2 ** 31,
  2 ** 53,
  1e300,
  '',
  'a',
  ' a',
  'a b',
  'a\nb',
  'auto',
  '.',
  '4k',
  'x'.repeat(255),
  'x'.repeat(256),
  UUID,
  UUID.toUpperCase(),
  'affinity',
  'dedicated',
  'enabled',
  'up',
  'none',
  'resize',
  'preferred',
  'type-PF',
  '2026-01-01T00:00:00Z',
  [],
  ['a'],
  [1, 2],
  [1, 1],
  [null],
  [['a'], []],
  [[1], [2]],
  [{}],
  [UUID],
  [{ a: true }],
  {},
  { a: 'b' },
  { a: 1 },
  { a: null },
  { a: [] },
  { VCPU: 1 },
  { VCPU: { total: 1 } },
  { vcpus: 1, memory_mb: 1 },
  { policy: 'affinity' },
  { cells: [] },
  { host: 'h' },
  { '': 'a' },
];

const ajv = new Ajv({
  strict: false,
  formats: { 'uuid-like': { type: 'string', validate: isUuidLike }, 'time-like': isTimeLike },
});
/** The schema with references to the schemas added below. */
const alone = (type: Type<object>): object =>
  JSON.parse(
    JSON.stringify(dtoSchemaOf(type).schema).replaceAll(/"#(\/components\/schemas\/(\w+))"/g, '"of:$2#$1"'),
  ) as object;

for (const type of CLASSES) {
  const { name } = dtoSchemaOf(type);
  ajv.addSchema({ components: { schemas: { [name]: alone(type) } } }, `of:${name}`);
}

const problemsOf = (type: Type<object>, document: object): readonly string[] =>
  validateSync(plainToInstance(type, document), JUDGED_STRICTLY).map(({ property }) => property);

describe.each(CLASSES.map((type) => [type.name, type] as const))('%s', (_, type) => {
  const schema = alone(type) as {
    readonly properties: Readonly<Record<string, object>>;
    readonly required: readonly string[];
  };
  const fields = Object.keys(schema.properties);

  it('takes what the judge takes', () => {
    const stricter = fields.flatMap((field) => {
      const isValid = ajv.compile(schema.properties[field] ?? {});
      return SAMPLES.filter((value) => !problemsOf(type, { [field]: value }).includes(field) && !isValid(value)).map(
        (value) => `${field}: ${JSON.stringify(value).slice(0, 60)}`,
      );
    });
    expect(stricter).toEqual([]);
  });

  it('refuses what is not there, where the judge does', () => {
    expect(fields.filter((field) => problemsOf(type, {}).includes(field))).toEqual(schema.required);
    expect(problemsOf(type, { planted: 1 })).toContain('planted');
    expect(ajv.validate(schema, { planted: 1 })).toBe(false);
  });

  it('refuses null where the judge does', () => {
    const wrong = fields.filter((field) => {
      const isTaken = !problemsOf(type, { [field]: null }).includes(field);
      return ajv.validate(schema.properties[field] ?? {}, null) !== isTaken;
    });
    expect(wrong).toEqual([]);
  });
});

it('knows where a name, or a word, may stand for a document', () => {
  const { properties } = dtoSchemaOf(SelectDestinationsDto).schema as { properties: Readonly<Record<string, unknown>> };
  const name = { type: 'string', minLength: 1, maxLength: 255 };
  expect(properties['flavor']).toEqual({ anyOf: [{ $ref: '#/components/schemas/InlineFlavor' }, name] });
  expect(properties['image']).toEqual({
    anyOf: [{ $ref: '#/components/schemas/InlineImage' }, name, { type: 'null' }],
  });
  expect(properties['numa_topology']).toEqual({
    anyOf: [{ $ref: '#/components/schemas/InstanceTopology' }, { const: 'auto' }, { type: 'null' }],
  });
  expect(dtoSchemaOf(HostReportDto).schema).toHaveProperty('properties.vcpus_total.anyOf.0', {
    type: 'integer',
    minimum: 0,
    maximum: 2_147_483_647,
  });
});

it('takes no rule that has no schema', () => {
  class OddDto {
    @ValidateBy({ name: 'isOdd', validator: { validate: () => true } }) readonly field!: string;
    @IsName() readonly name!: string;
  }
  expect(() => dtoSchemaOf(OddDto)).toThrow('a rule of OddDto.field has no schema');
});
