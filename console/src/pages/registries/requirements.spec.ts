import { requirementsOf } from './requirements';

describe('traits that a record asks for', () => {
  it('reads required, forbidden and those of groups, and nothing else', () => {
    const record = {
      'trait:HW_CPU_X86_AVX2': 'required',
      'trait:CUSTOM_OLD': 'forbidden',
      'trait_GPU:CUSTOM_A100': 'required',
      'trait1:CUSTOM_B': 'required',
      'resources:VGPU': '1',
      traitor: 'x',
    };
    expect(requirementsOf(record)).toEqual([
      { trait: 'HW_CPU_X86_AVX2', group: '', isForbidden: false },
      { trait: 'CUSTOM_OLD', group: '', isForbidden: true },
      { trait: 'CUSTOM_A100', group: '_GPU', isForbidden: false },
      { trait: 'CUSTOM_B', group: '1', isForbidden: false },
    ]);
  });
});
