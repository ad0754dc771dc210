import { errorAtField } from './field-fault';

const NAMES = { fields: ['name'], pairs: { field: 'extra_specs', keys: ['a', 'trait:X'] } };

describe('the field that a refusal names', () => {
  it.each([
    ["'name' must not be empty.", { 'fields.name': 'must not be empty.' }],
    ["JSON does not validate: 'name' must not be empty.", { 'fields.name': 'must not be empty.' }],
    ["'name' is a name,\n and no number.", { 'fields.name': 'is a name,\n and no number.' }],
    ["'extra_specs.trait:X' must be required.", { 'pairs.1.value': 'must be required.' }],
    ["'extra_specs.c' must be required.", undefined],
    ["'rules' is none.", undefined],
    ['Flavor big exists already.', undefined],
    ["A flavor is named 'name' already.", undefined],
  ])('%s', (detail, errors) => {
    expect(errorAtField(detail, NAMES)).toEqual(errors);
  });
});
