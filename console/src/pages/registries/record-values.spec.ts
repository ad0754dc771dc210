import type { Client } from '@berth/client';
import { newPair } from './pairs';
import { save, undoOf, valuesOf } from './record-values';
import type { RegistryDefinition } from './registry-definition';

interface Boat {
  readonly id: string;
  readonly name: string;
  readonly berth: string | null;
  readonly masts: number;
  readonly flags: Readonly<Record<string, string>>;
  readonly generation: number;
}

const BOAT: Boat = { id: 'b1', name: 'one', berth: null, masts: 2, flags: { a: '1', b: '2' }, generation: 3 };

const saved: unknown[] = [];
const keep = (...given: unknown[]): Promise<Boat> => {
  saved.push(given);
  return Promise.resolve(BOAT);
};

const BOATS: RegistryDefinition<Boat> = {
  collection: 'flavors',
  one: 'boat',
  keyOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  useRows: () => {
    throw new Error('not asked here');
  },
  callsOf: () => ({ create: keep, get: () => Promise.resolve(BOAT), put: keep, change: keep, delete: keep }),
  columns: [],
  textOf: ({ name }) => name,
  command: '',
  fields: [
    [
      { name: 'name', label: 'Name', kind: 'text', initial: '' },
      { name: 'berth', label: 'Berth', kind: 'text', initial: '', isOptional: true },
    ],
    [{ name: 'masts', label: 'Masts', kind: 'number', initial: 1 }],
  ],
  pairs: { field: 'flags', legend: 'Flags', read: ({ flags }) => flags },
  below: () => null,
};

const client = {} as Client;
beforeEach(() => saved.splice(0));

it('creates a document of all fields, in which an empty optional field is null', async () => {
  const values = valuesOf(BOATS, undefined);
  await save(
    BOATS,
    client,
    { fields: { ...values.fields, name: 'two', berth: ' ' }, pairs: [newPair('a', 'x')] },
    undefined,
  );
  expect(saved).toEqual([[{ name: 'two', berth: null, masts: 1, flags: { a: 'x' } }]]);
});

it('changes only the fields and keys that differ from the record', async () => {
  const { fields, pairs } = valuesOf(BOATS, BOAT);
  await save(BOATS, client, { fields: { ...fields, masts: '3', berth: ' quay ' }, pairs: pairs.slice(0, 1) }, BOAT);
  expect(saved).toEqual([['b1', { generation: 3, masts: 3, berth: 'quay', flags: { b: null } }]]);
});

it('fills the form from the record, and saves it again without a change', async () => {
  await save(BOATS, client, valuesOf(BOATS, BOAT), BOAT);
  expect(saved).toEqual([['b1', { generation: 3, flags: {} }]]);
});

describe('the undo of a write', () => {
  const undo = (before: Boat | undefined, after: Boat | undefined): Promise<unknown> =>
    undoOf(BOATS, client, { before, after })();
  const { generation, ...definition } = BOAT;

  it('creates a removed record again with the same key', async () => {
    await undo(BOAT, undefined);
    expect(saved).toEqual([['b1', definition]]);
  });

  it('restores a changed record, unless it has another generation than the change gave it', async () => {
    await undo(BOAT, { ...BOAT, masts: 3, generation: 4 });
    expect(saved).toEqual([['b1', { ...definition, generation: 4 }]]);
  });

  it('deletes a created record, unless it was changed since', async () => {
    await undo(undefined, BOAT);
    expect(saved).toEqual([['b1']]);
    await expect(undo(undefined, { ...BOAT, generation: generation - 1 })).rejects.toThrow('changed it meanwhile');
    expect(saved).toHaveLength(1);
  });
});
