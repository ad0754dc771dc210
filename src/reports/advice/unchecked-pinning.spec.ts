import { parseQuery } from '../../../test/world/world-query';
import type { RegisteredFlavor } from '../../compute/flavors/flavor.entity';
import { uncheckedPinning } from './unchecked-pinning';

const flavor = (name: string, isPinned: boolean) => ({
  flavor: { id: name, name } as RegisteredFlavor,
  fallback: isPinned ? parseQuery('resources=VCPU:1') : null,
});

describe('advice on dedicated CPUs', () => {
  it('names the flavors while NUMATopologyFilter is off', () => {
    const [advice] = uncheckedPinning([flavor('pin7', true), flavor('small', false)], new Set(['ComputeFilter']));
    expect(advice?.sentence).toBe(
      'Flavor pin7 asks for dedicated CPUs and NUMATopologyFilter is off: instances can land on hosts that have only ' +
        'shared CPUs.',
    );
    expect(advice?.subjects).toEqual([{ kind: 'flavor', id: 'pin7', name: 'pin7' }]);
  });

  it('is none with the filter, or without such flavors', () => {
    expect(uncheckedPinning([flavor('pin7', true)], new Set(['NUMATopologyFilter']))).toEqual([]);
    expect(uncheckedPinning([flavor('small', false)], new Set())).toEqual([]);
  });
});
