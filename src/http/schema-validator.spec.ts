import Ajv from 'ajv/dist/2020';
import { finish } from '../domain/walk';
import { ApiVersion } from '../microversion/api-version';
import { since } from '../microversion/versioned-schema';
import { bodySchema, prepareBodySchemas } from './schema-validator';

const API = ApiVersion.newest;
const AMOUNTS = {
  type: 'object',
  minProperties: 1,
  patternProperties: { '^[A-Z]+$': { type: 'integer', minimum: 1 } },
  propertyNames: { maxLength: 5 },
  additionalProperties: false,
};
const CONSUMERS = {
  type: 'object',
  minProperties: 1,
  patternProperties: {
    '^c': { type: 'object', properties: { amounts: AMOUNTS, name: { type: 'string' } }, required: ['amounts'] },
  },
  additionalProperties: false,
};
const schema = bodySchema<object>({
  type: 'object',
  properties: { consumers: CONSUMERS, note: { type: 'string' }, names: { type: 'array', items: { type: 'string' } } },
  required: ['consumers', 'note'],
  additionalProperties: false,
});

interface Consumer {
  amounts?: Record<string, unknown>;
  name?: unknown;
}
interface Doc extends Record<string, unknown> {
  consumers: Record<string, Consumer>;
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const MANY_AMOUNTS = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.slice(0, 6).map((c) => `${a}${b}${c}`)));

/** Some ten thousand values: consumers that are small, and one that alone is large. */
function large(change: (doc: Doc) => void = () => undefined): Doc {
  const consumers = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, at): [string, Consumer] => [`c${at}`, { amounts: { VCPU: 1 + at } }]),
  );
  consumers['c1500'] = { amounts: Object.fromEntries(MANY_AMOUNTS.map((name) => [name, 1])) };
  const doc: Doc = { consumers, note: 'whole' };
  change(doc);
  return doc;
}

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

const consumer = (doc: Doc, at: number): Consumer => doc.consumers[`c${at}`] ?? {};

const FAULTS: readonly (readonly [name: string, change: (doc: Doc) => void])[] = [
  ['nothing', () => undefined],
  ['a value of the last entry', (doc) => (consumer(doc, 2_999).amounts = { VCPU: 0 })],
  ['what an entry lacks', (doc) => delete consumer(doc, 1_000).amounts],
  ['an empty entry', (doc) => (consumer(doc, 700).amounts = {})],
  ['a name of the last entry', (doc) => (doc.consumers['x'] = { amounts: { VCPU: 1 } })],
  [
    'a value deep in a large entry',
    (doc) => (consumer(doc, 1_500).amounts = { ...consumer(doc, 1_500).amounts, ZZZ: 0 }),
  ],
  ['a name in a large entry', (doc) => (consumer(doc, 1_500).amounts = { ...consumer(doc, 1_500).amounts, z: 1 })],
  [
    'a long name in a large entry',
    (doc) => (consumer(doc, 1_500).amounts = { ...consumer(doc, 1_500).amounts, ZZZZZZ: 1 }),
  ],
  ['beside the entries', (doc) => (doc['note'] = 7)],
  ['a missing member', (doc) => delete doc['note']],
  ['an unknown member', (doc) => (doc['more'] = 1)],
  ['no entries', (doc) => (doc.consumers = {})],
  ['a list for an object', (doc) => (doc['consumers'] = Array.from({ length: 5_000 }, () => 1) as never)],
  ['an entry of a long list', (doc) => (doc['names'] = [...Array.from({ length: 5_000 }, () => 'a'), 1])],
];

// What is told of two faults is what comes first where the whole is judged at once.
const PAIRS = FAULTS.flatMap(([one, first]) => FAULTS.map(([other, second]) => [one, other, first, second] as const));

it.each(PAIRS)('a large document is judged in parts as it is as a whole: %s, %s', (_one, _other, first, second) => {
  const doc = large((each) => {
    first(each);
    second(each);
  });
  const told = thrownBy(() => finish(schema.checkWalk(doc, API)));
  expect(told).toBe(thrownBy(() => schema.check(doc, API)));
});

it('a large document is judged in many steps, and comes out as it went in', () => {
  const doc = large();
  const walk = schema.checkWalk(doc, API);
  let steps = 0;
  for (;;) {
    const step = walk.next();
    if (step.done === true) {
      expect(step.value).toBe(doc);
      break;
    }
    steps += 1;
  }
  expect(steps).toBeGreaterThan(5);
});

it('every era of a body is compiled before anybody is served, and never again', () => {
  const compile = jest.spyOn(Ajv.prototype, 'compile');
  const fresh = bodySchema<object>({ type: 'object', properties: { mappings: since('mappings', { type: 'object' }) } });
  prepareBodySchemas();
  expect(compile).toHaveBeenCalled();
  compile.mockClear();
  for (const api of ApiVersion.all) fresh.check({}, api);
  expect(compile).not.toHaveBeenCalled();
});
