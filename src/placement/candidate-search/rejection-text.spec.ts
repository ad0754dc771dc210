import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REJECTION_SENTENCES, renderRejection } from './rejection-text';
import type { Rejection } from './trace';

const sentence = (given: Partial<Rejection>): string =>
  renderRejection({ group: '', stage: 'room', code: '', params: {}, ...given });
const ROOM = { resource_class: 'VCPU', used: 14, asked: 4, capacity: 16, provider_name: 'cn1', is_root: true };

describe('renderRejection', () => {
  it.each<[Partial<Rejection>, string]>([
    [{ code: 'not_enough_left', params: { ...ROOM, providers: 1 } }, 'VCPU: 14 used + 4 asked > 16 capacity'],
    ...[
      { total: 8, reserved: 8, allocation_ratio: 4, shown: ' ((8 total - 8 reserved) * ratio 4)' },
      { total: 4, reserved: 0, allocation_ratio: 4, shown: ' (4 total * ratio 4)' },
      { total: 20, reserved: 4, allocation_ratio: 1, shown: ' (20 total - 4 reserved)' },
      { total: 16, reserved: 0, allocation_ratio: 1, shown: '' },
      { total: '4 to 8', reserved: 0, allocation_ratio: 4, shown: '' },
    ].map(({ shown, ...inventory }): [Partial<Rejection>, string] => [
      { code: 'not_enough_left', params: { ...ROOM, ...inventory, providers: 1 } },
      `VCPU: 14 used + 4 asked > 16 capacity${shown}`,
    ]),
    [
      { code: 'not_enough_left', params: { ...ROOM, providers: 1, provider_name: 'numa0', is_root: false } },
      'VCPU: 14 used + 4 asked > 16 capacity on numa0',
    ],
    [
      { code: 'not_enough_left', group: '_GPU', params: { ...ROOM, providers: 2, provider_name: 'gpu1' } },
      'group _GPU: VCPU: 14 used + 4 asked > 16 capacity on gpu1, the nearest of 2 providers',
    ],
    [{ code: 'above_max_unit', params: { ...ROOM, max_unit: 2, providers: 1 } }, 'VCPU: 4 asked > max_unit 2'],
    [
      { stage: 'root', code: 'missing_trait', group: null, params: { trait: 'CUSTOM_X' } },
      'the root provider lacks trait CUSTOM_X',
    ],
    [
      {
        stage: 'traits',
        code: 'missing_trait',
        params: { missing: ['A', 'B'], required: ['A', 'B', 'C'], providers: 2 },
      },
      'each of the 2 providers with room lacks traits A, B',
    ],
    [
      {
        stage: 'traits',
        code: 'missing_trait',
        params: { missing: ['A'], required: ['A', 'B'], providers: 2, provider: 'u', provider_name: 'gpu1' },
      },
      'gpu1, the nearest of 2 providers with room, lacks trait A',
    ],
    [
      {
        stage: 'traits',
        code: 'forbidden_trait',
        params: { forbidden: ['A', 'B'], present: ['A', 'B'], providers: 2 },
      },
      'each of the 2 providers with room has one of the forbidden traits A, B',
    ],
    [
      { stage: 'combine', code: 'rules_together', group: null, params: { rules: ['group_policy', 'same_subtree'] } },
      'each of group_policy, same_subtree could be kept alone, all of them together cannot',
    ],
    [
      { stage: 'traits', code: 'not_collectively_met', params: { missing: [], required: ['A', 'B'] } },
      'no combination of providers with room has all of traits A, B',
    ],
    [
      { stage: 'sharing', code: 'not_connected', params: { resource_classes: ['DISK_GB'], sharing_providers: 1 } },
      'no inventory of DISK_GB, and no aggregate in common with 1 sharing provider of it',
    ],
    [
      { stage: 'sharing', code: 'not_in_tree', params: { resource_classes: ['DISK_GB'], sharing_providers: 1 } },
      'no inventory of DISK_GB in the tree asked for, only outside (1 sharing provider)',
    ],
    [
      {
        stage: 'merged_capacity',
        code: 'sum_does_not_fit',
        group: null,
        params: { resource_class: 'VF', asked: 6, left: 4 },
      },
      'VF: 6 asked by all groups together do not fit into the 4 left',
    ],
    [
      {
        stage: 'merged_capacity',
        code: 'sum_does_not_fit',
        group: null,
        params: { resource_class: 'VF', asked: 6, left: 10 },
      },
      'VF: 6 asked by all groups together cannot be split over the providers, which have 10 left',
    ],
    [{ stage: 'room', code: 'new_code' }, 'room: new_code'],
  ])('%j', (given, expected) => {
    expect(sentence(given)).toBe(expected);
  });

  it('covers exactly the codes that the candidate engine documents', () => {
    const page = readFileSync(join(__dirname, 'README.md'), 'utf8');
    const [, table = ''] = page.split('| Stage | Codes |');
    const documented = [...table.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].flatMap(([, stage = '', codes = '']) =>
      [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => `${stage}.${code}`),
    );
    expect([...REJECTION_SENTENCES].sort()).toEqual(documented.sort());
  });
});
