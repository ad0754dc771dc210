// Compares the schemas of classes with their class-validator rules: a schema is never stricter, and it is closed and
// complete if the rules are.
import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import Ajv from 'ajv/dist/2020';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { isUuidLike } from '../values/uuid';
import { dtoSchemaOf } from './dto-schema';

const JUDGED_STRICTLY = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true } as const;

/** The classes and all classes inside them. */
function reached(type: Type<object>): readonly Type<object>[] {
  return [type, ...dtoSchemaOf(type).inside.flatMap(reached)];
}

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

const problemsOf = (type: Type<object>, document: object): readonly string[] =>
  validateSync(plainToInstance(type, document), JUDGED_STRICTLY).map(({ property }) => property);

/** Describes the schemas of the bodies and of all classes inside them. */
export function describeSchemasOf(...bodies: readonly Type<object>[]): void {
  const classes = [...new Set(bodies.flatMap(reached))];
  for (const type of classes) {
    const { name } = dtoSchemaOf(type);
    ajv.addSchema({ components: { schemas: { [name]: alone(type) } } }, `of:${name}`);
  }

  describe.each(classes.map((type) => [type.name, type] as const))('%s', (_, type) => {
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
}
