import { fieldNamedBy, formPathOf } from './field-fault';

describe('the field that a refusal names', () => {
  it.each([
    ["'extra_specs.trait:X' must be required or forbidden, not 'maybe'.", 'extra_specs.trait:X'],
    ["JSON does not validate: 'name' must not be empty.", 'name'],
    ['Flavor big exists already.', undefined],
    ["A flavor is named 'big' already.", undefined],
  ])('%s', (detail, path) => {
    expect(fieldNamedBy(detail)?.path).toBe(path);
  });

  it('keeps the rule', () => {
    expect(fieldNamedBy("'rules.x' is a rule of anti-affinity,\n not of affinity.")?.problem).toBe(
      'is a rule of anti-affinity,\n not of affinity.',
    );
  });

  it.each([
    ['name', 'name'],
    ['extra_specs.b', 'pairs.1.value'],
    ['extra_specs.c', undefined],
    ['rules', undefined],
  ])('%s stands at %s', (path, at) => {
    const names = { fields: ['name'], pairs: { field: 'extra_specs', keys: ['a', 'b'] } };
    expect(formPathOf({ path, problem: '' }, names)).toBe(at);
  });
});
