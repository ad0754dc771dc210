// Documents with one fault each, made from a valid body and its fields; and bodies that are no documents.
import type { Field, Path } from './bad-input-fields';
import { HOST, LONG, raw } from './bad-input-world';

type Labelled = readonly [label: string, value: unknown];

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

export function spoiltBodies(valid: unknown, fields: readonly Field[]): readonly Spoilt[] {
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
export const NO_JSON: readonly (readonly [label: string, body: string | Buffer])[] = [
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
export const DEEP: readonly (readonly [label: string, body: string])[] = [
  ['very deep lists', '['.repeat(50_000) + ']'.repeat(50_000)],
  ['very deep objects', '{"name":'.repeat(20_000) + '1' + '}'.repeat(20_000)],
  ['a deep name', `{"name": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ['a huge number', `{"name": ${'9'.repeat(5_000)}}`],
];
