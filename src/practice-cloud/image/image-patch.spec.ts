import { InvalidInput } from '../../platform/values/errors';
import { patched, patchOf } from './image-patch';

const BEFORE: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['name', 'cirros'],
  ['tags', ['a', 'b']],
  ['os_type', 'linux'],
]);
const after = (...operations: readonly unknown[]): object => Object.fromEntries(patched(BEFORE, patchOf(operations)));

it.each<readonly [string, readonly object[], object]>([
  ['nothing', [], { name: 'cirros', tags: ['a', 'b'], os_type: 'linux' }],
  [
    'a property added',
    [{ op: 'add', path: '/trait:HW_CPU_X86_AVX512BW', value: 'required' }],
    { name: 'cirros', tags: ['a', 'b'], os_type: 'linux', 'trait:HW_CPU_X86_AVX512BW': 'required' },
  ],
  [
    'one replaced and one removed',
    [
      { op: 'replace', path: '/name', value: 'alpine' },
      { op: 'remove', path: '/os_type' },
    ],
    { name: 'alpine', tags: ['a', 'b'] },
  ],
  [
    'a name that pointers write otherwise',
    [{ op: 'add', path: '/a~1b~0c~01', value: 'x' }],
    { name: 'cirros', tags: ['a', 'b'], os_type: 'linux', 'a/b~c~1': 'x' },
  ],
  [
    'a tag in between, one behind, one less',
    [
      { op: 'add', path: '/tags/1', value: 'x' },
      { op: 'add', path: '/tags/-', value: 'y' },
      { op: 'remove', path: '/tags/0' },
      { op: 'replace', path: '/tags/0', value: 'z' },
    ],
    { name: 'cirros', tags: ['z', 'b', 'y'], os_type: 'linux' },
  ],
])('makes %s', (_what, operations, expected) => expect(after(...operations)).toEqual(expected));

it.each<readonly [string, unknown, string]>([
  ['no list', {}, 'the document is not of type array'],
  ['too many', Array.from({ length: 2_000 }, () => ({ op: 'remove', path: '/x' })), 'the document must have at most'],
  ['no object', ['add'], "'0' is not of type object"],
  ['another operation', [{ op: 'move', path: '/name', from: '/x' }], "'0.op' must be one of add, replace, remove"],
  ['no value', [{ op: 'add', path: '/name' }], "'0' lacks the required property 'value'"],
  ['no path', [{ op: 'add', value: 1 }], "'0' lacks the required property 'path'"],
  ['the whole document', [{ op: 'remove', path: '' }], "'0.path' does not match"],
  ['a path into a property', [{ op: 'add', path: '/x/y', value: 1 }], "'0.path' does not match"],
  ['a path too deep', [{ op: 'add', path: '/tags/0/1', value: 1 }], "'0.path' does not match"],
  ['a replacement of nothing', [{ op: 'replace', path: '/x', value: 1 }], "'x' "],
  ['a removal of nothing', [{ op: 'remove', path: '/constructor' }], "'constructor' "],
  ['an entry that is not there', [{ op: 'replace', path: '/tags/2', value: 'x' }], "'tags' "],
  ['an entry that is no number', [{ op: 'remove', path: '/tags/-' }], "'tags' "],
])('refuses %s', (_what, operations, start) => {
  const patch = (): unknown => patched(BEFORE, patchOf(operations));
  expect(patch).toThrow(InvalidInput);
  expect(patch).toThrow(start);
});
