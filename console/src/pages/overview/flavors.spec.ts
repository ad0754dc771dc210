import type { FlavorFit } from './flavors';
import { scarceFirst } from './flavors';

const flavor = (name: string, fit: number, more: Partial<FlavorFit> = {}): FlavorFit => ({
  id: name,
  name,
  vcpus: 1,
  memory_mb: 1,
  root_gb: 1,
  fit,
  at_least: false,
  hosts: fit,
  cause: null,
  binding: [],
  error: null,
  ...more,
});

it('has flavors in the order in which they run out, faulty ones last', () => {
  const given = [
    flavor('many', 90),
    flavor('faulty', 0, { error: 'asks for a class that no host has' }),
    flavor('at least a few', 5, { at_least: true }),
    flavor('b', 0),
    flavor('a', 0),
  ];
  expect(scarceFirst(given).map(({ name }) => name)).toEqual(['a', 'b', 'many', 'at least a few', 'faulty']);
});
